import { expect, onTestFinished, test } from 'vitest';
import { hash } from 'node:crypto';
import { openStore } from '../../../rigs/open-store.ts';
import { SeededRandom } from '../../../rigs/seeded-random.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** A queue with this many rows, and their ids. */
async function queueOf(rows: number) {
  const origin = 'https://service.example';
  const onChange = () => undefined;
  const store = await openStore({ folder: temporaryFolder(), origin, now: 0, onChange });
  onTestFinished(() => store.close());
  const naming = { nameTemplate: '{title}', onCollision: 'number' } as const;
  const batch = store.batches.insert({ name: 'Batch', folder: '/f', ...naming, addedAt: 0 });
  const jobs = Array.from({ length: rows }, (_, index) => {
    const title = `Row ${index}`;
    const body = JSON.stringify({ title });
    const common = { row: index, preset: 'any', occurrence: 0, cells: '{}', remoteId: null };
    const bodySha256 = hash('sha256', body);
    return { ...common, title, body, bodySha256, fileName: title, state: 'queued' } as const;
  });
  const ids = store.jobs.insert(batch.id, jobs, 0);
  return { ids, order: store.order, now: () => store.jobs.ids('queued') };
}

test('rows that are moved before the same row again and again stay in order', async () => {
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

test('more rows than two neighbours are apart are moved between them', async () => {
  const { ids, order, now } = await queueOf(1500);
  const [first = 0, ...others] = ids;
  const last = others.pop() ?? 0;
  order.move([last], first);
  order.move(others, first);
  expect(now()).toEqual([last, ...others, first]);
});
