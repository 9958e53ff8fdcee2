/**
 * An engine in a process of its own, to be killed. Waits for an order on standard input, so that it
 * can be started ahead of its time; adds its batches, says `added` after each, and works until
 * nothing moves by itself any more. Kills itself before or after the nth commit when told to:
 * SQLite's own words `COMMIT` are the points at which something becomes true on disk.
 */
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { openEngine } from '../../src/engine/engine.ts';
import { MemoryKeyStore } from '../../src/engine/keys/memory-key-store.ts';
import { SeededRandom } from '../../bench/pacing/random.ts';
import { FastClock } from '../rigs/fast-clock.ts';

const orderSchema = z.object({
  folder: z.string(),
  url: z.string(),
  ca: z.string(),
  epoch: z.number(),
  speed: z.number(),
  seed: z.number(),
  batches: z.array(z.object({ name: z.string(), content: z.string() })),
  dieAtCommit: z.object({ nth: z.int(), when: z.enum(['before', 'after']) }).nullable(),
});

export type EngineOrder = z.infer<typeof orderSchema>;

/** States in which a job waits for nobody but its owner. */
const RESTING = ['done', 'uncertain', 'failed', 'rejected'] as const;

const order = orderSchema.parse(JSON.parse(await text(process.stdin)));
if (order.dieAtCommit) dieAtCommit(order.dieAtCommit);

const random = new SeededRandom(order.seed);
const keys = new MemoryKeyStore();
await keys.set(order.url, 'svc_live_crash_test_key');
const engine = await openEngine({
  dataDir: order.folder,
  service: {
    name: 'the service',
    baseUrl: order.url,
    ca: order.ca,
    allowedDownloadOrigin: new URL(order.url).host,
  },
  plan: { name: 'custom', limit: 100_000, anchor: order.epoch },
  defaultFolder: `${order.folder}/renders`,
  keys,
  clock: new FastClock(order.epoch, order.speed),
  random: () => random.next(),
});
for (const batch of order.batches) {
  await engine.addBatch(batch, {});
  process.stdout.write('added\n');
}
for await (const { summary } of engine.watch(undefined, new AbortController().signal)) {
  const { counts } = summary;
  const resting = RESTING.reduce((sum, state) => sum + counts[state], 0);
  if (resting === Object.values(counts).reduce((sum, count) => sum + count, 0)) break;
}
await engine.close();

function dieAtCommit({ nth, when }: NonNullable<EngineOrder['dieAtCommit']>): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  let commits = 0;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    const isTheOne = sql === 'COMMIT' && (commits += 1) === nth;
    if (isTheOne && when === 'before') process.kill(process.pid, 'SIGKILL');
    exec.call(this, sql);
    if (isTheOne) process.kill(process.pid, 'SIGKILL');
  };
}
