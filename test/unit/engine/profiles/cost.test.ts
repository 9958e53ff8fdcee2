import { expect, test } from 'vitest';
import { estimateCost } from '../../../../src/engine/profiles/cost.ts';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

test('adds up a rule by a column, with the default of an empty cell', () => {
  const rows = [{ seconds: '5' }, { seconds: '8' }, { seconds: ' ' }, {}];
  expect(estimateCost(builtInProfile('runway'), rows)).toEqual({
    unit: 'credit',
    currency: null,
    unknown: 0,
    amount: (5 + 8 + 5 + 5) * 12,
  });
});

test('uses the price of the resolution', () => {
  const rows = [
    { seconds: '4', resolution: '480p' },
    { seconds: '4', resolution: '720p' },
  ];
  const estimate = estimateCost(builtInProfile('fal'), rows);
  expect(estimate).toMatchObject({ unit: 'money', currency: 'USD', unknown: 0 });
  expect(estimate?.amount).toBeCloseTo(4 * 0.0721 + 4 * 0.1547);
});

test('counts videos of unknown cost', () => {
  const runway = builtInProfile('runway');
  const { default: _, ...seconds } = runway.request.columns.seconds!;
  const request = { ...runway.request, columns: { ...runway.request.columns, seconds } };
  expect(estimateCost({ ...runway, request }, [{ seconds: '5' }, {}])).toMatchObject({
    amount: 60,
    unknown: 1,
  });
});

test('has no estimate where videos are counted, and no amount where the profile has no cost', () => {
  expect(estimateCost(storyboardProfile, [{}])).toBeNull();
  expect(estimateCost(builtInProfile('heygen'), [{}])).toMatchObject({ amount: null, unknown: 1 });
});
