import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { decodeTable } from '../../../../src/engine/intake/tables/encoding.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import {
  requestTemplateSchema,
  type RequestTemplate,
} from '../../../../src/engine/intake/request-template.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

const template: RequestTemplate = requestTemplateSchema.parse({
  title: 'title',
  columns: {
    title: { type: 'text', required: true, maxLength: 40, aliases: ['headline'] },
    seconds: { type: 'number', min: 1, max: 60, default: 8 },
    takes: { type: 'number', whole: true, min: 1 },
    accent: { type: 'colour' },
    aspect: { type: 'choice', options: ['16:9', '1:1'], spellings: { square: '1:1' } },
    points: { type: 'list', maxItems: 3, maxLength: 10 },
  },
  preset: [{ column: 'aspect' }, { column: 'seconds', step: 5 }],
  body: {
    name: '{{title}}',
    seconds: '{{seconds}}',
    theme: { accent: '{{accent}}' },
    aspect: '{{aspect}}',
    scenes: [{ text: 'About {{title}} for {{seconds}} s' }, { $if: 'points', items: '{{points}}' }],
  },
});

function read(content: string, name = 'batch.csv'): ReturnType<typeof readBatch> {
  return readBatch({ name, content }, template);
}

function bodies(content: string, name?: string): unknown[] {
  const { rows, errors } = read(content, name);
  expect(errors).toEqual([]);
  return rows.map(({ body }) => JSON.parse(body) as unknown);
}

/** The messages of all errors. */
function sentences(content: string, name?: string): string[] {
  return read(content, name).errors.map(({ message }) => message);
}

describe('tables', () => {
  test('a message names a column without the colon of its header', () => {
    const [sentence] = sentences('title:,seconds :\nOne,soon\n');
    expect(sentence).toMatch(/^Row 2, seconds: “soon”/);
  });

  test('a row that is asked about has no errors of its cells besides', () => {
    expect(sentences('title,seconds\nOne,40\nTwo,45\nTotal,85\n')).toEqual([
      expect.stringMatching(/^Row 4 looks like a total/),
    ]);
    const made = readBatch(
      { name: 'batch.csv', content: 'title,seconds\nOne,40\nTwo,45\nTotal,85\n' },
      template,
      { reading: { includeTotals: true } },
    );
    expect(made.errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Row 4, seconds: “85”/),
    ]);
  });

  test('every cell gets its column’s type, and empty ones are left out', () => {
    const rows = bodies('title,seconds,accent,points\nOne,12.5,#FB2,a|b\nTwo,,,\n');

    expect(rows).toEqual([
      {
        name: 'One',
        seconds: 12.5,
        theme: { accent: '#ffbb22' },
        scenes: [{ text: 'About One for 12.5 s' }, { items: ['a', 'b'] }],
      },
      { name: 'Two', seconds: 8, scenes: [{ text: 'About Two for 8 s' }] },
    ]);
  });

  test.each([
    ['commas', 'title,seconds,accent\nOne,9,#ffffff'],
    ['semicolons and decimal commas', 'title;seconds;accent\nOne;9,0;#ffffff'],
    ['a first line that names the delimiter', 'sep=;\r\ntitle;seconds;accent\r\nOne;9,0;#ffffff'],
    ['tabs', 'title\tseconds\taccent\nOne\t9\t#ffffff'],
    ['a byte order mark', '\ufefftitle,seconds,accent\nOne,9,#ffffff\n'],
    ['CRLF', 'title,seconds,accent\r\nOne,9,#ffffff\r\n'],
    ['old Mac line ends', 'title,seconds,accent\rOne,9,#ffffff\r'],
    ['mixed line ends', 'title,seconds,accent\r\nOne,9,#ffffff\n\r\n'],
    ['space and case in the header', ' TITLE , Seconds ,accent\n One , 9 , #FFFFFF '],
    ['another name for a column', 'Headline,seconds,accent\nOne,9,#ffffff'],
    ['columns in another order', 'accent,seconds,title\n#ffffff,9,One'],
    ['unknown columns', 'id,title,seconds,accent,note\n7,One,9,#ffffff,hello'],
    ['quoted delimiters in the header', '"title","a;b;c;d","seconds",accent\nOne,,9,#ffffff'],
  ])('%s', (_what, content) => {
    expect(bodies(content)).toEqual([
      {
        name: 'One',
        seconds: 9,
        theme: { accent: '#ffffff' },
        scenes: [{ text: 'About One for 9 s' }],
      },
    ]);
  });

  test('a cell may hold commas, quotation marks and line breaks', () => {
    expect(bodies('title,seconds\n"One, ""two""\nthree",9')).toMatchObject([
      { name: 'One, "two"\nthree' },
    ]);
  });

  test('a quotation mark inside of a cell without any around it is text', () => {
    expect(bodies('title,seconds\nThe 6" pipe,9')).toMatchObject([{ name: 'The 6" pipe' }]);
  });

  test('rows are numbered as a spreadsheet shows them', () => {
    const { rows } = read('title\n"two\nlines"\n\nFour\n , \nSix\n');

    expect(rows.map(({ row, title }) => [row, title])).toEqual([
      [2, 'two lines'],
      [4, 'Four'],
      [6, 'Six'],
    ]);
  });

  test('values are kept by their columns’ names, with the types of the profile’s columns', () => {
    const { columns, rows } = read('Headline,Day,points\nOne, Monday ,a|b');

    expect(columns).toEqual(['title', 'Day', 'points']);
    expect(rows[0]?.values).toEqual([
      ['title', 'One'],
      ['Day', 'Monday'],
      ['points', ['a', 'b']],
    ]);
  });

  test('a column named like a property of every object is a column', () => {
    const { rows, errors } = read('title,__proto__,constructor,toString\nOne,a,b,c');

    expect(errors).toEqual([]);
    expect(rows[0]?.values).toEqual([
      ['title', 'One'],
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['toString', 'c'],
    ]);
  });
});

