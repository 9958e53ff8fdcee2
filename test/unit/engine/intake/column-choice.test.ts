import { expect, test } from 'vitest';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatch, type ReadingOptions } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import {
  requestTemplateSchema,
  type RequestTemplate,
} from '../../../../src/engine/intake/request-template.ts';

const profile: RequestTemplate = requestTemplateSchema.parse({
  title: 'title',
  columns: {
    title: { type: 'text', required: true, aliases: ['headline'] },
    prompt: { type: 'text', required: true },
    seconds: { type: 'number', default: 8 },
  },
  preset: [{ column: 'seconds' }],
  body: { name: '{{title}}', prompt: '{{prompt}}', seconds: '{{seconds}}' },
});

function read(content: string, options: ReadingOptions = {}) {
  const reading = readBatch({ name: 'batch.csv', content }, profile, options);
  return {
    ...reading,
    bodies: reading.rows.map(({ body }) => JSON.parse(body) as unknown),
    sentences: reading.errors.map(({ message }) => message),
  };
}

const CSV = 'Film,Headline,What to show,Len\nA,One,a cat,5\nB,Two,a dog,6\n';

test('describes each field and its column, and shows the first rows', () => {
  const { fields, fileColumns, samples, sentences } = read(CSV);

  expect(fields).toEqual([
    { name: 'title', type: 'text', required: true, from: 'Headline' },
    { name: 'prompt', type: 'text', required: true, from: null },
    { name: 'seconds', type: 'number', required: false, default: '8', from: null },
  ]);
  expect(fileColumns).toEqual(['Film', 'Headline', 'What to show', 'Len']);
  expect(samples[1]).toEqual({
    row: 3,
    cells: { Film: 'B', Headline: 'Two', 'What to show': 'a dog', Len: '6' },
    request: null,
  });
  expect(sentences).toEqual([
    'There is no “prompt” column. The columns are: Film, Headline, What to show, Len.',
  ]);
});

test.each([
  ['batch.csv', 'title,2024,prompt,1\nOne,a,cat,b'],
  ['batch.json', '[{"title":"One","2024":"a","prompt":"cat","1":"b"}]'],
  ['batch.jsonl', '{"title":"One", "2024" : "a","prompt":"cat","1":"b"}'],
])('columns of %s keep their order, even if their names are numbers', (name, content) => {
  const order = ['title', '2024', 'prompt', '1'];
  const template = { body: { name: '{{title}} {{2024}} {{1}}' } };
  const { fileColumns, columns, fields, errors } = readBatch({ name, content }, profile, {
    template,
  });

  expect(errors).toEqual([]);
  expect(fileColumns).toEqual(order);
  expect(columns).toEqual(order);
  expect(fields.map((field) => field.name)).toEqual(['title', 'prompt', 'seconds', '2024', '1']);
});

test('a custom body uses the file’s column names, whatever fields they fill', () => {
  const { bodies } = read('title,Look,seconds\nOne,wild,7\n', {
    columns: { prompt: 'Look', seconds: null },
    template: { body: { text: '{{Look}} {{prompt}}', seconds: '{{seconds}}' } },
  });
  expect(bodies).toEqual([{ text: 'wild wild', seconds: 8 }]);
});

test('JSON strings that look like column names stay unchanged', () => {
  const cells = { title: 'say "2024": \\', 1: '"1":', 'a "7': ' 7', prompt: '"7" : "8"' };
  const content = JSON.stringify([cells]);
  expect(readBatch({ name: 'a.json', content }, profile).samples[0]?.cells).toEqual(cells);
});

test('fields are read from the selected columns', () => {
  const { bodies, fields, samples, rows } = read(CSV, {
    columns: { title: 'Film', prompt: 'What to show', seconds: 'Len' },
  });

  expect(bodies).toEqual([
    { name: 'A', prompt: 'a cat', seconds: 5 },
    { name: 'B', prompt: 'a dog', seconds: 6 },
  ]);
  expect(fields.map(({ from }) => from)).toEqual(['Film', 'What to show', 'Len']);
  expect(samples[0]?.request).toEqual(bodies[0]);
  // The headline is no longer the title, but file names can still use it.
  expect(textsOf(rows[0]?.values ?? [])).toEqual({
    title: 'A',
    'Headline (as in the file)': 'One',
    prompt: 'a cat',
    seconds: '5',
  });
});

test('one column can fill several fields, and a field can have no column', () => {
  const csv = 'title,seconds\nOne,5\n';

  expect(read(csv, { columns: { prompt: 'title', title: 'title' } }).bodies).toEqual([
    { name: 'One', prompt: 'One', seconds: 5 },
  ]);
  expect(read(csv, { columns: { prompt: 'title', title: 'title', seconds: null } }).bodies).toEqual(
    [{ name: 'One', prompt: 'One', seconds: 8 }],
  );
  expect(read(csv, { columns: { prompt: 'title', title: null } }).sentences).toEqual([
    'There is no “title” column. The columns are: title, seconds.',
  ]);
});

