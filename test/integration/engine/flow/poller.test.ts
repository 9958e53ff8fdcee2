import { expect, onTestFinished, test } from 'vitest';
import type { KeyStatus } from '../../../../src/contract/summary.ts';
import type { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { Poller } from '../../../../src/engine/flow/poller.ts';
import { UNMADE, type JobChange, type JobRow } from '../../../../src/engine/jobs/job-row.ts';
import type { Spent } from '../../../../src/engine/jobs/ledger.ts';
import type { MoveName } from '../../../../src/engine/jobs/lifecycle.ts';
import { fill } from '../../../rigs/filled-store.ts';
import { flowContextOn } from '../../../rigs/flow-context.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { ORIGIN } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const HOUR = 3_600_000;

const KEY_STATUS: KeyStatus = {
  state: 'accepted',
  origin: ORIGIN,
  lastFour: null,
  since: null,
  label: null,
  keptIn: 'memory',
  trouble: null,
};

/** A poller with one video, which the service does not know. */
async function pollerWithUnknownVideo() {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  const now = clock.now();
  const folder = temporaryFolder();
  let changed: (job: JobRow) => void = () => undefined;
  const onChange = (job: JobRow): void => changed(job);
  const store = await openStore({ folder, origin: ORIGIN, now, onChange });
  const [id = 0] = fill(store, ['Lost'], now);
  for (const move of ['reserve', 'send'] as const) store.jobs.move(id, move, now);
  store.ledger.hold(id, now);
  store.ledger.charge(id);
  store.jobs.move(id, 'accept', now, { remoteId: 'lost', submittedAt: now });

  const key = { beginUse: () => () => undefined, status: KEY_STATUS, isUsable: true };
  const context = flowContextOn(store, clock, { service, key: key as unknown as ApiKey });
  const onDefect = (error: unknown): never => {
    throw error;
  };
  const poller = new Poller({ ...context, onDefect });
  changed = (job) => poller.track(job);
  const stop = new AbortController();
  const ended = poller.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await clock.advance(HOUR);
    await ended;
    await store.close();
  });
  const move = (name: MoveName, change?: JobChange): void => {
    store.jobs.move(id, name, clock.now(), change);
  };
  const spent = (): Spent => store.ledger.spent(0, Infinity);
  return { clock, service, move, spent, state: () => store.jobs.get(id).state };
}

test('the only video fails after a day of “not found” responses, and not before', async () => {
  const { clock, state, spent } = await pollerWithUnknownVideo();

  await clock.advance(23 * HOUR);
  expect(state()).toBe('submitted');

  await clock.advance(2 * HOUR);
  expect(state()).toBe('failed');
  // It was accepted, and no response said that it failed: its quota is spent.
  expect(spent().charged).toBe(1);
});

test('a late status of an abandoned video does not affect the job’s next video', async () => {
  const { clock, service, move, state } = await pollerWithUnknownVideo();
  service.latencyMs = 5 * 60_000;
  service.nextStatus.push({ state: 'done', word: 'done', progress: null, error: null });
  await clock.advance(4 * 60_000);

  for (const name of ['abandon', 'downloadAgain', 'downloadFailed'] as const) move(name);
  move('retry', UNMADE);
  for (const name of ['reserve', 'send'] as const) move(name);
  move('accept', { remoteId: 'another', submittedAt: clock.now() });
  await clock.advance(4 * 60_000);

  expect(service.nextStatus).toEqual([]);
  expect(state()).toBe('submitted');
});
