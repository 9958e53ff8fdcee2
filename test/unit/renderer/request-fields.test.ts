import { expect, it } from 'vitest';
import { fieldsOf, requestOf } from '../../../src/renderer/state/request-fields.ts';

const REQUEST = { title: 'Ana', fps: 30, music: false, theme: { accent: '#e08a2c' }, tags: ['a'] };

it('an unedited request stays as it was', () => {
  expect(requestOf(fieldsOf(REQUEST))).toEqual({ request: REQUEST, faulty: [] });
});

it('names the faulty fields', () => {
  const fields = fieldsOf(REQUEST);
  for (const field of fields) {
    if (field.kind === 'number') field.text = ' ';
    if (field.kind === 'json' && field.name === 'theme') field.text = '{accent}';
  }
  expect(requestOf(fields).faulty).toEqual(['fps', 'theme']);
});

it('has no fields for a value that is not an object', () => {
  expect(fieldsOf([1, 2])).toEqual([]);
  expect(fieldsOf('text')).toEqual([]);
});