describe('JSON', () => {
  const expected = [
    {
      name: 'One',
      seconds: 9,
      aspect: '1:1',
      scenes: [{ text: 'About One for 9 s' }, { items: ['a', 'b'] }],
    },
    { name: 'Two', seconds: 8, scenes: [{ text: 'About Two for 8 s' }] },
  ];
  const one = '{"Title":"One","seconds":9,"aspect":"SQUARE","points":["a","b"]}';
  const two = '{"title":"Two","accent":null}';

  test.each([
    ['a list', `[${one},${two}]`, 'batch.json'],
    ['a list that was pasted', ` \n[${one},\n${two}]`, 'Pasted'],
    ['lines', `${one}\n${two}\n`, 'batch.jsonl'],
    ['lines that were pasted', `${one}\n\n${two}`, 'Pasted'],
  ])('%s', (_what, content, name) => {
    expect(bodies(content, name)).toEqual(expected);
  });

  test('a number with more digits than a double can hold keeps them', () => {
    const digits = '90071992547409931';
    expect(bodies(`[{"title":${digits}}]`, 'batch.json')).toMatchObject([{ name: digits }]);
    expect(bodies(`{"title":${digits}}`, 'batch.jsonl')).toMatchObject([{ name: digits }]);
  });

  test('entries are numbered from one, and lines as in the file', () => {
    const numbers = (content: string, name: string): number[] =>
      read(content, name).rows.map(({ row }) => row);

    expect(numbers(`[${one},${two}]`, 'a.json')).toEqual([1, 2]);
    expect(numbers(`\n${one}\n\n${two}`, 'a.jsonl')).toEqual([2, 4]);
  });

  test('an entry or line that is not a video is reported by its number', () => {
    expect(sentences(`[${one},7]`, 'a.json')).toEqual([
      'Entry 2 is not a JSON object such as {"title": "…"}.',
    ]);
    expect(sentences(`${one}\n{"title":`, 'a.jsonl')).toEqual([
      'Line 2 is not valid JSON from column 10 on.',
    ]);
    expect(sentences(`${one}\n7`, 'a.jsonl')).toEqual([
      'Line 2 is not a JSON object such as {"title": "…"}.',
    ]);
    expect(sentences(`[{"title":{"de":"Eins"}}]`, 'a.json')).toContain(
      'Entry 1, title: must be text, a number or a list of texts.',
    );
    expect(sentences('{"title":"One"', 'a.json')).toEqual([
      '“a.json” is not valid JSON: line 1, column 15.',
    ]);
  });

  test('a list nested 100,000 deep is an error and no crash', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

    expect(read(`[{"title":"One","points":${deep}}]`, 'a.json').errors[0]).toMatchObject({
      code: 'value-invalid',
      row: 1,
      column: 'points',
    });
  });
});

