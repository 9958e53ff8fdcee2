import { describe, expect, it } from 'vitest';
import { Times } from '../../../src/renderer/formatting/times.ts';
import { de } from '../../../src/renderer/texts/de.ts';
import { en } from '../../../src/renderer/texts/en.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Saturday 21 November 2026, 12:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 21, 11);

const times = new Times(en.times, 'Europe/Berlin');

describe('a moment', () => {
  it.each([
    [0, 'in a moment'],
    [59_000, 'in a moment'],
    [12 * MINUTE, 'in 12 min'],
    [11 * MINUTE + 1, 'in 12 min'],
    [59 * MINUTE, 'in 59 min'],
    [59 * MINUTE + 1, '12:59'],
    [HOUR, '13:00'],
    [12 * HOUR - 1, '23:59'],
    [12 * HOUR, 'Sun 00:00'],
    [3 * 24 * HOUR, 'Tue 12:00'],
    [6 * 24 * HOUR + 11 * HOUR, 'Fri 23:00'],
    [7 * 24 * HOUR, '28 Nov'],
    [10 * 24 * HOUR, '1 Dec'],
    [60 * 24 * HOUR, '20 Jan 2027'],
    [-1, 'just now'],
    [-MINUTE, '1 min ago'],
    [-25 * MINUTE, '25 min ago'],
    [-2 * HOUR, '10:00'],
    [-13 * HOUR, 'Fri 23:00'],
  ])('%i ms from noon reads "%s"', (away, words) => {
    expect(times.moment(NOW + away, NOW)).toBe(words);
  });

  it('counts days at local midnights when the clocks change', () => {
    // Summer time ends at 03:00 on 25 October 2026 in Berlin, so that day has 25 hours.
    const lateOnSaturday = Date.UTC(2026, 9, 24, 21, 30);
    const lateOnSunday = Date.UTC(2026, 9, 25, 22, 30);
    expect(times.moment(lateOnSunday, lateOnSaturday)).toBe('Sun 23:30');
    expect(times.moment(lateOnSunday, Date.UTC(2026, 9, 24, 22, 30))).toBe('23:30');
  });

  it('stays relative across midnight', () => {
    const beforeMidnight = Date.UTC(2026, 10, 21, 22, 50);
    expect(times.moment(beforeMidnight + 20 * MINUTE, beforeMidnight)).toBe('in 20 min');
  });

  it('reads as an estimate where it is one', () => {
    expect(times.estimate(NOW + 12 * MINUTE, NOW)).toBe('in about 12 min');
    expect(times.estimate(NOW + 2 * HOUR, NOW)).toBe('about 14:00');
    expect(times.estimate(NOW - MINUTE, NOW)).toBe('in a moment');
    expect(times.estimate(NOW + 14_000, NOW)).toBe('in a moment');
    expect(times.estimate(NOW + 15_000, NOW)).toBe('in about 1 min');
  });

  it.each([
    [12 * MINUTE, 'in 12 min', 'in 12 Min.', 'in about 12 min', 'in etwa 12 Min.'],
    [2 * HOUR, 'at 14:00', 'um 14:00', 'at about 14:00', 'gegen 14:00'],
    [
      ...([3 * 24 * HOUR, 'on Tue at 12:00', 'am Di um 12:00'] as const),
      ...(['on Tue at about 12:00', 'am Di gegen 12:00'] as const),
    ],
    [10 * 24 * HOUR, 'on 1 Dec', 'am 1. Dez', 'about 1 Dec', 'etwa am 1. Dez'],
  ])('%i ms from noon is part of a sentence in both languages', (away, en1, de1, en2, de2) => {
    const german = new Times(de.times, 'Europe/Berlin');
    const at = NOW + away;
    expect([times.momentInSentence(at, NOW), german.momentInSentence(at, NOW)]).toEqual([en1, de1]);
    expect([times.estimateInSentence(at, NOW), german.estimateInSentence(at, NOW)]).toEqual([
      en2,
      de2,
    ]);
  });

  it.each([
    [null, 'at about 15:20', 'gegen 15:20'],
    [[200, 201], 'at about 15:20', 'gegen 15:20'],
    [[196, 205], 'between 15:16 and 15:25', 'zwischen 15:16 und 15:25 Uhr'],
    // Wide ranges have times of whole five minutes.
    [[163, 247], 'between 14:45 and 16:05', 'zwischen 14:45 und 16:05 Uhr'],
    [[130, 780], 'between 14:10 and Sun 01:00', 'zwischen 14:10 und So 01:00 Uhr'],
    [[100, 20_000], 'at about 15:20', 'gegen 15:20'],
  ] as const)(
    'says between which times an end is, from %j minutes from noon',
    (minutes, en1, de1) => {
      const german = new Times(de.times, 'Europe/Berlin');
      const at = NOW + 200 * MINUTE;
      const between = minutes && {
        from: NOW + minutes[0] * MINUTE,
        to: NOW + minutes[1] * MINUTE,
      };
      expect([times, german].map((each) => each.endInSentence(at, between, NOW))).toEqual([
        en1,
        de1,
      ]);
    },
  );

  it.each([
    // The first videos on a computer, whose speed is not known yet.
    [[3, 10], 'in a moment', 'in Kürze'],
    [[3, 50], 'in about 1 min', 'in etwa 1 Min.'],
    [[20, 130], 'in 1 to 3 min', 'in 1 bis 3 Min.'],
    [[10, 25], 'in about 1 min', 'in etwa 1 Min.'],
    // As exact as it is known once some are rendered.
    [[55, 65], 'in a moment', 'in Kürze'],
  ] as const)('says a near end as a range, from %j seconds on', ([from, to], en1, de1) => {
    const german = new Times(de.times, 'Europe/Berlin');
    const between = { from: NOW + from * 1000, to: NOW + to * 1000 };
    const ends = [times, german].map((each) => each.endInSentence(NOW + 9000, between, NOW));
    expect(ends).toEqual([en1, de1]);
  });

  it('is written in German with short months and weekdays without full stops', () => {
    const german = new Times(de.times, 'Europe/Berlin');
    expect(german.moment(NOW + 3 * 24 * HOUR, NOW)).toBe('Di 12:00');
    expect(german.moment(NOW + 10 * 24 * HOUR, NOW)).toBe('1. Dez');
    expect(german.moment(NOW + 12 * MINUTE, NOW)).toBe('in 12 Min.');
  });
});

