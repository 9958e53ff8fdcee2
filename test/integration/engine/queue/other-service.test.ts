import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { EngineRig, ORIGIN, profileWith, type EngineRigOptions } from '../../../rigs/engine-rig.ts';
import type { ServiceSetup } from '../../../../src/engine/engine-options.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { fillDisk, smallDisk } from '../../../rigs/small-disk.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const OTHER = 'https://other.example';
const plan = { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) };
const here = { service: { name: 'here', baseUrl: ORIGIN }, plan };
const there = { service: { name: 'there', baseUrl: OTHER }, plan };

async function rigWithTwoServices(
  options: EngineRigOptions = {},
): Promise<[EngineRig, FakeService]> {
  const clock = new VirtualClock();
  const service = new FakeService(clock);
  const rig = await EngineRig.open({ clock, other: { origin: OTHER, service }, ...options });
  return [rig, service];
}

/** Advances time until a promise settles. */
async function settled<T>(rig: EngineRig, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  await rig.until(() => isSettled);
  return promise;
}

/** Occupies the path of the next backup. */
function blockBackups(folder: string): void {
  mkdirSync(path.join(folder, 'spool.backup.db.new', 'occupied'), { recursive: true });
}

/** A key store that fills the disk, and the queue's reserve, whenever a key is read. */
class DiskFillingKeyStore extends MemoryKeyStore {
  isFull = false;
  readonly #folder: string;
  #release: () => void = () => undefined;

  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  /** A session reads its key before it writes. */
  override get(origin: string): Promise<string | null> {
    if (this.isFull) {
      rmSync(path.join(this.#folder, 'spool.reserve'), { force: true });
      this.#release = fillDisk(this.#folder);
    }
    return super.get(origin);
  }

  free(): void {
    this.isFull = false;
    this.#release();
  }
}

class FailingKeys extends MemoryKeyStore {
  isFailing = false;

  override get(origin: string): Promise<string | null> {
    return this.isFailing ? Promise.reject(new Error('Broken.')) : super.get(origin);
  }
}

/** Switches to a service while time advances, as a running request requires. */
async function switchService(rig: EngineRig, to: ServiceSetup): Promise<void> {
  let isDone = false;
  const switching = rig.engine.show(to).then(() => (isDone = true));
  await rig.until(() => isDone);
  await switching;
}

test('switching to another service and back sends every job once, to its own service', async () => {
  const [rig, other] = await rigWithTwoServices();
  rig.service.latencyMs = 5000;
  await rig.add(['One', 'Two', 'Three']);
  await rig.until(() => rig.service.asked.length === 1);

  await switchService(rig, there);
  expect(await rig.jobs()).toEqual([]);
  await rig.add(['Four']);
  await rig.until(async () => (await rig.job(0)).state === 'done');

  await switchService(rig, here);
  await rig.until(async () => (await rig.update()).counts.done === 3);

  expect(rig.service.asked.map((body) => /One|Two|Three|Four/.exec(body)?.[0])).toEqual([
    'One',
    'Two',
    'Three',
  ]);
  expect(other.asked.map((body) => /One|Two|Three|Four/.exec(body)?.[0])).toEqual(['Four']);
});

test('watchers are notified to list rows again, and their streams continue', async () => {
  const [rig] = await rigWithTwoServices();
  await rig.add(['One']);
  const updates = rig.engine.watch(undefined, new AbortController().signal);
  const { value: first } = await updates.next();

  await switchService(rig, there);
  const { value: second } = await updates.next();

  expect(first?.summary.service.origin).toBe(ORIGIN);
  expect(second).toMatchObject({ relist: true, summary: { service: { origin: OTHER } } });
  expect(second?.seq).toBeGreaterThan(first?.seq ?? Infinity);
});

test('an engine that cannot switch keeps its service', async () => {
  const [rig] = await rigWithTwoServices();
  await rig.add(['One']);
  const profile = profileWith({ origin: 'https://third.example' }, {});
  const nowhere = { ...there, service: { ...there.service, profile } };
  let trouble: unknown;
  void rig.engine.show(nowhere).catch((error: unknown) => (trouble = error));
  await rig.until(() => trouble !== undefined);
  expect(trouble).toMatchObject({ failure: { says: [{ sentence: 'profile-of-other-origin' }] } });

  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect((await rig.update()).service.origin).toBe(ORIGIN);
});

test('switches to another service although the backup cannot be written', async () => {
  const [rig, other] = await rigWithTwoServices();
  blockBackups(rig.folder);
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['One']);

  await switchService(rig, there);
  await rig.add(['Two']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  await switchService(rig, here);
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(0)).state === 'done');

  expect([rig.service.asked.length, other.asked.length]).toEqual([1, 1]);
  expect(JSON.stringify(rig.defects)).toContain('spool.backup.db.new');
});

