import { expect, test } from 'vitest';
import { forwardSignals } from '../../../src/cli/forward-signals.ts';

/** What a child is told when its parent is interrupted. */
function toldOn(platform: NodeJS.Platform): unknown[] {
  const told: unknown[] = [];
  const interruption = new AbortController();
  const kill = (signal?: unknown): boolean => told.push(signal) > 0;
  forwardSignals({ kill }, interruption.signal, platform);
  interruption.abort();
  return told;
}

test('a child is asked to end at its safe point', () => {
  expect(toldOn('linux')).toEqual(['SIGTERM']);
  expect(toldOn('darwin')).toEqual(['SIGTERM']);
});

test('on Windows, where that would end it at once, it receives the interruption itself', () => {
  expect(toldOn('win32')).toEqual([]);
});
