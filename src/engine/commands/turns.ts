import { setImmediate as nextTurn } from 'node:timers/promises';

/** A few milliseconds of work where each item costs a query. */
const ITEMS_A_TURN = 500;

/** Maps a long list in order, and yields to the event loop between pieces. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, index: number) => Mapped,
): Promise<Mapped[]> {
  const mapped: Mapped[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ITEMS_A_TURN === 0) await nextTurn();
    mapped.push(map(item, index));
  }
  return mapped;
}
