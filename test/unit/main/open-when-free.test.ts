import { describe, expect, it } from 'vitest';
import { InUseError } from '../../../src/engine/engine-error.ts';
import { openWhenFree } from '../../../src/main/open-when-free.ts';

/** A queue that another process works for so many looks at it. */
function queueBusyFor(looks: number) {
  const seen = { looks: 0, closed: 0 };
  const queue = {
    close() {
      seen.closed += 1;
      return Promise.resolve();
    },
  };
  function open(): Promise<typeof queue> {
    seen.looks += 1;
    return seen.looks > looks ? Promise.resolve(queue) : Promise.reject(new InUseError(7));
  }
  return { seen, queue, open };
}

const pause = () => new Promise((resolve) => setImmediate(resolve));

describe('a window whose queue another process works', () => {
  it('says so once, and opens when that process has ended', async () => {
    const { seen, queue, open } = queueBusyFor(3);
    const told: AbortSignal[] = [];
    const opened = await openWhenFree(open, {
      tellBusy: (signal) => {
        told.push(signal);
        return new Promise(() => undefined);
      },
      pause,
    });
    expect(opened).toBe(queue);
    expect(seen).toEqual({ looks: 4, closed: 0 });
    expect(told.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('says nothing where the queue is free', async () => {
    const { queue, open } = queueBusyFor(0);
    const tellBusy = () => Promise.reject(new Error('There was nothing to say.'));
    expect(await openWhenFree(open, { tellBusy, pause })).toBe(queue);
  });

  it('does not wait for longer than whoever sits before it', async () => {
    const { open } = queueBusyFor(Infinity);
    expect(await openWhenFree(open, { tellBusy: () => Promise.resolve(), pause })).toBeNull();
  });

  it('passes on what else is wrong', async () => {
    const open = () => Promise.reject(new Error('No room.'));
    const tellBusy = () => Promise.resolve();
    await expect(openWhenFree(open, { tellBusy, pause })).rejects.toThrow('No room.');
  });
});
