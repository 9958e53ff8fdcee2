import { expect, onTestFinished, test, vi } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { JobFiles } from '../../../../src/engine/jobs/job-files.ts';
import type { CancelOutcome } from '../../../../src/engine/service/outcomes.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const HOUR = 3_600_000;
const api = { cancel: { method: 'DELETE', path: '/videos/{id}' } } as const;

/** One long render at a service that supports cancellation. */
async function openWithRender(): Promise<EngineRig> {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  service.renderMs = 100 * HOUR;
  const rig = await EngineRig.open({ clock, service, api });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  return rig;
}

async function abandon(rig: EngineRig): Promise<string> {
  const { id } = await rig.job(0);
  await rig.engine.commands.jobs.cancel({ ids: [id] });
  return id;
}

async function lastEvent(rig: EngineRig): Promise<string | undefined> {
  const { id } = await rig.job(0);
  const { history } = await rig.engine.commands.jobs.show({ id });
  return history.at(-1)?.event;
}

test('a render that the user wants again during its status request is not deleted', async () => {
  const rig = await openWithRender();
  const { service, clock } = rig;
  service.latencyMs = 10_000;
  const asked = service.statuses.length;
  const id = await abandon(rig);
  // The status request is pending.
  await clock.advance(5000);
  expect(service.statuses).toHaveLength(asked);
  await rig.engine.commands.jobs.downloadAgain({ ids: [id] });
  await rig.until(() => service.statuses.length > asked);
  await clock.advance(HOUR);

  expect(service.cancels).toEqual([]);
  expect((await rig.job(0)).state).toBe('rendering');
});

test('a response that arrives while the engine closes is recorded', async () => {
  const rig = await openWithRender();
  const { service, clock, folder } = rig;
  service.nextCancel.push(async (stop) => {
    await new Promise((resolve) => stop?.addEventListener('abort', resolve, { once: true }));
    return { kind: 'cancelled', response: service.response(204) };
  });
  await abandon(rig);
  await rig.until(() => service.cancels.length === 1);
  await rig.close();

  const again = await EngineRig.open({ clock, service, folder, api });
  await clock.advance(HOUR);
  expect(await lastEvent(again)).toBe('cancelled-at-service');
  expect(service.cancels).toHaveLength(1);
});

test('a request that closing aborted is repeated at the next start', async () => {
  const rig = await openWithRender();
  const { service, clock, folder } = rig;
  const failure = {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'Aborted.' }),
  } as const;
  service.nextCancel.push(async (stop) => {
    await new Promise((resolve) => stop?.addEventListener('abort', resolve, { once: true }));
    return { kind: 'unusable', failure, response: null };
  });
  await abandon(rig);
  await rig.until(() => service.cancels.length === 1);
  await rig.close();

  service.nextCancel.push(() =>
    Promise.resolve({ kind: 'cancelled', response: service.response(204) }),
  );
  const again = await EngineRig.open({ clock, service, folder, api });
  await again.until(() => service.cancels.length === 2);
  await again.until(async () => (await lastEvent(again)) === 'cancelled-at-service');
});

test('a service that asks for a wait of a month is asked again within an hour', async () => {
  const rig = await openWithRender();
  const { service } = rig;
  const response = service.response(429, { 'retry-after': `${30 * 24 * 3600}` });
  service.nextCancel.push(
    () => Promise.resolve({ kind: 'rate-limited', response }),
    () => Promise.resolve({ kind: 'cancelled', response: service.response(204) }),
  );
  await abandon(rig);
  await rig.until(() => service.cancels.length === 1);
  await rig.until(async () => (await rig.job(0)).wait?.until !== null);
  const { wait } = await rig.job(0);
  expect((wait?.until ?? 0) - rig.clock.now()).toBeGreaterThan(HOUR / 2);
  await rig.until(() => service.cancels.length === 2, 1.1 * HOUR);
});

test('a finished video is abandoned without a request to the service', async () => {
  const rig = await EngineRig.open({ api });
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'ready');
  const asked = rig.service.statuses.length;
  const id = await abandon(rig);
  await rig.clock.advance(HOUR);

  expect(rig.service.statuses).toHaveLength(asked);
  expect(rig.service.cancels).toEqual([]);
  expect(await rig.engine.commands.jobs.downloadAgain({ ids: [id] })).toMatchObject({ changed: 1 });
});

test('a row that is added again while its render is being cancelled blocks no download', async () => {
  const rig = await openWithRender();
  const { service } = rig;
  const cancelled = Promise.withResolvers<CancelOutcome>();
  service.nextCancel.push(() => cancelled.promise);
  await abandon(rig);
  await rig.until(() => service.cancels.length === 1);
  // The response arrives after it was decided that the video can be downloaded again.
  const namesIn = vi.spyOn(JobFiles.prototype, 'namesIn').mockImplementationOnce(() => {
    cancelled.resolve({ kind: 'cancelled', response: service.response(204) });
    return [];
  });
  onTestFinished(() => namesIn.mockRestore());

  await rig.add(['One']);
  service.renderMs = 60_000;
  await rig.add(['Two'], 'Other.csv');
  await rig.until(async () => (await rig.job(1)).state === 'done');

  expect(await rig.job(0)).toMatchObject({ state: 'abandoned' });
  expect(rig.defects).toEqual([]);
});
