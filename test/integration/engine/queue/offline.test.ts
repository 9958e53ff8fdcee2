import { expect, test } from 'vitest';
import type { Flow } from '../../../../src/contract/summary.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { offline } from '../../../rigs/fake-service.ts';

const MINUTE = 60_000;

function obstacle(flow: Flow): string {
  return flow.state === 'blocked' ? flow.failure.code : flow.state;
}

test('offline fails no row: the queue reports the reason and resumes automatically', async () => {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  await rig.add(['One', 'Two']);
  await rig.clock.advance(5 * MINUTE);

  expect(obstacle((await rig.update()).flow)).toBe('service-unreachable');
  expect(rig.service.videos).toEqual([]);
  // Attempts after 1, 2, 4 … 60 s, at most halved by jitter: not one a second.
  expect(rig.service.asked.length).toBeLessThan(15);

  rig.service.trouble = null;
  await rig.until(async () => (await rig.update()).counts.done === 2, 3 * MINUTE);
  expect(rig.service.videos).toHaveLength(2);
  expect((await rig.update()).quota).toMatchObject({ used: 2, held: 0 });
});

test('six hours offline count as no attempt, and add nothing to the history', async () => {
  const rig = await EngineRig.open();
  rig.service.trouble = offline;
  const [one = ''] = await rig.add(['One', 'Two']);
  await rig.clock.advance(6 * 60 * MINUTE);

  const { job, history } = await rig.engine.commands.jobs.show({ id: one });
  expect(job.attempts).toBe(0);
  expect(history).toHaveLength(1);
  const { entries } = await rig.engine.commands.activity.list({ limit: 1000 });
  expect(entries.map(({ kind }) => kind)).toEqual(['added', 'added']);

  rig.service.trouble = null;
  await rig.until(async () => (await rig.update()).counts.done === 2, 3 * MINUTE);
  expect((await rig.job(0)).attempts).toBe(1);
});

test('being offline uses no link: the download resumes as soon as the network is back', async () => {
  const rig = await EngineRig.open();
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'ready');
  rig.service.trouble = offline;
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.clock.advance(40 * MINUTE);

  rig.service.trouble = null;
  await rig.until(async () => (await rig.job(0)).state === 'done', 3 * MINUTE);
});

test('a service that becomes unreachable during a render is waited for', async () => {
  const rig = await EngineRig.open();
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'rendering');
  rig.service.trouble = offline;
  await rig.clock.advance(30 * MINUTE);
  expect((await rig.job(0)).state).toBe('rendering');

  rig.service.trouble = null;
  await rig.until(async () => (await rig.job(0)).state === 'done', 10 * MINUTE);
});
