import { expect, it } from 'vitest';
import {
  chooseField,
  columnMatches,
  isNamedIn,
  likelyField,
  missingFields,
} from '../../../src/renderer/views/add/column-matches.ts';
import type { BatchPlan } from '../../../src/contract/batch.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { fakePlan } from '../../rigs/fake-plan.ts';

const CSV = 'Film,Headline,Length\nA,One,5\nB,Two,5\n,Three,5\n';
const plan = (columns: Record<string, string | null> = {}) =>
  fakePlan(
    { source: { name: 'a.csv', content: CSV }, options: { columns } },
    0,
    { quotaLeft: 10, quotaResetAt: 0, everyMs: 1000 },
    () => undefined,
  );

it('lists each column with its distinct values and its fields', () => {
  expect(columnMatches(plan())).toEqual([
    { column: 'Film', examples: ['A', 'B'], fields: [] },
    { column: 'Headline', examples: ['One', 'Two', 'Three'], fields: ['title'] },
    { column: 'Length', examples: ['5'], fields: ['seconds'] },
  ]);
});

it('assigns a field to another column, and frees its previous column', () => {
  const chosen = chooseField(plan(), {}, 'Film', { before: null, after: 'title' });
  expect(chosen).toEqual({ title: 'Film' });
  expect(columnMatches(plan(chosen)).map(({ fields }) => fields)).toEqual([
    ['title'],
    [],
    ['seconds'],
  ]);
});

it('assigns a column to another field, or to none', () => {
  const moved = chooseField(plan(), {}, 'Headline', {
    before: 'title',
    after: 'subtitle',
  });
  expect(moved).toEqual({ title: null, subtitle: 'Headline' });
  expect(missingFields(plan(moved)).map(({ name }) => name)).toEqual(['title']);
  const none = chooseField(plan(moved), moved, 'Headline', {
    before: 'subtitle',
    after: null,
  });
  expect(columnMatches(plan(none))[1]?.fields).toEqual([]);
});

it('assigns a second field to a column, and removes either', () => {
  const both = chooseField(plan(), {}, 'Headline', { before: null, after: 'subtitle' });
  expect(columnMatches(plan(both))[1]?.fields).toEqual(['title', 'subtitle']);
  const one = chooseField(plan(both), both, 'Headline', { before: 'title', after: null });
  expect(columnMatches(plan(one))[1]?.fields).toEqual(['subtitle']);
});

it('knows the field that a column is probably meant for', () => {
  const misspelt: BatchPlan = {
    ...plan(),
    issues: [
      {
        code: 'column-missing',
        kind: 'column-misspelt',
        severity: 'warning',
        ...userMessage('column-misspelt', { name: 'mesage', likely: 'message' }),
        column: 'message',
        cell: 'mesage',
      },
    ],
  };
  expect(likelyField(misspelt, 'mesage')).toBe('message');
  expect(likelyField(misspelt, 'Film')).toBeUndefined();
});

it('knows whether a request names a column', () => {
  expect(isNamedIn('{"a": "x {{ What we say }}"}', 'what we say')).toBe(true);
  expect(isNamedIn('{"a": "{{title}}"}', 'tit')).toBe(false);
});