describe('each error has one clear message', () => {
  test.each([
    ['seconds', 'long', 'Row 2, seconds: “long” is not a number.'],
    ['seconds', '1,500', 'Row 2, seconds: “1,500” is not a number.'],
    ['seconds', '0x10', 'Row 2, seconds: “0x10” is not a number.'],
    ['seconds', '61', 'Row 2, seconds: “61” is not between 1 and 60.'],
    ['takes', '1.5', 'Row 2, takes: “1.5” is not a whole number.'],
    ['takes', '0', 'Row 2, takes: “0” is less than 1.'],
    ['accent', '#zz', 'Row 2, accent: “#zz” is not a colour such as #ffb020.'],
    ['accent', 'reddish', 'Row 2, accent: “reddish” is not a colour such as #ffb020.'],
    ['aspect', '21:9', 'Row 2, aspect: “21:9” is not one of 16:9, 1:1.'],
    ['points', 'a|b|c|d', 'Row 2, points: has 4 items; at most 3 fit.'],
    [
      'points',
      'a|bbbbbbbbbbbb',
      'Row 2, points: “bbbbbbbbbbbb” has 12 characters; at most 10 fit.',
    ],
    [
      'accent',
      'caf\ufffd',
      'Row 2, accent: has damaged characters. Correct the cell, or choose another encoding.',
    ],
  ])('%s “%s”', (column, cell, sentence) => {
    const { rows, errors } = read(`title,${column}\nOne,"${cell}"\n`);

    expect(errors).toMatchObject([{ code: 'value-invalid', message: sentence, row: 2, column }]);
    expect(rows).toEqual([]);
  });

  test('half an emoji in JSON', () => {
    const { rows, errors } = readBatch(
      { name: 'batch.json', content: '[{"title": "One", "accent": "caf\\ud83d"}]' },
      template,
    );

    expect(errors).toMatchObject([{ code: 'value-invalid', row: 1, column: 'accent' }]);
    expect(errors[0]?.message).toContain('has damaged characters');
    expect(rows).toEqual([]);
  });

  test('a long cell is quoted in part', () => {
    const [sentence = ''] = sentences(`title\n${'x'.repeat(500)}\n`);

    expect(sentence).toBe(`Row 2, title: “${'x'.repeat(40)}…” has 500 characters; at most 40 fit.`);
  });

  test('every error is found, in the order of the rows, and sound rows are read', () => {
    const { rows, errors } = read('title,seconds,accent\nOne,9,#zz\n,9,\nThree,9,\nFour,no,no\n');

    expect(errors.map(({ row, column }) => [row, column])).toEqual([
      [2, 'accent'],
      [3, 'title'],
      [5, 'seconds'],
      [5, 'accent'],
    ]);
    expect(rows.map(({ title }) => title)).toEqual(['Three']);
  });

  test('a row without a required cell', () => {
    expect(sentences('title,seconds\n,9\n')).toEqual([
      'Row 2, title: is empty, and every video needs one.',
    ]);
  });

  test('a missing column, with the existing ones', () => {
    expect(read('film,seconds\nOne,9\n').errors).toMatchObject([
      {
        code: 'column-missing',
        message: 'There is no “title” column. The columns are: film, seconds.',
        column: 'title',
      },
    ]);
  });

  test('two columns for the same field', () => {
    expect(sentences('title,Headline\nOne,Two\n')).toEqual([
      'Two columns match the same field: “title” and “Headline”.',
    ]);
  });

  test('German headers and words are known, too', () => {
    const content =
      'Titel;Untertitel;Sekunden;Format;Farbe;Musik\nGrüße;Köln;7,5;Hochformat;#ff6b35;keine\n';
    const { rows, errors } = readBatch({ name: 'a.csv', content }, storyboardProfile.request);
    expect(errors).toEqual([]);
    expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({
      title: 'Grüße',
      aspect: '9:16',
      duration: 7.5,
      soundtrack: 'none',
      theme: { accent: '#ff6b35' },
      scenes: [{ text: 'Grüße', subtitle: 'Köln' }],
    });
  });

  test('a duplicate header, neither of which is used until one is selected', () => {
    const { errors, fileColumns, fields } = read('title,note,title,note\nOne,a,Two,b\n');
    expect(errors.map(({ message }) => message)).toEqual([
      'Two columns match the same field: “title” and “title (2)”.',
    ]);
    expect(fileColumns).toEqual(['title', 'note', 'title (2)', 'note (2)']);
    expect(fields.find(({ name }) => name === 'title')?.from).toBeNull();
    const chosen = readBatch(
      { name: 'batch.csv', content: 'title,title\nOne,Two\n' },
      storyboardProfile.request,
      { columns: { title: 'title (2)' } },
    );
    expect(chosen.rows.map(({ title }) => title)).toEqual(['Two']);
  });

  test.each([
    [
      'too many cells',
      'title,seconds\nOne, two,9,x\nTwo,9\n',
      'Row 2 does not match the header: 4 instead of 2 columns.',
    ],
  ])('%s', (_what, content, sentence) => {
    const [error] = read(content).errors;

    expect(error).toMatchObject({ code: 'batch-unreadable', row: 2 });
    expect(error?.message).toContain(sentence);
  });

  test('cells that are missing at the end of a row are empty', () => {
    expect(bodies('title,seconds,accent\nOne,9\n')).toHaveLength(1);
  });

  test('empty cells after the last column are ignored', () => {
    expect(bodies('title,seconds\nOne,9,,,\n')).toHaveLength(1);
  });

  test('a quotation mark that is never closed', () => {
    expect(sentences('title,seconds\n"One,9\nTwo,9\n')).toEqual([
      'Row 2 has a quotation mark that is opened and never closed.',
    ]);
  });

  test.each([
    ['nothing', ''],
    ['space', ' \n\n '],
    ['a header', 'title,seconds\n'],
    ['a header and empty rows', 'title,seconds\n,\n , \n'],
  ])('a file with %s', (_what, content) => {
    expect(read(content).errors).toMatchObject([
      { code: 'batch-empty', message: '“batch.csv” has no rows to make videos from.' },
    ]);
  });

  test.each([
    ['an archive', 'book.xlsx', 'PK\u0003\u0004…', 'is not a workbook that can be read.'],
    ['one under another name', 'book.csv', 'PK\u0003\u0004…', 'is not a workbook'],
    ['a very old Excel file', 'book.xls', '\u00d0\u00cf\u0011\u00e0', 'a workbook of Excel 95'],
    ['a picture', 'cat.png', '\u0089PNG\r\n\u001a\n\0\0\0', 'neither a text nor a workbook.'],
  ])('%s', (_what, name, content, part) => {
    const source = { name, content: Buffer.from(content, 'latin1') };
    const [error] = readBatch(source, storyboardProfile.request).errors;

    expect(error?.code).toBe('batch-unreadable');
    expect(error?.message).toContain(`“${name}”`);
    expect(error?.message).toContain(part);
  });
});

