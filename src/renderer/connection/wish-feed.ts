import type { Client } from '../../contract/contract.ts';
import type { Wish } from '../../contract/computer.ts';
import type { FeedSurroundings } from './live-feed.svelte.ts';

/** After a loss of the connection it listens again in so many milliseconds. */
const WAIT_MS = 3000;

/** Hears what menus, double clicks and links want of the page, until the returned function is called. */
export function followWishes(
  client: Client,
  surroundings: FeedSurroundings,
  onWish: (wish: Wish) => void,
): () => void {
  const stop = new AbortController();
  void listen(client, surroundings, onWish, stop.signal);
  return () => {
    stop.abort();
  };
}

async function listen(
  client: Client,
  surroundings: FeedSurroundings,
  onWish: (wish: Wish) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const wish of await client.computer.wishes(undefined, { signal })) onWish(wish);
    } catch {
      // The live feed shows that there is no connection.
    }
    await surroundings.wait(WAIT_MS, signal);
  }
}
