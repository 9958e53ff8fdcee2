import { expect, it } from 'vitest';
import type { RowField } from '../../../src/contract/row-field.ts';
import { arrangeFields } from '../../../src/renderer/formatting/field-order.ts';

const field = (name: string, type: RowField['type'], required = false): RowField => ({
  name,
  type,
  required,
});

const FIELDS = [
  field('frames', 'number'),
  field('title', 'text', true),
  field('subtitle', 'text'),
  field('quote', 'text'),
  field('shape', 'choice'),
  field('motion', 'choice'),
  field('points', 'list'),
  field('accent', 'colour'),
];

const names = (fields: readonly RowField[]) => fields.map(({ name }) => name);

it('shows texts first, colours beside them, and folds empty fields of little importance', () => {
  const { shown, more } = arrangeFields(FIELDS, new Set());
  expect(names(shown)).toEqual(['title', 'subtitle', 'accent']);
  expect(names(more)).toEqual(['quote', 'points', 'frames', 'shape', 'motion']);
});

it('shows the first picture, which makes the most of a video', () => {
  const pictures: RowField[] = [
    { ...field('voice', 'picture'), holds: 'sound' },
    { ...field('picture', 'picture'), holds: 'picture' },
    { ...field('logo', 'picture'), holds: 'picture' },
  ];
  const { shown } = arrangeFields([...FIELDS, ...pictures], new Set());
  expect(names(shown)).toEqual(['title', 'subtitle', 'accent', 'picture']);
});

it('folds no field that has a value, or is required', () => {
  const { shown, more } = arrangeFields(
    [...FIELDS, field('last', 'number', true)],
    new Set(['quote', 'frames']),
  );
  expect(names(shown)).toEqual(['title', 'subtitle', 'quote', 'accent', 'frames', 'last']);
  expect(names(more)).toEqual(['points', 'shape', 'motion']);
});

it('folds nothing for the sake of a single field', () => {
  const few = [field('title', 'text', true), field('frames', 'number')];
  expect(arrangeFields(few, new Set())).toEqual({ shown: few, more: [] });
});
