import { InUseError } from '../engine/engine-error.ts';

/** Between two looks whether the queue is free. */
const LOOK_AGAIN_MS = 500;

interface Surroundings {
  /** Says that another process works the queue, until `signal` is aborted or its reader has enough. */
  readonly tellBusy: (signal: AbortSignal) => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/**
 * Opens a queue, as soon as the process that works it has ended. `null` when whoever sits before it
 * does not want to wait.
 */
export async function openWhenFree<Q extends { close(): Promise<void> }>(
  open: () => Promise<Q>,
  { tellBusy, pause }: Surroundings,
): Promise<Q | null> {
  const over = new AbortController();
  const wait = { hasBegun: false, isGivenUp: false };
  try {
    for (;;) {
      const opened = await openIfFree(open);
      if (opened !== null && !wait.isGivenUp) return opened;
      await opened?.close();
      if (wait.isGivenUp) return null;
      if (!wait.hasBegun) {
        wait.hasBegun = true;
        void tellBusy(over.signal).then(() => (wait.isGivenUp = true));
      }
      await pause(LOOK_AGAIN_MS);
    }
  } finally {
    over.abort();
  }
}

async function openIfFree<Q>(open: () => Promise<Q>): Promise<Q | null> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof InUseError) return null;
    throw error;
  }
}
