import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('removes a success automatically, and keeps other messages until dismissed', async () => {
  const toasts = new Toasts(notPressed, 5000);
  const texts = (): string[] => toasts.shown.map(({ text }) => text);
  toasts.good('saved');
  toasts.note('known', null);
  toasts.bad('failed', null);
  await vi.advanceTimersByTimeAsync(4999);
  expect(texts()).toEqual(['saved', 'known', 'failed']);
  await vi.advanceTimersByTimeAsync(1);
  expect(texts()).toEqual(['known', 'failed']);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(texts()).toEqual(['known', 'failed']);
  toasts.dismiss(toasts.shown[0]!.id);
  await vi.advanceTimersByTimeAsync(0);
  expect(texts()).toEqual(['failed']);
});
