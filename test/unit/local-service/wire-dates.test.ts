import { expect, test } from 'vitest';
import { WireDates } from '../../../src/local-service/api/wire-dates.ts';

test('times are written as Date writes them, repeatedly and in any order', () => {
  const dates = new WireDates();
  const start = Date.UTC(2028, 1, 28, 23, 59, 59, 998);
  for (const step of [0, 1, 2, 3, 2, 1, 0, 86_400_000, 1]) {
    const ms = start + step;
    expect(dates.iso(ms)).toBe(new Date(ms).toISOString());
    expect(dates.http(ms)).toBe(new Date(ms).toUTCString());
  }
});

test('more times than the cache holds are written correctly', () => {
  const dates = new WireDates();
  for (let ms = 0; ms < 3000; ms += 1) expect(dates.iso(ms)).toBe(new Date(ms).toISOString());
});
