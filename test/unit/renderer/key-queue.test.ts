import { describe, expect, it } from 'vitest';
import { KeyQueue } from '../../../src/renderer/state/key-queue.ts';

/** A pressed key, with the properties that the queue reads. */
function pressed(key: string): KeyboardEvent {
  return { key, isTrusted: true } as KeyboardEvent;
}

/** A page that the test settles, and that records the keys replayed on it. */
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
    /** Settles the page, and runs what waited for it. */
    settle: async (): Promise<void> => {
      const before = settle;
      settle = Promise.withResolvers();
      before.resolve(undefined);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the key queue', () => {
  it('passes keys through while nothing is pending', () => {
    const { keys } = slowPage();
    expect(keys.holdBack(pressed('h'))).toBe(false);
    expect(keys.holdBack(pressed('Escape'))).toBe(false);
  });

  it('abandons the pending work, and the keys typed since, on Escape', async () => {
    const { keys, replayed, settle } = slowPage();
    const answer = keys.holdUntil(new Promise<string>(() => undefined));
    keys.holdBack(pressed('h'));
    expect(keys.holdBack(pressed('Escape'))).toBe(true);
    await expect(answer).resolves.toBe(null);
    await settle();
    expect(replayed).toEqual([]);
  });

  it('drops the keys that were typed for something that could not be loaded', async () => {
    const { keys, replayed, settle } = slowPage();
    const { promise: answer, resolve } = Promise.withResolvers<string | null>();
    const waiting = keys.holdUntil(answer);
    keys.holdBack(pressed('h'));
    keys.holdBack(pressed('Delete'));
    resolve(null);
    await expect(waiting).resolves.toBeNull();
    for (let turn = 0; turn < 3; turn += 1) await settle();
    expect(replayed).toEqual([]);
  });

  it('replays an Escape that is pressed after the answer came and before the page settled', async () => {
    const { keys, replayed, settle } = slowPage();
    await keys.holdUntil(Promise.resolve('ids'));
    expect(keys.holdBack(pressed('Escape'))).toBe(true);
    await settle();
    expect(replayed).toEqual(['Escape']);
  });

  it('replays an Escape in order with other keys', async () => {
    const { keys, replayed, settle } = slowPage();
    const { promise: answer, resolve } = Promise.withResolvers<string>();
    const waiting = keys.holdUntil(answer);
    keys.holdBack(pressed('ArrowDown'));
    resolve('ids');
    await waiting;
    keys.holdBack(pressed('Escape'));
    keys.holdBack(pressed('h'));
    for (let turn = 0; turn < 4; turn += 1) await settle();
    expect(replayed).toEqual(['ArrowDown', 'Escape', 'h']);
  });
});
