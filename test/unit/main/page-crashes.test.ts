import { expect, it } from 'vitest';
import { PageCrashes } from '../../../src/main/page-crashes.ts';

it('a crashed page is loaded again, but not endlessly', () => {
  let now = 0;
  const crashes = new PageCrashes(() => now);
  const inARow = (): boolean[] => Array.from({ length: 4 }, () => crashes.recordCrash());
  expect(inARow()).toEqual([true, true, true, false]);
  crashes.reset();
  expect(inARow()).toEqual([true, true, true, false]);

  now = 60_000;
  expect(crashes.recordCrash()).toBe(true);
  for (let minute = 2; minute < 20; minute += 1) {
    now = minute * 60_000;
    expect(crashes.recordCrash()).toBe(true);
  }
});
