import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import {
  collectLimits,
  parseBillingDate,
  parseEmail,
  parseLimit,
  parsePlan,
  parsePort,
  parseRetention,
  parseVideos,
} from '../../../src/local-service/command-line-values.ts';

test('values are read as users type them', () => {
  expect(parseLimit('generate=10/3600s')).toEqual({
    name: 'generate',
    limit: { requests: 10, windowSeconds: 3600 },
  });
  expect(collectLimits('status=5/60s', [parseLimit('download=1/1s')])).toHaveLength(2);
  expect(parsePlan('Starter')).toBe('starter');
  expect(parseBillingDate('2028-02-29')).toBe('2028-02-29');
  expect(parsePort('0')).toBe(0);
  expect(parseVideos('0')).toBe(0);
  expect(parseRetention('1')).toBe(86_400_000);
});

test.each([
  ['a limit of 0', () => parseLimit('generate=0/3600s')],
  ['a limit without a unit', () => parseLimit('generate=10/3600')],
  ['a limit on an unknown endpoint', () => parseLimit('render=10/3600s')],
  ['a limit on a property of every object', () => parseLimit('constructor=10/3600s')],
  ['an unknown plan', () => parsePlan('gold')],
  ['a day that does not exist', () => parseBillingDate('2026-02-30')],
  ['a port out of range', () => parsePort('65536')],
  ['a port that is a word', () => parsePort('https')],
  ['a retention of 0 days', () => parseRetention('0')],
  ['a retention of half a day', () => parseRetention('0.5')],
  ['a negative retention', () => parseRetention('-3')],
  ['a retention with a unit', () => parseRetention('30d')],
  ['a retention beyond all dates', () => parseRetention('36501')],
  ['half a video', () => parseVideos('1.5')],
  ['an address without @', () => parseEmail('someone')],
])('%s is refused in one sentence', (_, parse) => {
  expect(parse).toThrow(InvalidArgumentError);
  expect(parse).toThrow(/^[A-Z][^\n]*\.$/);
});
