import { describe, expect, it } from 'vitest';
import { sizesIn } from '../../../src/contract/sizes.ts';
import { formatShare } from '../../../src/renderer/formatting/format-share.ts';

describe('sizes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [9994, '9.99 kB'],
    [9995, '10.0 kB'],
    [99_950, '100 kB'],
    [999_499, '999 kB'],
    [999_500, '1.00 MB'],
    [41_200_000, '41.2 MB'],
    [3_050_000_000, '3.05 GB'],
    [2e15, '2,000 TB'],
  ])('%i bytes read "%s"', (bytes, words) => {
    expect(sizesIn('en-GB').bytes(bytes)).toBe(words);
  });

  it('use the language’s decimal sign', () => {
    const sizes = sizesIn('de-DE');
    expect(sizes.bytes(41_200_000)).toBe('41,2 MB');
    expect(sizes.count(99_989)).toBe('99.989');
    expect(sizesIn('en-GB').speed(41_000_000.4)).toBe('41.0 MB/s');
  });
});

it('says 100 % only of what is finished', () => {
  expect(formatShare(0.9999)).toBe('99 %');
  expect(formatShare(1)).toBe('100 %');
});

it('says the percentage that a service has reported', () => {
  for (let percent = 0; percent <= 100; percent += 1) {
    expect(formatShare(percent / 100)).toBe(`${percent} %`);
  }
});
