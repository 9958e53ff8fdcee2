/**
 * An engine in a separate process, to be killed. It reads its instructions from standard input, so
 * that it can be started in advance; it adds the batches, and works until only the user can change
 * a job, or until `SIGTERM`. If instructed, it kills itself at a given disk operation.
 *
 * It writes the events that its user would see to standard output, one a line
 * (`engineEventSchema`).
 */
import { writeSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { openEngine } from '../rigs/open-engine.ts';
import { MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import { profileOf } from '../rigs/remembering-service.ts';
import { profileSending } from '../rigs/uploading-profile.ts';
import { SeededRandom } from '../rigs/seeded-random.ts';
import { FastClock } from '../rigs/fast-clock.ts';
import { watchDiskChanges } from './disk-changes.ts';
import { engineInstructionsSchema, type EngineEvent } from './engine-instructions.ts';

/** States that a job leaves only by the user's action. */
const IDLE_STATES = ['done', 'uncertain', 'failed', 'rejected', 'held'] as const;

const quit = new AbortController();
process.once('SIGTERM', () => {
  quit.abort();
});
const instructions = engineInstructionsSchema.parse(JSON.parse(await text(process.stdin)));
if (instructions.endAt) endAt(instructions.endAt);

const random = new SeededRandom(instructions.seed);
const keys = new MemoryKeyStore();
await keys.set(instructions.url, 'svc_live_crash_test_key');
const engine = await openEngine({
  dataDir: instructions.folder,
  stateDir: instructions.state,
  service: {
    name: 'the service',
    baseUrl: instructions.url,
    ca: instructions.ca,
    ...(instructions.traits && { profile: profileOf(instructions.traits) }),
    ...(instructions.pictures && { profile: profileSending(instructions.pictures) }),
    allowedDownloadOrigin: new URL(instructions.url).host,
  },
  plan: { name: 'custom', limit: 100_000, anchor: instructions.began },
  defaultFolder: instructions.videos,
  keys,
  clock: new FastClock(instructions.epoch, instructions.speed),
  random: () => random.next(),
});
for (const batch of instructions.batches) {
  await engine.commands.batches.add({
    origin: new URL(instructions.url).origin,
    source: batch,
    options: {},
  });
  report({ kind: 'added', batch: batch.name });
}
const renaming = instructions.nameTemplate === null ? undefined : rename(instructions.nameTemplate);
for await (const { summary, jobs } of engine.watch(undefined, quit.signal)) {
  const { counts, flow } = summary;
  if (flow.state === 'blocked' && flow.failure.code.startsWith('store-')) {
    report({ kind: 'blocked', message: flow.failure.message });
    break;
  }
  for (const { title, file, state } of jobs) {
    if (state === 'done' && file) report({ kind: 'saved', title, path: file.path });
  }
  const idle = IDLE_STATES.reduce((sum, state) => sum + counts[state], 0);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (idle === all && !(await isResolving())) break;
}
if (!quit.signal.aborted) {
  await renaming;
  await finishEarlierRenames();
}
await engine.close();
await renaming;

/**
 * A stopped engine's renames continue in the background, and closing leaves the rest to the next
 * start. A plan waits for them.
 */
async function finishEarlierRenames(): Promise<void> {
  await engine.commands.files.planRename({ ids: [], nameTemplate: '{title}.mp4', limit: 1 });
}

/** Whether the engine still asks the service about a request. */
async function isResolving(): Promise<boolean> {
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
  report({ kind: 'renamed', nameTemplate, titles });
}

/** Synchronous, so that it also arrives from a process that ends at once. */
function report(event: EngineEvent): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

function endAt({ nth, of, when, how }: NonNullable<typeof instructions.endAt>): void {
  const end = (): void => {
    if (how === 'stop') report({ kind: 'stopped' });
    process.kill(process.pid, how === 'stop' ? 'SIGSTOP' : 'SIGKILL');
  };
  let changes = 0;
  watchDiskChanges({
    before: (change) => {
      if (of === 'change' ? change === 'sync' : change !== of) return;
      changes += 1;
      if (changes === nth && when === 'before') end();
    },
    after: (change) => {
      if (change === of && changes === nth && when === 'after') end();
    },
  });
}