test('an invalid choice of a column is an error', () => {
  expect(
    read(CSV, { columns: { prompt: 'What', colour: 'Len', toString: 'Len' } }).sentences.slice(
      0,
      3,
    ),
  ).toEqual([
    'There is no “What” column to use for “prompt”.',
    'No field uses a column for “colour”.',
    'No field uses a column for “toString”.',
  ]);
});

test('a custom body is filled from the file’s columns, by column or field name', () => {
  const { bodies, rows, sentences } = read(CSV, {
    template: {
      title: 'Headline',
      body: {
        text: '{{Film}}: {{What to show}}',
        same: ['{{title}}', '{{Headline}}'],
        length: '{{Len}}',
        seconds: '{{seconds}}',
      },
    },
  });

  expect(sentences).toEqual([]);
  expect(bodies[0]).toEqual({ text: 'A: a cat', same: ['One', 'One'], length: 5, seconds: 8 });
  expect(rows.map(({ title }) => title)).toEqual(['One', 'Two']);
});

test.each([
  ['5', 5],
  ['-2.5', -2.5],
  ['-2.50', '-2.50'],
  ['007', '007'],
  ['12345678901234567890', '12345678901234567890'],
  ['1e3', '1e3'],
  ['2.500.000', '2.500.000'],
])('a custom body has a number only where nothing of the cell is lost: %s', (cell, sent) => {
  const { bodies, sentences } = read(`title,Code\nOne,1\nTwo,${cell}\n`, {
    template: { body: { code: '{{Code}}' } },
  });

  expect(sentences).toEqual([]);
  expect(bodies[1]).toEqual({ code: sent });
});

test('a number in a text of a custom body stays as the file has it', () => {
  const content = 'title,Price\nOne,19.90\nTwo,5\n';
  const within = read(content, { template: { body: { text: ['Only {{Price}} €'] } } });
  const whole = read(content, { template: { body: { text: [{ price: '{{ Price }}' }] } } });

  expect(within.bodies[0]).toEqual({ text: ['Only 19.90 €'] });
  expect(whole.bodies).toEqual([{ text: [{ price: '19.90' }] }, { text: [{ price: '5' }] }]);
});

test('a number that a custom body has as a value and in a text stays as the file has it', () => {
  const { bodies } = read('title,Price\nOne,19.90\nTwo,\n', {
    template: { body: { price: '{{Price}}', lines: [{ text: '{{title}}: {{ Price }} €' }] } },
  });

  expect(bodies).toEqual([
    { price: '19.90', lines: [{ text: 'One: 19.90 €' }] },
    { lines: [{ text: 'Two:  €' }] },
  ]);
});

test('a body that names a missing column is reported, and the rows are still shown', () => {
  const { rows, sentences, samples, fields } = read(CSV, {
    template: { body: { text: '{{Nothing}}' } },
  });

  expect(rows).toEqual([]);
  expect(sentences).toEqual(['The template cannot be filled: There is no column “Nothing”.']);
  expect(fields.map(({ from }) => from)).toEqual(['Headline', null, null]);
  expect(samples).toHaveLength(2);
});

test('a row far down is among the samples when it is requested', () => {
  const csv = ['title,prompt', ...Array.from({ length: 40 }, (_, row) => `T${row},p`)].join('\n');
  const rows = (show?: number) => read(csv, { show }).samples.map(({ row }) => row);

  expect(rows()).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(rows(33)).toEqual([...rows(), 33]);
  expect(rows(3)).toEqual(rows());
  expect(read(csv, { show: 33 }).samples.at(-1)?.request).toMatchObject({ name: 'T31' });
});

test('the next rows with errors are among the samples, and the first ones after the last', () => {
  const csv = ['title,prompt', ...Array.from({ length: 40 }, (_, row) => `T${row},`)].join('\n');
  const rows = (show?: number) => read(csv, { show }).samples.map(({ row }) => row);

  expect(rows(20)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 22, 23, 24, 25]);
  expect(rows(41)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 41]);
});

test('a field describes what its cells may hold', () => {
  const { fields } = readBatch({ name: 'a.json', content: '[{}]' }, storyboardProfile.request);
  const named = (name: string) => fields.find((field) => field.name === name);

  expect(named('title')).toMatchObject({ required: true, maxLength: 200 });
  expect(named('countdown')).toMatchObject({ type: 'number', min: 1, max: 10 });
  expect(named('points')).toMatchObject({ type: 'list', maxItems: 8, maxLength: 160 });
  expect(named('resolution')).toMatchObject({
    default: '720',
    options: ['480', '720', '1080', '1440', '2160'],
  });
});

test('names the column of an error as the file does, and by its field for programs', () => {
  const { errors } = read('Headline,prompt,Len\n,a cat,soon\n', { columns: { seconds: 'Len' } });

  expect(errors.map(({ message, column }) => [column, message])).toEqual([
    ['title', 'Row 2, Headline: is empty, and every video needs one.'],
    ['seconds', 'Row 2, Len: “soon” is not a number.'],
  ]);
});

test('names an error once where a written request has a column under two names', () => {
  const { sentences } = read('Len,Headline\nsoon,One\n', {
    columns: { seconds: 'Len' },
    template: { body: { name: '{{Headline}}', seconds: '{{seconds}}' } },
  });

  expect(sentences).toEqual(['Row 2, Len: “soon” is not a number.']);
});
