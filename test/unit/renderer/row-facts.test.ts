import { expect, it } from 'vitest';
import type { RowField } from '../../../src/contract/row-field.ts';
import { rowFacts } from '../../../src/renderer/formatting/row-facts.ts';

const fields: RowField[] = [
  { name: 'title', type: 'text', required: true },
  { name: 'clip', type: 'picture', required: false },
  { name: 'clip sound', type: 'choice', required: false, default: 'off' },
  { name: 'fps', type: 'number', required: false, default: '30' },
];
const listed = (values: Record<string, string>) =>
  rowFacts({ fields, values }).map(({ field, value }) => `${field.name}: ${value}`);

it('a row has its values, and the defaults of the others', () => {
  expect(listed({ title: 'A', clip: 'a.mp4' })).toEqual([
    'title: A',
    'clip: a.mp4',
    'clip sound: off',
    'fps: 30',
  ]);
});

it('how a clip is shown is not listed without one, except as it was written', () => {
  expect(listed({ title: 'A' })).toEqual(['title: A', 'fps: 30']);
  expect(listed({ title: 'A', 'clip sound': 'on' })).toEqual([
    'title: A',
    'clip sound: on',
    'fps: 30',
  ]);
});
