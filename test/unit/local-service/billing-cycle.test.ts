import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingCycleAt } from '../../../src/local-service/accounts/billing-cycle.ts';

function cycle(anchor: string, now: string): string[] {
  const { startsAt, endsAt } = billingCycleAt(anchor, Date.parse(now));
  return [startsAt, endsAt].map((ms) => new Date(ms).toISOString().slice(0, 10));
}

test.each([
  ['2025-01-17', '2026-03-16T23:59:59.999Z', ['2026-02-17', '2026-03-17']],
  ['2025-01-17', '2026-03-17T00:00:00.000Z', ['2026-03-17', '2026-04-17']],
  ['2025-12-31', '2026-02-15T00:00:00.000Z', ['2026-01-31', '2026-02-28']],
  ['2025-12-31', '2026-02-28T00:00:00.000Z', ['2026-02-28', '2026-03-31']],
  ['2025-12-31', '2028-02-29T00:00:00.000Z', ['2028-02-29', '2028-03-31']],
  ['2024-02-29', '2026-02-28T10:00:00.000Z', ['2026-02-28', '2026-03-29']],
  ['2025-08-31', '2026-04-30T00:00:00.000Z', ['2026-04-30', '2026-05-31']],
  ['2025-05-05', '2026-01-01T00:00:00.000Z', ['2025-12-05', '2026-01-05']],
  ['2030-05-05', '2026-01-06T00:00:00.000Z', ['2026-01-05', '2026-02-05']],
])('anchored on %s, %s is in %j', (anchor, now, expected) => {
  expect(cycle(anchor, now)).toEqual(expected);
});

test('property: cycles follow one another without gap, a month each, from the anchor’s day on', () => {
  const day = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString());
  fc.assert(
    fc.property(day, day, (anchor, now) => {
      const at = Date.parse(now);
      const { startsAt, endsAt } = billingCycleAt(anchor.slice(0, 10), at);
      expect(startsAt <= at && at < endsAt).toBe(true);
      expect(billingCycleAt(anchor.slice(0, 10), endsAt).startsAt).toBe(endsAt);
      expect(billingCycleAt(anchor.slice(0, 10), startsAt - 1).endsAt).toBe(startsAt);
      const days = (endsAt - startsAt) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(28);
      expect(days).toBeLessThanOrEqual(31);
    }),
  );
});
