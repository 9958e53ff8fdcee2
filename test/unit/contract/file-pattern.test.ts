import { expect, test } from 'vitest';
import { filePattern } from '../../../src/contract/file-pattern.ts';

test.each([
  ['launch-week-12.csv', 'launch-week-*.csv'],
  ['Launch-Week-2026-03-17.CSV', 'launch-week-*.csv'],
  ['KW12 Videos.xlsx', 'kw* videos.xlsx'],
  ['products.csv', 'products.csv'],
  ['7.csv', '*.csv'],
  ['notes.mp4 list', 'notes.mp* list'],
  ['', ''],
])('%s is like every %s', (name, pattern) => {
  expect(filePattern(name)).toBe(pattern);
});
