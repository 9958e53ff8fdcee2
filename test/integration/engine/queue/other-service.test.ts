import { expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const OTHER = 'https://other.example';
const plan = { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) };
const here = { service: { name: 'here', baseUrl: ORIGIN }, plan };
const there = { service: { name: 'there', baseUrl: OTHER }, plan };

async function rigWithTwoServices(): Promise<[EngineRig, FakeService]> {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  const rig = await EngineRig.open({ clock, other: { origin: OTHER, service } });
  return [rig, service];
}

/** Goes over to a service while time goes on, as it does for a request on its way. */
async function goOver(rig: EngineRig, to: typeof here): Promise<void> {
  let isThere = false;
  const over = rig.engine.reopen(to).then(() => (isThere = true));
  await rig.until(() => isThere);
  await over;
}

test('going over to another service and back sends every job once, to its own service', async () => {
  const [rig, other] = await rigWithTwoServices();
  rig.service.latencyMs = 5000;
  await rig.add(['One', 'Two', 'Three']);
  await rig.until(() => rig.service.asked.length === 1);

  await goOver(rig, there);
  expect(await rig.jobs()).toEqual([]);
  await rig.add(['Four']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect(rig.service.asked).toHaveLength(1);

  await goOver(rig, here);
  // What was on its way when the engine left had its answer.
  expect((await rig.job(0)).state).toBe('submitted');
  await rig.until(async () => (await rig.update()).counts.done === 3);

  expect(rig.service.asked.map((body) => /One|Two|Three|Four/.exec(body)?.[0])).toEqual([
    'One',
    'Two',
    'Three',
  ]);
  expect(other.asked.map((body) => /One|Two|Three|Four/.exec(body)?.[0])).toEqual(['Four']);
});

test('whoever watches is told to list rows anew, and goes on watching', async () => {
  const [rig] = await rigWithTwoServices();
  await rig.add(['One']);
  const updates = rig.engine.watch(undefined, new AbortController().signal);
  const { value: first } = await updates.next();

  await goOver(rig, there);
  const { value: second } = await updates.next();

  expect(first?.summary.service.origin).toBe(ORIGIN);
  expect(second).toMatchObject({ relist: true, summary: { service: { origin: OTHER } } });
  expect(second?.seq).toBeGreaterThan(first?.seq ?? Infinity);
});

test('an engine that cannot go over stays where it was', async () => {
  const [rig] = await rigWithTwoServices();
  await rig.add(['One']);
  const nowhere = { ...there, service: { name: 'nowhere', baseUrl: 'no address' } };
  let trouble: unknown;
  void rig.engine.reopen(nowhere).catch((error: unknown) => (trouble = error));
  await rig.until(() => trouble !== undefined);
  expect(trouble).toMatchObject({ message: 'Invalid URL' });

  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect((await rig.update()).service.origin).toBe(ORIGIN);
});