describe('requests', () => {
  test('equal rows have equal bodies, whatever the order of their columns', () => {
    const [one] = read('title,seconds,accent\nOne,9,#ffffff\n').rows;
    const [two] = read('accent,seconds,title\n#FFF,9.0, One \n').rows;

    expect(one?.body).toBe(two?.body);
    expect(one?.bodySha256).toBe(two?.bodySha256);
    expect(one?.bodySha256).toBe(
      createHash('sha256')
        .update(one?.body ?? '')
        .digest('hex'),
    );
    expect(one?.body).toBe(
      '{"name":"One","scenes":[{"text":"About One for 9 s"}],"seconds":9,"theme":{"accent":"#ffffff"}}',
    );
  });

  test('presets group rows with similar render times', () => {
    const { rows } = read('title,aspect,seconds\nA,1:1,6\nB,square,9.5\nC,1:1,10\nD,16:9,6\n');

    expect(rows.map(({ preset }) => preset)).toEqual([
      'aspect=1:1 seconds=5+',
      'aspect=1:1 seconds=5+',
      'aspect=1:1 seconds=10+',
      'aspect=16:9 seconds=5+',
    ]);
  });

  test('a preset says of a file only whether there is one', () => {
    const { rows } = readBatch(
      { name: 'a.csv', content: 'title,clip\nA,\nB,one.mp4\nC,other.mp4\n' },
      storyboardProfile.request,
    );
    const usual = 'resolution=720 aspect=16:9 fps=30 seconds=';
    expect(rows.map(({ preset }) => preset)).toEqual([
      usual,
      `${usual} clip=yes`,
      `${usual} clip=yes`,
    ]);
  });

  test('a cell that looks like a placeholder is only text', () => {
    expect(bodies('title\n{{seconds}}\n')).toMatchObject([
      { name: '{{seconds}}', scenes: [{ text: 'About {{seconds}} for 8 s' }] },
    ]);
  });

  test('a cell that looks like a replacement pattern is only text', () => {
    expect(bodies('title\n$& $1 $$\n')).toMatchObject([
      { scenes: [{ text: 'About $& $1 $$ for 8 s' }] },
    ]);
  });

  test('a batch is named after its file', () => {
    expect(read('', '/tmp/Launch week.csv').name).toBe('Launch week');
    expect(read('', 'C:\\films\\v1.2.json').name).toBe('v1.2');
    expect(read('', '.csv').name).toBe('Batch');
  });
});

