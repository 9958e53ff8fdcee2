import { expect, test } from 'vitest';
import { jsonSchema } from '../../../src/contract/json.ts';
import { MAX_JSON_DEPTH } from '../../../src/contract/json-text.ts';

const nested = (depth: number): unknown =>
  JSON.parse('['.repeat(depth) + '"{{title}}"' + ']'.repeat(depth));

test.each([null, true, 0, -1.5, 'text', [], {}, { a: [{ b: null }] }, nested(MAX_JSON_DEPTH)])(
  'is JSON: %j',
  (value) => {
    expect(jsonSchema.parse(value)).toEqual(value);
  },
);

// abuse.md 51
test.each([
  ['nested deeper than is read', nested(MAX_JSON_DEPTH + 1)],
  ['nested deeper than a stack', { a: nested(100_000) }],
  ['with a name that copying loses', JSON.parse('{"a":{"__proto__":1}}')],
  ['what JSON cannot write', { a: Number.NaN }],
  ['nothing', undefined],
  ['a date', new Date(0)],
  ['a function', () => 1],
])('is refused with a message: %s', (_, value) => {
  const { error } = jsonSchema.safeParse(value);
  expect(error?.issues[0]?.message).toBe('This must be JSON of at most 64 levels.');
});