it('a German sentence that ends with a moment has one full stop', () => {
  const german = new Times(de.times, 'Europe/Berlin');
  const when = german.estimateInSentence(NOW + 12 * MINUTE, NOW);
  expect(de.limits.chart.runsOut(when, null, '1. Dez')).toMatch(/in etwa 12 Min\.$/);
  expect(de.limits.chart.runsOut(when, '3', '1. Dez')).toMatch(/bis zum 1\. Dez\.$/);
  expect(de.waits.searching.sentence(when)).toMatch(/in etwa 12 Min\.$/);
  expect(de.waits.searching.sentence(null)).toMatch(/möglich\.$/);
});

describe('the time left', () => {
  it.each([
    [-5, '0 s'],
    [40_000, '40 s'],
    [90_000, '90 s'],
    [91_000, '2 min'],
    [21 * MINUTE, '21 min'],
    [HOUR, '60 min'],
    [HOUR + 1, '13:00'],
  ])('of %i ms reads "%s"', (away, words) => {
    expect(times.left(NOW + away, NOW)).toBe(words);
  });
});

describe('a span', () => {
  it.each([
    [6.2, '0:06'],
    [59.6, '1:00'],
    [260, '4:20'],
    [3729, '1:02:09'],
  ])('of %d s reads "%s"', (seconds, words) => {
    expect(times.span(seconds)).toBe(words);
  });
});
