import { expect, test } from 'vitest';
import { filledStore } from '../../../rigs/filled-store.ts';
import { SeededRandom } from '../../../rigs/seeded-random.ts';

/** A queue with this many rows, and their ids. */
async function queueOf(rows: number) {
  const titles = Array.from({ length: rows }, (_, index) => `Row ${index}`);
  const { store, ids } = await filledStore(titles);
  return { ids, order: store.order, now: () => store.jobs.ids('queued') };
}

test('rows that are repeatedly moved before the same row stay in order', async () => {
  const { ids, order, now } = await queueOf(6);
  const random = new SeededRandom(1);
  let expected = [...ids];
  for (let move = 0; move < 200; move += 1) {
    const [before = 0, ...others] = ids.toSorted(() => random.between(-1, 1));
    const moving = others.slice(0, 1 + (move % 4));
    order.move(moving, before);
    const moved = expected.filter((id) => moving.includes(id));
    const rest = expected.filter((id) => !moving.includes(id));
    const at = rest.indexOf(before);
    expected = [...rest.slice(0, at), ...moved, ...rest.slice(at)];
    expect(now()).toEqual(expected);
  }
});

test('more rows can be moved between two neighbours than there are positions', async () => {
  const { ids, order, now } = await queueOf(1500);
  const [first = 0, ...others] = ids;
  const last = others.pop() ?? 0;
  order.move([last], first);
  order.move(others, first);
  expect(now()).toEqual([last, ...others, first]);
});

test('rows that are moved to the end come after rows of lower priority', async () => {
  const { ids, order, now } = await queueOf(4);
  const [one = 0, two = 0, three = 0, four = 0] = ids;
  order.setPriority([one, two], 1);
  order.setPriority([four], -1);
  expect(now()).toEqual([one, two, three, four]);

  order.move([two, one], null);
  expect(now()).toEqual([three, four, one, two]);
});

test('rows that are moved before a row of another priority get that priority', async () => {
  const { ids, order, now } = await queueOf(3);
  const [one = 0, two = 0, three = 0] = ids;
  order.setPriority([one], 1);

  order.move([three], one);
  expect(now()).toEqual([three, one, two]);
  order.move([one], two);
  expect(now()).toEqual([three, one, two]);
  order.setPriority([two], 1);
  expect(now()).toEqual([three, two, one]);
});
