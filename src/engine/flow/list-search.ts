import type { ListedVideo, ListOutcome, ReadTrouble } from '../service/outcomes.ts';

/** The most pages and videos of a list that are read, however long it is. */
const MAX_PAGES = 50;
const MAX_VIDEOS = 10_000;

export type ListReading =
  | {
      readonly kind: 'read';
      /** Videos with one of the requested identifiers, in the list's order. */
      readonly found: ReadonlyMap<string, readonly ListedVideo[]>;
      /** Whether the list was read to its end, or to videos from before that time. */
      readonly reachesBack: boolean;
      readonly videos: number;
    }
  /** A page could not be read. */
  | ReadTrouble
  | { readonly kind: 'stopped' };

/**
 * Searches a list of recent videos, newest first, for those with one of our identifiers.
 * @param since older videos do not matter, by the service's clock
 * @param page reads one; `null` when no more should be read
 */
export async function searchList(
  ownIds: ReadonlySet<string>,
  since: number,
  page: (cursor: string | null) => Promise<ListOutcome | null>,
): Promise<ListReading> {
  const found = new Map<string, ListedVideo[]>();
  const cursors = new Set<string>();
  let cursor: string | null = null;
  let videos = 0;
  for (let pages = 0; pages < MAX_PAGES && videos < MAX_VIDEOS; pages++) {
    const outcome: ListOutcome | null = await page(cursor);
    if (outcome === null) return { kind: 'stopped' };
    if (outcome.kind !== 'page') return outcome;
    videos += outcome.videos.length;
    for (const video of outcome.videos) {
      if (video.ownId === null || !ownIds.has(video.ownId)) continue;
      const same = found.get(video.ownId) ?? [];
      // A list that grows while it is read has some videos on two pages.
      if (same.some(({ remoteId }) => remoteId === video.remoteId)) continue;
      found.set(video.ownId, [...same, video]);
    }
    ({ cursor } = outcome);
    if (cursor === null || isBefore(outcome.videos, since)) {
      return { kind: 'read', found, reachesBack: true, videos };
    }
    // A repeated cursor would make an endless loop.
    if (cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { kind: 'read', found, reachesBack: false, videos };
}

/** A single old video may be out of order; a page of them is not. */
function isBefore(videos: readonly ListedVideo[], since: number): boolean {
  return (
    videos.length > 0 && videos.every(({ createdAt }) => createdAt !== null && createdAt < since)
  );
}
