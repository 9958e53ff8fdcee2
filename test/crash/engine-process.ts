/**
 * An engine in a separate process, to be killed. Reads an order from standard input, so that it can
 * be started in advance; adds its batches, and works until nothing progresses without the user, or
 * it gets `SIGTERM`. If ordered to, it kills itself at a given disk operation.
 *
 * Writes what its user would see to standard output, one event a line (`engineEventSchema`).
 */
import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { openEngine } from '../rigs/open-engine.ts';
import { MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import { profileOf } from '../rigs/remembering-service.ts';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { FastClock } from '../rigs/fast-clock.ts';
import { watchDiskChanges } from './disk-changes.ts';
import { engineOrderSchema, type EngineEvent } from './engine-order.ts';

/** States in which a job waits only for the user. */
const RESTING = ['done', 'uncertain', 'failed', 'rejected'] as const;

const quit = new AbortController();
process.once('SIGTERM', () => {
  quit.abort();
});
const order = engineOrderSchema.parse(JSON.parse(await text(process.stdin)));
if (order.endAt) endAt(order.endAt);

const random = new SeededRandom(order.seed);
const keys = new MemoryKeyStore();
await keys.set(order.url, 'svc_live_crash_test_key');
const engine = await openEngine({
  dataDir: order.folder,
  service: {
    name: 'the service',
    baseUrl: order.url,
    ca: order.ca,
    ...(order.traits && { profile: profileOf(order.traits) }),
    allowedDownloadOrigin: new URL(order.url).host,
  },
  plan: { name: 'custom', limit: 100_000, anchor: order.began },
  defaultFolder: order.videos,
  keys,
  clock: new FastClock(order.epoch, order.speed),
  random: () => random.next(),
});
for (const batch of order.batches) {
  await engine.commands.batches.add({
    origin: new URL(order.url).origin,
    source: batch,
    options: {},
  });
  say({ kind: 'added', batch: batch.name });
}
const renaming = order.nameTemplate === null ? undefined : rename(order.nameTemplate);
for await (const { summary, jobs } of engine.watch(undefined, quit.signal)) {
  const { counts, flow } = summary;
  if (flow.state === 'blocked' && flow.failure.code.startsWith('store-')) {
    throw new Error(flow.failure.message);
  }
  for (const { title, file, state } of jobs) {
    if (state === 'done' && file) say({ kind: 'saved', title, path: file.path });
  }
  const resting = RESTING.reduce((sum, state) => sum + counts[state], 0);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (resting === all && !(await isSettling())) break;
}
if (!quit.signal.aborted) await renaming;
await engine.close();
await renaming;

/** Whether the service can still be asked about a request. */
async function isSettling(): Promise<boolean> {
  const states = ['uncertain'] as const;
  const { jobs } = await engine.commands.jobs.list({ states: [...states], offset: 0, limit: 1000 });
  return jobs.some(({ wait }) => wait !== null);
}

/** Renames all files that are saved now. */
async function rename(nameTemplate: string): Promise<void> {
  const { jobs } = await engine.commands.jobs.list({ states: ['done'], offset: 0, limit: 1000 });
  const ids = jobs.map(({ id }) => id);
  const { refused } = await engine.commands.files.rename({ ids, nameTemplate });
  const isRefused = new Set(refused.map(({ id }) => id));
  const titles = jobs.filter(({ id }) => !isRefused.has(id)).map(({ title }) => title);
  say({ kind: 'renamed', nameTemplate, titles });
}

/** Synchronous, so that it also arrives from a process that ends at once. */
function say(event: EngineEvent): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

function endAt({ nth, of, when, how }: NonNullable<typeof order.endAt>): void {
  const end = (): void => {
    if (how === 'stop') say({ kind: 'stopped' });
    process.kill(process.pid, how === 'stop' ? 'SIGSTOP' : 'SIGKILL');
  };
  let changes = 0;
  watchDiskChanges({
    before: (change) => {
      if (of === 'commit' && change !== 'commit') return;
      changes += 1;
      if (changes === nth && when === 'before') end();
    },
    afterCommit: () => {
      if (changes === nth && when === 'after') end();
    },
  });
}
