import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchPointer } from '../../../src/renderer/connection/pointer-press.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A window, and whether its pointer counts as released. */
function pressing() {
  const page = new EventTarget();
  const released = watchPointer(page as Window);
  const isReleased = async (): Promise<boolean> => {
    let done = false;
    void released().then(() => (done = true));
    await vi.advanceTimersByTimeAsync(0);
    return done;
  };
  return { send: (type: string) => page.dispatchEvent(new Event(type)), isReleased };
}

it.each(['pointerup', 'pointercancel', 'blur'])('a press ends with %s', async (end) => {
  const { send, isReleased } = pressing();
  expect(await isReleased()).toBe(true);
  send('pointerdown');
  expect(await isReleased()).toBe(false);
  send(end);
  expect(await isReleased()).toBe(true);
});

it('updates that wait for a press are released together', async () => {
  const page = new EventTarget();
  const released = watchPointer(page as Window);
  page.dispatchEvent(new Event('pointerdown'));
  let count = 0;
  for (let update = 0; update < 3; update += 1) void released().then(() => (count += 1));
  page.dispatchEvent(new Event('pointerdown'));
  page.dispatchEvent(new Event('pointerup'));
  await vi.advanceTimersByTimeAsync(0);
  expect(count).toBe(3);
});
