/** Numbers and texts keep the digits that the user wrote, from a file or template to the request. */
import { describe, expect, test } from 'vitest';
import {
  parseForWriting,
  parseTemplate,
  templateText,
} from '../../../../src/contract/json-text.ts';
import { readJsonBody } from '../../../../src/contract/examples/example-body.ts';
import type { OwnTemplate } from '../../../../src/contract/batch.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { proposeTemplate } from '../../../../src/host/settings/propose-template.ts';

function bodies(content: string, template: string): string[] {
  const body = parseTemplate(template) as OwnTemplate['body'];
  const { errors, rows } = readBatch({ name: 'a.csv', content }, storyboardProfile.request, {
    // Stored and sent as plain JSON.
    template: JSON.parse(JSON.stringify({ body })) as OwnTemplate,
  });
  expect(errors).toEqual([]);
  return rows.map((row) => row.body);
}

describe('a column that is a whole value', () => {
  test.each([
    ['a price', '19.90,5.00', ['"19.90"', '"5.00"']],
    ['a version', '1.10,2.0', ['"1.10"', '"2.0"']],
    ['a postal code among others', '01067,80331', ['"01067"', '"80331"']],
    ['a code like 1E5', '1E5,2E3', ['"1E5"', '"2E3"']],
    ['a long number among others', '123456789012345678,2', ['"123456789012345678"', '"2"']],
    ['numbers', '20095,80331', ['20095', '80331']],
    ['negative and decimal numbers', '-1.5,0.25', ['-1.5', '0.25']],
  ])('%s keeps its text in every row', (_what, cells, expected) => {
    const [one = '', two = ''] = cells.split(',');
    const rows = bodies(`title,code\nA,${one}\nB,${two}\n`, '{"a":"{{code}}"}');
    expect(rows).toEqual(expected.map((value) => `{"a":${value}}`));
  });

  test('is sent as text or as a number where the template says so', () => {
    const content = 'title,price,id\nA,19.90,12345678901234567890\nB,5,2\n';
    const template = '{"t":"{{price:text}}","n":"{{price:number}}","id":"{{id:number}}"}';
    expect(bodies(content, template)).toEqual([
      '{"id":12345678901234567890,"n":19.90,"t":"19.90"}',
      '{"id":2,"n":5,"t":"5"}',
    ]);
  });

  test.each([
    ['thousands in German', '1.299,00', '1299'],
    ['thousands in English', '1,299.50', '1299.5'],
    ['thousands in French', '1 299,5', '1299.5'],
    ['a plus', '+5', '5'],
    ['an apostrophe of the spreadsheet', "'19.90", '19.90'],
    ['Arabic digits', '١٩٫٥', '19.5'],
  ])('is sent as a number that is written with %s', (_, cell, number) => {
    expect(bodies(`title,price\nA,"${cell}"\n`, '{"n":"{{price:number}}"}')).toEqual([
      `{"n":${number}}`,
    ]);
  });

  test.each([
    ['1.299', '1.299,00', '1299'],
    ['1.299', '7,5', '1299'],
    ['0.500', '7,5', '0.500'],
    ['1,299', '7.5', '1299'],
    ['1,299', '1.299.000', '1.299'],
    ['1.299', '1.299.000', '1299'],
    ['1,299', '1,00,000', '1299'],
    ['1.299', '7.5', '1.299'],
  ])('is read as its column shows: %s beside %s', (cell, other, number) => {
    const content = `title,price\nA,"${cell}"\nB,"${other}"\n`;
    expect(bodies(content, '{"n":"{{price:number}}"}')[0]).toBe(`{"n":${number}}`);
  });

  test('is asked about where its column shows both decimal marks', () => {
    const { errors } = readBatch(
      { name: 'a.csv', content: 'title;price\nA;1.299\nB;7,5\nC;7.5\n' },
      storyboardProfile.request,
      { template: { body: { p: '{{price:number}}' } } },
    );
    expect(errors).toMatchObject([
      { kind: 'cell-not-number', row: 2, cell: '1.299', fix: { value: '1299' } },
    ]);
  });

  test.each([
    '1 234 567 890 123 456 789',
    '1.234.567.890.123.456.789',
    '1.234.567.890.123.456.789,00',
    '1,234,567,890,123,456,789',
    '12,34,56,78,90,12,34,56,789',
    '1234567890123456789',
  ])('keeps all digits of %s', (cell) => {
    const rows = bodies(`title,price\nA,"${cell}"\n`, '{"n":"{{price:number}}"}');
    expect(rows[0]?.replace(/\.00\b/, '')).toBe('{"n":1234567890123456789}');
  });

  test('of a profile keeps all digits', () => {
    const { request } = storyboardProfile;
    const seed = {
      ...request,
      columns: { ...request.columns, seed: { type: 'number', whole: true } as const },
      body: { seed: '{{seed}}' },
    };
    const content = 'title,seed\nA,9223372036854775807\nB,42\n';
    expect(readBatch({ name: 'a.csv', content }, seed).rows.map(({ body }) => body)).toEqual([
      '{"seed":9223372036854775807}',
      '{"seed":42}',
    ]);
  });

  test('is an error where it should be a number and is none', () => {
    const { errors } = readBatch(
      { name: 'a.csv', content: 'title,price\nA,free\n' },
      storyboardProfile.request,
      { template: { body: { p: '{{price:number}}' } } },
    );
    expect(errors).toMatchObject([{ kind: 'cell-not-number', row: 2 }]);
  });

  test.each([
    ['a footnote', '19²', '19'],
    ['an index', '7₁', '7'],
  ])('is asked about where %s would become a digit', (_, cell, fix) => {
    const { errors } = readBatch(
      { name: 'a.csv', content: `title,price\nA,${cell}\n` },
      storyboardProfile.request,
      { template: { body: { p: '{{price:number}}' } } },
    );
    expect(errors).toMatchObject([{ kind: 'cell-not-number', fix: { value: fix } }]);
  });

  test('is named where it is sent as a number', () => {
    const content = 'title,price,zip,takes\nA,19.90,80331,3\n';
    const template = {
      body: { a: '{{price}}', b: '{{zip}}', c: 'x {{takes}}', d: '{{price:number}}' },
    };
    const source = { name: 'a.csv', content };
    const { sentAsNumbers } = readBatch(source, storyboardProfile.request, { template });
    expect(sentAsNumbers).toEqual(['zip', 'price']);
    expect(readBatch(source, storyboardProfile.request).sentAsNumbers).toEqual([]);
  });

  test('of the profile can be sent as text too', () => {
    const template = '{"n":"{{seconds}}","t":"{{seconds:text}}"}';
    expect(bodies('title,seconds\nA,7.50\n', template)).toEqual(['{"n":7.5,"t":"7.50"}']);
  });
});

