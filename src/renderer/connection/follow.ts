import type { FeedEnvironment } from './live-feed.svelte.ts';

/** How long it waits before it reconnects, in milliseconds. */
const WAIT_MS = 3000;

/** Follows a stream of the contract, and reconnects after every loss, until the returned function is called. */
export function follow<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  environment: FeedEnvironment,
  onMessage: (message: T) => void,
): () => void {
  const stop = new AbortController();
  void listen(open, environment, onMessage, stop.signal);
  return () => {
    stop.abort();
  };
}

async function listen<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  environment: FeedEnvironment,
  onMessage: (message: T) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const message of await open(signal)) {
        await environment.pointerReleased();
        onMessage(message);
      }
    } catch {
      // The live feed shows that there is no connection.
    }
    await environment.wait(WAIT_MS, signal);
  }
}
