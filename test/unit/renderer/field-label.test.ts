import { expect, it } from 'vitest';
import { columnLabel, fieldLabel } from '../../../src/renderer/formatting/field-label.ts';

const CLOSING = { name: 'closing', label: { en: 'Closing title', de: 'Schlusstitel' } };
const OWN = { name: 'hue', label: { en: 'Hue' } };

it('labels a field in the page’s language, or else in English', () => {
  expect([fieldLabel(CLOSING, 'en'), fieldLabel(CLOSING, 'de')]).toEqual([
    'Closing title',
    'Schlusstitel',
  ]);
  expect(fieldLabel(OWN, 'de')).toBe('Hue');
});

it('uses the name of a field without a label', () => {
  expect(fieldLabel({ name: 'dish' }, 'de')).toBe('Dish');
});

it('names a column as the file does', () => {
  const fields = [
    { ...CLOSING, from: 'What we say' },
    { ...OWN, from: null },
  ];
  expect(['closing', 'hue', 'Notes'].map((name) => columnLabel(fields, name, 'de'))).toEqual([
    'What we say',
    'Hue',
    'Notes',
  ]);
});