describe('a number of a template', () => {
  const EXACT = ['12345678901234567890', '1.10', '2.0', '1E5', '-0', '0.1', '7'];

  test.each(EXACT)('%s is sent with the same digits', (number) => {
    expect(bodies('title\nA\n', `{"seed":${number},"t":"{{title}}"}`)).toEqual([
      `{"seed":${number},"t":"A"}`,
    ]);
  });

  test.each(EXACT)('%s is shown as it was written', (number) => {
    const text = `{\n  "seed": ${number}\n}`;
    expect(templateText(parseTemplate(text))).toBe(text);
  });

  test.each(EXACT)('%s stays the same when our identifier is added', (number) => {
    expect(JSON.stringify(parseForWriting(`{"a":${number}}`))).toBe(`{"a":${number}}`);
  });

  test('of an example is the one of its profile', () => {
    const body = readJsonBody(
      '{"prompt":"A cat in a hat","model":{"version":1.10,"id":12345678901234567890}}',
    );
    const { request } = proposeTemplate(body);
    expect(templateText(request.body)).toContain('"version": 1.10');
    expect(templateText(request.body)).toContain('"id": 12345678901234567890');
  });
});

describe('a number of a JSON table', () => {
  const WRITTEN = ['19.90', '1.0', '1E5', '1e-7', '-0', '12345678901234567890', '0.1', '7', '7.5'];

  function rowsOf(content: string, name = 'a.json'): ReturnType<typeof readBatch> {
    return readBatch({ name, content }, storyboardProfile.request);
  }

  test.each(WRITTEN)('%s keeps its digits in a text', (number) => {
    const entry = `{"title":"A","message":${number},"points":[${number},"b"]}`;
    for (const content of [`[${entry}]`, entry, `${entry}\n${entry}\n`]) {
      const { rows, errors } = rowsOf(content);
      expect(errors).toEqual([]);
      expect(Object.fromEntries(rows[0]?.values ?? [])).toMatchObject({
        message: number,
        points: [number, 'b'],
      });
    }
  });

  test.each(['5.00', '5E0', '0.5e1', '5'])('%s is a number where one is needed', (number) => {
    const { rows, errors } = rowsOf(`[{"title":"A","seconds":${number}}]`);
    expect(errors).toEqual([]);
    expect(Object.fromEntries(rows[0]?.values ?? [])).toMatchObject({ seconds: 5 });
  });

  test.each([
    ['[{"title":"A","price":1.299},{"title":"B","price":"1,50"}]', '1.299', '1.50'],
    [
      '[{"title":"A","price":"1.299"},{"title":"B","price":19.9},{"title":"C","price":"7,5"}]',
      '1299',
      '19.9',
    ],
  ])('has no thousands, and shows none for texts: %s', (content, one, other) => {
    const { rows, errors } = readBatch({ name: 'a.json', content }, storyboardProfile.request, {
      template: { body: { n: '{{price:number}}' } },
    });
    expect(errors).toEqual([]);
    expect(rows.slice(0, 2).map(({ body }) => body)).toEqual([`{"n":${one}}`, `{"n":${other}}`]);
  });

  test('is no entry', () => {
    expect(rowsOf('[{"title":"A"},1.10]').errors).toMatchObject([
      { kind: 'entry-no-object', row: 2 },
    ]);
    expect(rowsOf('{"title":"A"}\n1.10\n').errors).toMatchObject([
      { kind: 'line-no-object', row: 2 },
    ]);
  });
});