describe('a template', () => {
  const plain = { title: 'a', columns: { a: { type: 'text' } }, preset: [], body: {} };

  test.each([
    ['a placeholder without a column', { body: { x: ['{{b}}'] } }],
    ['a condition without a column', { body: { x: { $if: 'b', y: 1 } } }],
    ['a title without a column', { title: 'b' }],
    ['a preset without a column', { preset: [{ column: 'b' }] }],
    ['a default of the wrong kind', { columns: { a: { type: 'colour', default: 'red' } } }],
    ['a type that does not exist', { columns: { a: { type: 'date' } } }],
  ])('with %s is refused', (_what, change) => {
    expect(requestTemplateSchema.safeParse(plain).success).toBe(true);
    expect(requestTemplateSchema.safeParse({ ...plain, ...change }).success).toBe(false);
  });
});

describe('bytes', () => {
  const text = 'title\nGrüße — 日本\n';

  test('UTF-8, UTF-16 of either byte order and older code pages are decoded', () => {
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');

    expect(decodeTable(Buffer.from(`\ufeff${text}`)).text).toBe(text);
    expect(decodeTable(utf16).text).toBe(text);
    expect(decodeTable(Buffer.from(utf16).swap16()).text).toBe(text);
    expect(decodeTable(Buffer.from('Caf\xe9 \x96 \x801', 'latin1')).text).toBe('Café – €1');
  });

  test('an Excel file and a picture are still detected', () => {
    const archive = Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 0xff, 0xfe]);
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 0x1a, 10, 0, 0, 0, 13]);
    const messages = [archive, picture].map(
      (content) =>
        readBatch({ name: 'a.csv', content }, storyboardProfile.request).errors[0]?.message,
    );

    expect(messages).toEqual([
      '“a.csv” is not a workbook that can be read. Save it as .xlsx or CSV.',
      '“a.csv” is neither a text nor a workbook. Save the table as .xlsx or CSV.',
    ]);
  });
});

describe('the examples', () => {
  const folder = path.join(import.meta.dirname, '../../../../examples');

  test.each([
    ['launch-week.csv', 6],
    ['chapter-cards.tsv', 5],
    ['museum-openings.json', 3],
    ['daily-tips.jsonl', 3],
    ['films/shop.csv', 3],
    ['films/teacher.csv', 3],
    ['films/band.csv', 3],
    ['films/estate-agent.csv', 3],
  ])('%s has no error', (name, count) => {
    const content = readFileSync(path.join(folder, name));
    const { rows, errors } = readBatch({ name, content }, storyboardProfile.request);

    expect(errors).toEqual([]);
    expect(rows).toHaveLength(count);
  });

  test('the launch week has six different videos of four shapes', () => {
    const content = readFileSync(path.join(folder, 'launch-week.csv'), 'utf8');
    const { rows } = readBatch({ name: 'a.csv', content }, storyboardProfile.request);

    expect(new Set(rows.map(({ bodySha256 }) => bodySha256)).size).toBe(6);
    expect(new Set(rows.map(({ values }) => textsOf(values).aspect)).size).toBe(4);
  });
});
