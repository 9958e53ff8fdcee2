import { expect, test } from 'vitest';
import type { OwnTemplate } from '../../../../src/contract/batch.ts';
import { unusedColumns } from '../../../../src/engine/intake/likely-mistakes.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

function unused(headers: string, nameTemplate = '{title}', body?: OwnTemplate['body']): string[] {
  const content = `${headers}\nA${headers.replace(/[^,]/g, '')}\n`;
  const options = body === undefined ? {} : { template: { body } };
  const { fileColumns, rowTemplate, matched, errors } = readBatch(
    { name: 'a.csv', content },
    storyboardProfile.request,
    options,
  );
  expect(errors).toEqual([]);
  const columns = { columns: fileColumns, repeated: matched.repeated };
  return unusedColumns(columns, rowTemplate, matched, nameTemplate).map(({ message }) => message);
}

test.each([
  ['title,mesage', ['“mesage” is not used. Is it “message”?']],
  ['title,Untertitle', ['“Untertitle” is not used. Is it “subtitle”?']],
  [
    'title,Logos,Farben',
    ['“Logos” is not used. Is it “logo”?', '“Farben” is not used. Is it “accent”?'],
  ],
  ['title,budget', ['“budget” is not used.']],
  ['title,id', ['“id” is not used.']],
  ['title,message,mesage', ['“mesage” is not used.']],
  ['Title,Primary color,Points_heading', []],
])('names columns that nothing uses, with the likely one: %s', (headers, expected) => {
  expect(unused(headers)).toEqual(expected);
});

test.each('Sprache,Time,Ort,Art,Tag,Set,Typ,Firma,Vorname,Abteilung,Motiv,Script,Link'.split(','))(
  'does not take another word for a mistake: %s',
  (header) => {
    expect(unused(`title,${header}`)).toEqual([`“${header}” is not used.`]);
  },
);

test('does not name a column that file names or a template use', () => {
  expect(unused('title,budget', '{Budget}/{title}')).toEqual([]);
  expect(unused('title,budget,other', '{title}', { text: 'For {{budget}}' })).toEqual([
    '“other” is not used.',
  ]);
});

test.each([
  ['?????', 'cell-has-question-marks'],
  ['M?nchen', 'cell-has-question-marks'],
  ['Error: #DIV/0!', 'cell-has-error-value'],
  ['1.23457E+11', 'cell-is-shortened'],
  ['Tom &amp; Jerry', 'cell-has-code'],
  ['It&#39;s', 'cell-has-code'],
  ['One<br/>two', 'cell-has-code'],
  ['A <b>big</b> day', 'cell-has-code'],
  ['One\\nTwo', 'cell-has-code'],
  ['Gr\\u00fc\\u00dfe', 'cell-has-code'],
  ['First\u001b[31mred', 'cell-has-control-character'],
  ['Tom & Jerry; 3 < 5 > 2', null],
  ['C:\\new\\uses', null],
  ['\\o/ <3', null],
  ['Error 1E5', null],
  ['Ready? Go', null],
  ['What???', null],
  ['https://example.com/a?b=c', null],
  ['Use #hashtags', null],
])('warns of a text that a program damaged: %s', (text, kind) => {
  const content = `title,message\nA,${text}\n`;
  const { warnings, rows } = readBatch({ name: 'a.csv', content }, storyboardProfile.request);
  expect(rows).toHaveLength(1);
  expect(warnings.map((warning) => [warning.severity, warning.kind, warning.cell])).toEqual(
    kind === null ? [] : [['warning', kind, text]],
  );
});

test.each([
  ['of JSON, which shows it', 'a.json', '[{"title":"One_x000D_"}]', ['cell-has-code']],
  ['of a table, in which it is read', 'a.csv', 'title\nOne_x000D_\n', []],
])('warns of a line break as workbooks write it: %s', (_, name, content, kinds) => {
  const { warnings } = readBatch({ name, content }, storyboardProfile.request);
  expect(warnings.map(({ kind }) => kind)).toEqual(kinds);
});

test.each([
  ['other rows', 'title,seconds,,Colour,Use\nOne,5,,#ff0000,warm\nTwo,6,,,\n', ['Colour']],
  ['other names', 'title,seconds,,Colour,Use\nOne,5,,#ff0000,warm\n', ['Colour']],
  ['two columns', 'title,,Colour,Logo,Use\nOne,,,,\n,,#ff0000,,warm\n', ['Colour', 'Logo']],
  ['the same rows and names that are used', 'title,seconds,,Colour\nOne,5,,#ff0000\n', []],
  ['names that nothing uses on its left', 'Nr,,title,Colour\n1,,One,#ff0000\n2,,,\n', []],
  ['a text in the column between', 'title,seconds,,Colour,Use\nOne,5,x,#ff0000,warm\n', []],
])('warns of columns of another table beside an empty column: %s', (_, content, columns) => {
  const source = { name: 'a.csv', content };
  const second = { name: 'b.csv', content: 'title,Logo\nThree,\n' };
  for (const further of [[], [second]]) {
    const { warnings } = readBatch({ ...source, further }, storyboardProfile.request, {});
    const beside = warnings.filter(({ kind }) => kind === 'column-beside-table');
    expect(beside.map(({ cell }) => cell)).toEqual(columns);
  }
});
