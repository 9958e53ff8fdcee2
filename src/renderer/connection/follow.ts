import type { FeedSurroundings } from './live-feed.svelte.ts';

/** After a loss of the connection it listens again in so many milliseconds. */
const WAIT_MS = 3000;

/** Hears a stream of the contract, again after every loss, until the returned function is called. */
export function follow<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  surroundings: FeedSurroundings,
  onHeard: (heard: T) => void,
): () => void {
  const stop = new AbortController();
  void listen(open, surroundings, onHeard, stop.signal);
  return () => {
    stop.abort();
  };
}

async function listen<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  surroundings: FeedSurroundings,
  onHeard: (heard: T) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const heard of await open(signal)) {
        await surroundings.pointerReleased();
        onHeard(heard);
      }
    } catch {
      // The live feed shows that there is no connection.
    }
    await surroundings.wait(WAIT_MS, signal);
  }
}
