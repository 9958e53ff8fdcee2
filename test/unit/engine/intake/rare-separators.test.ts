/** Tables that unusual characters separate, or several ones, and headers that nothing separates. */
import { expect, it } from 'vitest';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { copyTable } from '../../../../src/engine/intake/copy-table.ts';
import { readBatch, type BatchReading } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { parseSeparator } from '../../../../src/cli/options.ts';

function read(content: string, separator?: string): BatchReading {
  return readBatch({ name: 'Videos', content }, storyboardProfile.request, {
    language: 'en',
    ...(separator === undefined ? {} : { reading: { separator } }),
  });
}

function rowsOf({ rows }: BatchReading): string[] {
  return rows.map(({ values }) => {
    const { title = '', message = '', seconds = '' } = textsOf(values);
    return [title, message, seconds].join(' | ');
  });
}

const ROWS = ['One | Hello; you, | 5', 'Two | Bye | 6'];

it.each(['^', '~', '¦', '§', '·', '，', '、', '；', '،', '؛', ':'])('guesses %s', (separator) => {
  const content = ['title | message | seconds', ...ROWS].join('\n').replaceAll(' | ', separator);
  const reading = read(content);
  expect(rowsOf(reading)).toEqual(ROWS);
  expect(reading.files[0]?.reading).toMatchObject({ separator, headerRow: 1 });
});

it('keeps usual separators where texts and headers have unusual characters', () => {
  expect(rowsOf(read('title,message: text,seconds\nOne,a:b,5\nTwo,c:d,6\n'))).toEqual([
    'One |  | 5',
    'Two |  | 6',
  ]);
});

it.each([
  ['title:message:seconds\nOne:at 12:30:5\nTwo:Bye:6\n', 'title:message:seconds'],
  ['title     message   seconds\nOne   Hello  5\n', 'title message seconds'],
  ['Plan\ntitle//message\nOne//Hello\n', 'title//message'],
])('says that it cannot tell what separates the cells of %j', (content, header) => {
  const { errors, fileColumns, files, rows } = read(content);
  expect(rows).toEqual([]);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      `Spool cannot tell what separates the columns of “Videos”: “${header}”`,
    ),
  ]);
  // The page shows how the file was read, and offers the characters of the header.
  expect(fileColumns).toEqual([header]);
  expect(files[0]?.reading?.kind).toBe('delimited');
});

it('takes any character that the user chooses', () => {
  const reading = read('title#message#seconds\nOne#a, b#5\n', '#');
  expect(rowsOf(reading)).toEqual(['One | a, b | 5']);
  expect(['tab', 'pipe', '^', '；', '#', 'none'].map(parseSeparator)).toEqual([
    '\t',
    '|',
    '^',
    '；',
    '#',
    'none',
  ]);
  for (const other of ['', 'a', '1', '"', '||', '\n', '😀']) {
    expect(() => parseSeparator(other), other).toThrow('single character');
  }
});

it('names the character that separates the cells of a row with too many', () => {
  const [error] = read('title;message\nOne;Hello;you\nTwo;b\n').errors;
  expect(error?.message).toBe(
    'Row 2 does not match the header: 3 instead of 2 columns. Put text that contains “;” in quotation marks.',
  );
});

it.each([
  [
    'a header with semicolons above rows with commas',
    'title;message;seconds\nOne,Hello,5\n"Two, too",Bye,6\n',
    ['One | Hello | 5', 'Two, too | Bye | 6'],
  ],
  [
    'a header with commas above rows with semicolons, one with a comma in a text',
    'title,message,seconds\nOne;Hello, you;5\nTwo;Bye;6\n',
    ['One | Hello, you | 5', 'Two | Bye | 6'],
  ],
  ['two columns', 'title;message\nOne,Hello\nTwo,Bye\n', ['One | Hello | ', 'Two | Bye | ']],
  [
    'a row with commas among others with semicolons',
    'title;message;seconds\nOne;Hello;5\nTwo,Bye,6\n',
    ['One | Hello | 5', 'Two | Bye | 6'],
  ],
])('reads rows that another character separates: %s', (_, content, rows) => {
  const reading = read(content);
  expect(reading.errors).toEqual([]);
  expect(rowsOf(reading)).toEqual(rows);
});

it.each([
  ['a title that is a sentence', 'title;message;seconds\nOne, two, 5\nTwo;Bye;6\n', 'One, two, 5'],
  [
    'a list without a number',
    'title;message;seconds\nred,green,blue\nTwo;Bye;6\n',
    'red,green,blue',
  ],
  ['a list in a row with an empty end', 'title,message,seconds\nOne,a;b;7\nTwo,Bye,6\n', 'One'],
])('leaves the characters of a text alone: %s', (_, content, title) => {
  expect(rowsOf(read(content))[0]).toMatch(new RegExp(`^${title} \\|`));
});

it('separates all rows alike in a copy with corrections', async () => {
  const content = 'title;message;seconds\nOne,Hello,5\nTwo,Bye,6\n';
  const options = { edits: { 3: { message: 'Ciao' } } };
  const wanted = { what: 'corrected', file: 0, language: 'en' } as const;
  const { request } = storyboardProfile;
  const copy = await copyTable({ name: 'a.csv', content }, request, options, wanted);
  expect(Buffer.from(copy.bytes).toString().replace('\ufeff', '')).toBe(
    'title;message;seconds\nOne;Hello;5\nTwo;Ciao;6\n',
  );
});
