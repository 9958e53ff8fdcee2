import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatDuration,
  formatEnd,
  formatEstimate,
  formatLength,
  formatSize,
  formatWhen,
  formatWhenShort,
} from '../../../src/cli/display/numbers.ts';

const HOUR = 3_600_000;
/** Local noon, so that "today" and "tomorrow" mean the same in every time zone. */
const noon = new Date(2026, 0, 5, 12).getTime();

describe('formatted numbers', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [999_400, '999 kB'],
    [999_600, '1.00 MB'],
    [2_140_000, '2.14 MB'],
    [41_200_000_000, '41.2 GB'],
  ])('%i bytes are %s', (bytes, words) => {
    expect(formatSize(bytes)).toBe(words);
  });

  it.each([
    [8, '0:08'],
    [59.6, '1:00'],
    [83, '1:23'],
    [3750, '1:02:30'],
  ])('%d seconds of video are %s', (seconds, words) => {
    expect(formatLength(seconds)).toBe(words);
  });

  it.each([
    [-5, '0 s'],
    [8_400, '8 s'],
    [12 * 60_000, '12 min'],
    [59.6 * 60_000, '1 h 00'],
    [2 * HOUR + 5 * 60_000, '2 h 05'],
    [72 * HOUR, '3 days'],
  ])('%d ms last %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });

  it.each([
    ['now', 'now', 'in a moment', noon - 10],
    ['in 12 min', 'in 12 min', 'in about 12 min', noon + 12 * 60_000],
    ['at 14:20', '14:20', 'about 14:20', noon + 2 * HOUR + 20 * 60_000],
    ['on Tue at 09:00', 'Tue 09:00', 'about Tue 09:00', noon + 21 * HOUR],
    ['on 1 Feb', '1 Feb', 'about 1 Feb', new Date(2026, 1, 1).getTime()],
    ['on 1 Feb 2027', '1 Feb 2027', 'about 1 Feb 2027', new Date(2027, 1, 1).getTime()],
  ])('formats a time as %s, %s and %s', (sentence, column, estimate, instant) => {
    expect(formatWhen(instant, noon)).toBe(sentence);
    expect(formatWhenShort(instant, noon)).toBe(column);
    expect(formatEstimate(instant, noon)).toBe(estimate);
  });

  it.each([
    [null, 'in about 30 min'],
    [[30, 31], 'in about 30 min'],
    [[0, 0], 'in about 30 min'],
    [[0.1, 0.6], 'in 6 to 36 s'],
    [[0.6, 2.2], 'in 1 to 2 min'],
    [[22, 41], 'in 22 to 41 min'],
    [[22, 95], 'between 12:22 and 13:35'],
    [[22, 780], 'between 12:22 and Tue 01:00'],
    [[22, 20_000], 'in about 30 min'],
  ] as const)('formats an end between %j minutes as %s', (minutes, words) => {
    const [from, to] = (minutes ?? []).map((each) => noon + each * 60_000);
    const between = from === undefined || to === undefined ? null : { from, to };
    expect(formatEnd(noon + 30 * 60_000, between, noon)).toBe(words);
  });

  it('uses the singular and the plural', () => {
    expect([formatCount(1, 'video'), formatCount(6, 'video')]).toEqual(['1 video', '6 videos']);
  });
});
