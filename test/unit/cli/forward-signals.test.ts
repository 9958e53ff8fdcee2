import { expect, test } from 'vitest';
import { forwardSignals } from '../../../src/cli/forward-signals.ts';

/** The signals that a child gets when its parent is interrupted. */
function signalsOn(platform: NodeJS.Platform): unknown[] {
  const signals: unknown[] = [];
  const interruption = new AbortController();
  const kill = (signal?: unknown): boolean => signals.push(signal) > 0;
  forwardSignals({ kill }, interruption.signal, platform);
  interruption.abort();
  return signals;
}

test('a child gets SIGTERM, to end at a safe point', () => {
  expect(signalsOn('linux')).toEqual(['SIGTERM']);
  expect(signalsOn('darwin')).toEqual(['SIGTERM']);
});

test('on Windows, where that would end it at once, it receives the interruption itself', () => {
  expect(signalsOn('win32')).toEqual([]);
});
