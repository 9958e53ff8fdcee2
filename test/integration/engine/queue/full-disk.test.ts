import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { fillDisk, freeBytes, smallDisk, type FileSystem } from '../../../rigs/small-disk.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const HOUR = 3_600_000;
const MIB = 1024 * 1024;

const DISKS: readonly (readonly [FileSystem, number])[] = [
  ['ext4', 96],
  ['xfs', 320],
  ['tmpfs', 96],
];

/** The space that the queue reserves for a full disk. */
const reserveIn = (folder: string): string => path.join(folder, 'spool.reserve');

const full = {
  state: 'blocked',
  failure: { code: 'disk-full', missingBytes: expect.any(Number) as number },
};

// abuse.md 50
describe.each(DISKS)('a queue on an %s disk that another program fills', (type, mib) => {
  test('records active jobs, sends nothing, reopens and resumes once there is space', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const folder = path.join(disk, 'data');
    const rig = await EngineRig.open({ folder });
    const { service, clock } = rig;
    service.latencyMs = 5000;
    await rig.add(['One', 'Two', 'Three']);
    await rig.until(() => service.asked.length === 1);
    const release = fillDisk(disk);

    await rig.until(async () => (await rig.job(0)).state === 'submitted');
    await rig.clock.advance(HOUR);
    expect(service.asked).toHaveLength(1);
    expect((await rig.update()).flow).toMatchObject(full);
    expect(JSON.stringify((await rig.update()).flow)).toContain(folder);
    expect((await rig.job(1)).wait).toEqual({ reason: 'queue-unwritable', until: null });
    await rig.close();

    // Takes the space that closing released as well.
    const releaseMore = fillDisk(disk);
    const again = await EngineRig.open({ folder, service, clock });
    expect((await again.jobs()).map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
    expect((await again.update()).flow).toMatchObject(full);
    await clock.advance(HOUR);
    expect(service.asked).toHaveLength(1);

    release();
    releaseMore();
    await again.until(async () => (await again.update()).counts.done === 3, 3 * HOUR);
    expect(service.asked).toHaveLength(3);
    expect((await again.update()).flow).toEqual({ state: 'running' });
  });

  test('sends no request whose attempt it cannot record', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const folder = path.join(disk, 'data');
    const clock = new VirtualClock();
    let release: (() => void) | undefined;
    class FillingService extends FakeService {
      override connect(): ReturnType<FakeService['connect']> {
        // The reserve is deleted as well.
        rmSync(reserveIn(folder), { force: true });
        release ??= fillDisk(disk);
        return super.connect();
      }
    }
    const service = new FillingService(clock);
    const rig = await EngineRig.open({ folder, clock, service });
    await rig.add(['One', 'Two']);
    await rig.until(() => release !== undefined);
    await clock.advance(HOUR);
    expect(service.asked).toEqual([]);
    expect((await rig.job(0)).state).toMatch(/^(?:queued|reserved)$/);
    expect((await rig.update()).flow).toMatchObject({ failure: { code: 'disk-full' } });

    release?.();
    await rig.until(async () => (await rig.update()).counts.done === 2, 3 * HOUR);
    expect(service.asked).toHaveLength(2);
  });

  test('keeps no incomplete backup', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const folder = path.join(disk, 'data');
    const store = await openStore({ folder, origin: ORIGIN });
    // Longer than what the reserve frees at a time.
    store.notes.write('a long note', 'x'.repeat(12 * MIB));
    const release = fillDisk(disk);

    await expect(store.backUp()).rejects.toThrow();
    expect(readdirSync(folder)).not.toContain('spool.backup.db.new');
    release();
    await store.close();
    expect(readdirSync(folder)).toContain('spool.backup.db');
  });

  test('refuses even a small batch until the reserve is complete again', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const rig = await EngineRig.open({ folder: path.join(disk, 'data') });
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    const ids = await rig.add(['One']);
    const release = fillDisk(disk);
    // Stored with space of the reserve.
    expect(await rig.engine.commands.jobs.hold({ ids })).toMatchObject({ changed: 1 });

    await expect(rig.add(['Two'], 'Two.csv')).rejects.toMatchObject({
      failure: { code: 'disk-full' },
    });
    expect(await rig.jobs()).toHaveLength(1);

    release();
    await advanceMinute(rig);
    expect(await rig.add(['Two'], 'Two.csv')).toHaveLength(1);
  });

  test('refuses a batch for which there is no space', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const folder = path.join(disk, 'data');
    const rig = await EngineRig.open({ folder });
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    await rig.add(['One']);
    const release = fillDisk(disk, 3 * MIB);
    const many = Array.from({ length: 20_000 }, (_, row) => `A video with a long title ${row}`);
    await expect(rig.add(many, 'Many.csv')).rejects.toMatchObject({
      failure: { code: 'disk-full' },
    });
    // The failed attempt uses no space.
    await expect(rig.add(many, 'Many.csv')).rejects.toThrow();
    expect((await rig.jobs()).map(({ title }) => title)).toEqual(['One']);
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' });

    release();
    await advanceMinute(rig);
    expect(await rig.add(many.slice(0, 100), 'Many.csv')).toHaveLength(100);
    expect(freeBytes(disk)).toBeGreaterThan(0);
  });
});

const advanceMinute = (rig: EngineRig): Promise<void> => rig.clock.advance(60_000);
