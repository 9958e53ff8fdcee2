import { expect, test } from 'vitest';
import type { ServiceApi } from '../../../../src/contract/service-profile.ts';
import { EngineRig } from '../../../rigs/engine-rig.ts';

const MINUTE = 60_000;
const titles = (count: number) => Array.from({ length: count }, (_, index) => `Row ${index}`);

/** Three concurrent renders, and more requests than any test sends. */
const THREE: Partial<ServiceApi['limits']> = {
  concurrent: { count: 3 },
  windows: [{ endpoint: 'generate', count: 100, perMs: 60_000, known: 'documented' }],
};

test('a queue uses all render slots of the service, and never requests one more', async () => {
  const rig = await EngineRig.open({ serviceLimits: THREE });
  rig.service.slots = 3;
  await rig.add(titles(12));
  const startedAt = rig.clock.monotonic();
  await rig.until(async () => (await rig.update()).counts.done === 12);

  expect(rig.service).toMatchObject({ slotRefusals: 0, mostRendering: 3 });
  expect(new Set(rig.service.asked).size).toBe(rig.service.asked.length);
  // Four renders of a minute, one after the other.
  expect(rig.clock.monotonic() - startedAt).toBeLessThan(1.1 * 4 * rig.service.renderMs);
});

test('a row reports that it waits for a render slot, and the summary counts the renders', async () => {
  const rig = await EngineRig.open({ serviceLimits: THREE });
  rig.service.slots = 3;
  await rig.add(titles(5));
  await rig.until(async () => (await rig.update()).counts.submitted === 3);
  // Forecasts are refreshed by then.
  await rig.clock.advance(11_000);

  const last = await rig.job(4);
  expect(last.wait).toEqual({ reason: 'render-slot', until: last.forecast.sendAt });
  expect(last.forecast.sendAt).toBeGreaterThan(rig.clock.now());
  const { limits, nextSendAt, batches } = await rig.update();
  expect(limits.renders).toEqual({ limit: 3, underWay: 3 });
  expect(nextSendAt).toBe((await rig.job(3)).forecast.sendAt);
  expect(batches[0]).toMatchObject({ savedBy: last.forecast.savedAt, wait: null });
});

test('slots in use by others are learned from refusals, which cost nothing', async () => {
  const rig = await EngineRig.open({ serviceLimits: THREE });
  rig.service.slots = 3;
  rig.service.othersRendering = 2;
  await rig.add(titles(6));
  await rig.until(async () => (await rig.update()).counts.done === 3);
  expect(rig.service.mostRendering).toBe(1);
  const { slotRefusals } = rig.service;
  expect(slotRefusals).toBeGreaterThan(0);
  expect(slotRefusals).toBeLessThan(12);

  rig.service.othersRendering = 0;
  await rig.until(async () => (await rig.update()).counts.done === 6);
  const { counts, quota } = await rig.update();
  expect(counts).toMatchObject({ done: 6, uncertain: 0, rejected: 0 });
  expect(quota?.used).toBe(6);
  expect(rig.service.videos).toHaveLength(6);
});

test('an engine that reopens the queue counts the running renders', async () => {
  const before = await EngineRig.open({ serviceLimits: THREE });
  before.service.slots = 3;
  before.service.renderMs = 15 * MINUTE;
  await before.add(titles(5));
  await before.until(async () => (await before.update()).counts.submitted === 3);
  await before.close();

  const { folder, clock, service } = before;
  const rig = await EngineRig.open({ folder, clock, service, serviceLimits: THREE });
  await clock.advance(7 * MINUTE);
  expect(service).toMatchObject({ slotRefusals: 0, mostRendering: 3 });
  expect(service.videos).toHaveLength(3);
  await rig.until(async () => (await rig.update()).counts.done === 5, 60 * MINUTE, MINUTE);
  expect(service.videos).toHaveLength(5);
});

test('a service without a limit of renders has none', async () => {
  const rig = await EngineRig.open();
  expect((await rig.update()).limits.renders).toBeNull();
});
