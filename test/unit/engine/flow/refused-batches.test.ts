// The rest of a batch is held after refusals in a row, a few rows at a time.
import { expect, onTestFinished, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { Submitter } from '../../../../src/engine/flow/submitter.ts';
import { KeyNotes } from '../../../../src/engine/keys/key-notes.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { flowContextOn } from '../../../rigs/flow-context.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ORIGIN = 'https://service.example';
const NOW = Date.UTC(2026, 0, 15, 9);

/** More rows than this in one turn of the event loop block the engine for too long. */
const MAX_ROWS_A_TURN = 250;

/** A queue of one batch, whose service refuses every video because of its content. */
async function setUp(rows: number) {
  const clock = new VirtualClock(NOW);
  const service = new FakeService(clock);
  let changed = 0;
  const store = await openStore({
    folder: temporaryFolder(),
    origin: ORIGIN,
    now: NOW,
    onChange: () => (changed += 1),
  });
  const keys = new MemoryKeyStore();
  await keys.set(ORIGIN, 'svc_live_0123456789');
  const key = await ApiKey.open(keys, new KeyNotes(temporaryFolder()), ORIGIN);
  const batch = addBatch(store, { addedAt: NOW });
  const insert = (count: number, from: number): number[] =>
    store.jobs.insert(
      batch.id,
      Array.from({ length: count }, (_, index) => aRow(String(from + index))),
      NOW,
    );
  insert(rows, 0);
  const refuse = (): void => {
    const failure = { code: 'content-refused', ...userMessage('nothing-left') } as const;
    const response = service.response(400);
    service.nextGenerate.push({ kind: 'rejected', about: 'video', failure, response });
  };
  for (let count = 0; count < 3; count += 1) refuse();
  let stop = new AbortController();
  const run = (): Promise<unknown> => {
    stop = new AbortController();
    // As a new process would: what is in memory is read again.
    const context = flowContextOn(store, clock, {
      key,
      service,
      lock: { assertOurs: () => undefined },
      plan: { name: 'custom', limit: 50_000, anchor: Date.UTC(2025, 0, 1) },
    });
    return new Submitter(context, () => Promise.resolve())
      .run(stop.signal, stop.signal)
      .catch((error: unknown) => error);
  };
  onTestFinished(async () => {
    stop.abort();
    await clock.advance(1000);
    await store.close();
  });
  return { clock, store, service, insert, run, end: () => stop.abort(), changes: () => changed };
}

test('holding 20,000 rows changes few in each turn, and sends none meanwhile', async () => {
  const rig = await setUp(20_000);
  let most = 0;
  let before = rig.changes();
  const sampling = { isOver: false };
  const sample = (): void => {
    most = Math.max(most, rig.changes() - before);
    before = rig.changes();
    if (!sampling.isOver) setImmediate(sample);
  };
  sample();

  void rig.run();
  const isHeld = (): boolean => rig.store.jobs.counts.total.held === 19_997;
  for (let turns = 0; turns < 1000 && !isHeld(); turns += 1) await rig.clock.advance(100);
  sampling.isOver = true;

  expect(rig.store.jobs.counts.total).toMatchObject({ held: 19_997, rejected: 3, queued: 0 });
  expect(rig.service.asked).toHaveLength(3);
  expect(most).toBeLessThanOrEqual(MAX_ROWS_A_TURN);
});

/** One turn of the event loop, and time for a request. */
async function nextChange({ clock, changes }: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  const before = changes();
  const isOver = clock.advance(100);
  for (let turns = 0; turns < 5 && changes() === before; turns += 1)
    await new Promise((resolve) => setImmediate(resolve));
  if (changes() === before) await isOver;
}

test('an engine that ended while it held a batch continues, and sends none of it', async () => {
  const rig = await setUp(1000);
  const { counts } = rig.store.jobs;
  const ended = rig.run();
  while (counts.total.held === 0) await nextChange(rig);
  rig.end();
  await ended;
  const before = counts.total.held;
  expect(before).toBeLessThan(997);

  void rig.run();
  while (counts.total.queued > 0) await rig.clock.advance(100);

  expect(counts.total).toMatchObject({ held: 997, rejected: 3 });
  expect(rig.service.asked).toHaveLength(3);
});

test('rows that are released or added while a batch is being held are sent', async () => {
  const rig = await setUp(1000);
  const { jobs } = rig.store;
  void rig.run();
  while (jobs.counts.total.held === 0) await nextChange(rig);
  const [released] = jobs.ids('held', 1);
  jobs.move(released!, 'release', NOW);
  const [added] = rig.insert(1, 1000);

  for (let turns = 0; turns < 100; turns += 1) await rig.clock.advance(1000);

  expect(jobs.counts.total).toMatchObject({ held: 996, rejected: 3, submitted: 2 });
  expect([released, added].map((id) => jobs.get(id!).state)).toEqual(['submitted', 'submitted']);
});