test('closes although the backup cannot be written, and keeps the journal instead', async () => {
  const [rig] = await rigWithTwoServices();
  blockBackups(rig.folder);
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  await settled(rig, rig.engine.close());

  expect(readFileSync(path.join(rig.folder, 'sent.log'), 'utf8')).toContain('"job":1');
  rmSync(path.join(rig.folder, 'spool.backup.db.new'), { recursive: true });
  const next = await EngineRig.open({ folder: rig.folder, clock: rig.clock });
  expect((await next.job(0)).state).toBe('done');
});

test('an engine keeps its service while the disk is too full to open another one', async (context: TestContext) => {
  const folder = await smallDisk(context, 64);
  const disk = new DiskFillingKeyStore(folder);
  const [rig] = await rigWithTwoServices({ folder, keys: disk });
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['One']);

  disk.isFull = true;
  const full = { failure: { code: 'disk-full' } };
  await expect(settled(rig, rig.engine.show(there))).rejects.toMatchObject(full);
  expect((await rig.jobs()).map(({ state }) => state)).toEqual(['queued']);

  disk.free();
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect(rig.service.asked).toHaveLength(1);
});

test('a service that fails to open with its new name and its old one resumes once it opens', async () => {
  const keys = new FailingKeys();
  const [rig] = await rigWithTwoServices({ keys });
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  await rig.add(['One']);
  const watching = rig.engine.watch(undefined, new AbortController().signal);
  await watching.next();

  keys.isFailing = true;
  const renamed = { ...here, service: { ...here.service, name: 'renamed' } };
  await expect(settled(rig, rig.engine.show(renamed))).rejects.toThrow('Broken.');
  await expect(rig.jobs()).rejects.toThrow('Broken.');
  expect(() => rig.engine.summary()).toThrow('Broken.');

  const next = watching.next();
  keys.isFailing = false;
  const { value } = await settled(rig, next);
  expect(value).toMatchObject({ relist: true, summary: { counts: { queued: 1 } } });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect(rig.service.asked).toHaveLength(1);
});

test('rows that were planned with another profile are not added', async () => {
  const [rig] = await rigWithTwoServices();
  const { batches } = rig.engine.commands;
  const source = { name: 'Batch.csv', content: 'title\nOne' };
  const { profile } = await batches.plan({ source, options: {} });
  const other = profileWith({ cost: { ...DOCUMENTED_API.cost, unit: 'credit' } }, {});
  await switchService(rig, { ...here, service: { ...here.service, profile: other } });

  const { commands } = rig.engine;
  const add = (planned: string | undefined) =>
    commands.batches.add({ origin: ORIGIN, profile: planned, source, options: {} });
  await expect(add(profile)).rejects.toMatchObject({ failure: { code: 'plan-outdated' } });
  expect(await rig.jobs()).toEqual([]);
  const again = await commands.batches.plan({ source, options: {} });
  expect(again.profile).not.toBe(profile);
  await add(again.profile);
  expect(await rig.jobs()).toHaveLength(1);
});
