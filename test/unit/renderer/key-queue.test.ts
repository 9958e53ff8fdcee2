import { describe, expect, it } from 'vitest';
import { KeyQueue } from '../../../src/renderer/state/key-queue.ts';

/** A pressed key, as a queue sees it. */
function pressed(key: string): KeyboardEvent {
  return { key, isTrusted: true } as KeyboardEvent;
}

/** A page that settles when the test says so, and records the keys that are replayed on it. */
function slowPage() {
  const replayed: string[] = [];
  let settle = Promise.withResolvers<undefined>();
  const keys = new KeyQueue({
    canWait: () => true,
    isDialogOpen: () => false,
    replay: ({ key }) => {
      replayed.push(key);
    },
    settled: () => settle.promise,
  });
  return {
    keys,
    replayed,
    /** Lets everything that waits for the page go on. */
    settle: async (): Promise<void> => {
      const before = settle;
      settle = Promise.withResolvers();
      before.resolve(undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the key queue', () => {
  it('lets keys pass while nothing is waited for', () => {
    const { keys } = slowPage();
    expect(keys.take(pressed('h'))).toBe(false);
    expect(keys.take(pressed('Escape'))).toBe(false);
  });

  it('gives up what is waited for with Escape, and the keys typed since', async () => {
    const { keys, replayed, settle } = slowPage();
    const answer = keys.until(new Promise<string>(() => undefined));
    keys.take(pressed('h'));
    expect(keys.take(pressed('Escape'))).toBe(true);
    await expect(answer).resolves.toBe(null);
    await settle();
    expect(replayed).toEqual([]);
  });

  it('replays an Escape that is pressed after the answer came and before the page settled', async () => {
    const { keys, replayed, settle } = slowPage();
    await keys.until(Promise.resolve('ids'));
    expect(keys.take(pressed('Escape'))).toBe(true);
    await settle();
    expect(replayed).toEqual(['Escape']);
  });

  it('replays an Escape in its place among other keys', async () => {
    const { keys, replayed, settle } = slowPage();
    const { promise: answer, resolve } = Promise.withResolvers<string>();
    const waiting = keys.until(answer);
    keys.take(pressed('ArrowDown'));
    resolve('ids');
    await waiting;
    keys.take(pressed('Escape'));
    keys.take(pressed('h'));
    for (let turn = 0; turn < 4; turn += 1) await settle();
    expect(replayed).toEqual(['ArrowDown', 'Escape', 'h']);
  });
});
