import { expect, test } from 'vitest';
import { checkCells, type RowValues } from '../../../../src/engine/intake/row-values.ts';
import { estimateCost } from '../../../../src/engine/profiles/cost.ts';
import { profileSchema, type Profile } from '../../../../src/engine/profiles/profile.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

/** Rows of a file with these cells. */
function rowsOf(
  { request }: Profile,
  rows: readonly Readonly<Record<string, string>>[],
): RowValues[] {
  return rows.map((cells) => checkCells(request, Object.entries(cells)).values);
}

test('adds up a rule by a column, with the default of an empty cell', () => {
  const rows = [{ seconds: '5' }, { seconds: '8' }, { seconds: ' ' }, {}];
  expect(estimateCost(builtInProfile('runway'), rowsOf(builtInProfile('runway'), rows))).toEqual({
    unit: 'credit',
    currency: null,
    unknown: 0,
    amount: (5 + 8 + 5 + 5) * 12,
  });
});

test('uses the price of the model', () => {
  const rows = [{ model: 'gen4_turbo' }, { model: 'veo3.1_fast', seconds: '4' }, { seconds: '2' }];
  expect(
    estimateCost(builtInProfile('runway'), rowsOf(builtInProfile('runway'), rows))?.amount,
  ).toBe(5 * 5 + 4 * 15 + 2 * 12);
});

test('does not know what a template of Shotstack costs', () => {
  const rows = [{ template: 'abc' }, { text: 'A lake', seconds: '7' }];
  expect(
    estimateCost(builtInProfile('shotstack'), rowsOf(builtInProfile('shotstack'), rows)),
  ).toMatchObject({ amount: 7, unknown: 1 });
});

test('uses the price of the resolution', () => {
  const rows = [
    { seconds: '4', resolution: '480p' },
    { seconds: '4', resolution: '720p' },
  ];
  const estimate = estimateCost(builtInProfile('fal'), rowsOf(builtInProfile('fal'), rows));
  expect(estimate).toMatchObject({ unit: 'money', currency: 'USD', unknown: 0 });
  expect(estimate?.amount).toBeCloseTo(4 * 0.0721 + 4 * 0.1547);
});

test('counts videos of unknown cost', () => {
  const runway = builtInProfile('runway');
  const { default: _, ...seconds } = runway.request.columns.seconds!;
  const request = { ...runway.request, columns: { ...runway.request.columns, seconds } };
  expect(
    estimateCost({ ...runway, request }, rowsOf(runway, [{ seconds: '5' }, {}])),
  ).toMatchObject({
    amount: 60,
    unknown: 1,
  });
});

test('has no estimate where videos are counted, and no amount where the profile has no cost', () => {
  expect(estimateCost(storyboardProfile, rowsOf(storyboardProfile, [{}]))).toBeNull();
  expect(
    estimateCost(builtInProfile('heygen'), rowsOf(builtInProfile('heygen'), [{}])),
  ).toMatchObject({ amount: null, unknown: 1 });
});

/** A service whose price depends on the model and its size. */
const TWO_COLUMNS = profileSchema.parse({
  ...builtInProfile('fal'),
  api: {
    ...builtInProfile('fal').api,
    cost: {
      unit: 'money',
      currency: 'USD',
      rule: {
        perColumn: {
          column: 'seconds',
          each: 0.1,
          cases: [
            {
              when: [
                { column: 'model', is: ['pro'] },
                { column: 'size', is: ['1792x1024', '1024x1792'] },
              ],
              each: 0.5,
            },
            { when: [{ column: 'model', is: ['pro'] }], each: 0.3 },
            { when: [{ column: 'image', isEmpty: false }], each: null },
          ],
        },
      },
    },
  },
  request: {
    title: 'seconds',
    columns: {
      seconds: { type: 'number' },
      model: { type: 'choice', options: ['basic', 'pro'], default: 'basic' },
      size: { type: 'choice', options: ['1280x720', '1792x1024', '1024x1792'] },
      image: { type: 'text' },
    },
    body: { seconds: '{{seconds}}' },
    preset: [],
  },
});

test.each([
  [{ seconds: '4' }, 0.4],
  [{ seconds: '4', size: '1792x1024' }, 0.4],
  [{ seconds: '4', model: 'PRO', size: '1280x720' }, 1.2],
  [{ seconds: '4', model: 'pro', size: '1024x1792' }, 2],
  [{ seconds: '4', model: 'basic', image: 'https://a.example/1.png' }, null],
] as const)('a price by two columns: %o costs %s', (row, amount) => {
  const estimate = estimateCost(TWO_COLUMNS, rowsOf(TWO_COLUMNS, [row]));
  if (amount === null) expect(estimate).toMatchObject({ amount: 0, unknown: 1 });
  else {
    expect(estimate?.unknown).toBe(0);
    expect(estimate?.amount).toBeCloseTo(amount);
  }
});
