import { describe, expect, it } from 'vitest';
import {
  capitals,
  isCounted,
  splitValue,
  typeset,
  withoutBullets,
} from '../../../../src/local-service/rendering/typography.ts';

describe('typography', () => {
  it.each([
    ['12,50 € im Mai', '12,50\u00a0€ im Mai'],
    ['7 % mehr', '7\u00a0% mehr'],
    ['€ 12.50', '€\u00a012.50'],
    ['um 18 Uhr', 'um 18\u00a0Uhr'],
    ['Dr. Weber kommt', 'Dr.\u00a0Weber kommt'],
  ])('keeps together what belongs together: %s', (text, expected) => {
    expect(typeset(text)).toBe(expected);
  });

  it.each([
    ['1/2 % Rabatt', '½\u00a0% Rabatt'],
    ['3/4 l Milch', '¾\u00a0l Milch'],
  ])('draws fractions of a unit as one sign: %s', (text, expected) => {
    expect(typeset(text)).toBe(expected);
  });

  it.each(['Part 1/2', 'Am 3/4 um acht', '24/7', 'The 4 lions', '3 großen'])(
    'leaves other text alone: %s',
    (text) => {
      expect(typeset(text)).toBe(text);
    },
  );

  it.each([
    ['Altbau, 86 m², 3 Zimmer', 'ALTBAU, 86 m², 3 ZIMMER'],
    ['12 km/h bergauf', '12 km/h BERGAUF'],
    ['3 mugs', '3 MUGS'],
  ])('leaves units small among capitals: %s', (text, expected) => {
    expect(capitals(typeset(text)).replaceAll('\u00a0', ' ')).toBe(expected);
  });

  it.each([
    ['Grundstück 620 m²', 'Grundstück', '620 m²'],
    ['Built: 2021', 'Built', '2021'],
    ['86 m²', '86 m²', undefined],
    ['Room 12', 'Room 12', undefined],
    ['Energie A+', 'Energie', 'A+'],
  ])('finds the quantity at the end of %s', (text, name, value) => {
    expect(splitValue(text)).toEqual({ name, value });
  });

  it.each([
    [
      ['• Flour', '•  Milk'],
      ['Flour', 'Milk'],
    ],
    [
      ['- Flour', '– Milk'],
      ['Flour', 'Milk'],
    ],
    [
      ['* Flour', '‣ 3 eggs'],
      ['Flour', '3 eggs'],
    ],
  ])('leaves out the bullets of a list: %j', (items, expected) => {
    expect(withoutBullets(items)).toEqual(expected);
  });

  it.each([
    [['• Flour', 'Milk']],
    [['- alone']],
    [['-5 °C', '-8 °C']],
    [['- 20 % on shoes', '- 30 % on coats']],
    [['✓ Breakfast', '✓ Sauna']],
    [['*', '*']],
  ])('keeps signs that are part of the text: %j', (items) => {
    expect(withoutBullets(items)).toEqual(items);
  });

  it.each([
    [['1. Mix', '2. Bake'], true],
    [['1) Mix', '2) Bake'], true],
    [['1. Mai', '2. Mai'], true],
    [['2. Mai', '3. Juni'], false],
    [['1. Mix', 'Bake'], false],
    [['1.5 l milk', '2.5 l water'], false],
  ])('finds lists that count their items: %j', (items, expected) => {
    expect(isCounted(items)).toBe(expected);
  });
});
