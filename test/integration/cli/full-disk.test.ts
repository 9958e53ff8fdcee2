import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interruption } from '../../../src/cli/exit-codes.ts';
import { EngineRig, ORIGIN } from '../../rigs/engine-rig.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { fillDisk, smallDisk, type FileSystem } from '../../rigs/small-disk.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { casesOf } from '../../soak/long-form.ts';

/** `npm test` uses the first; the engine's full-disk tests cover how they differ. */
const DISKS = (
  [
    ['ext4', 160],
    ['xfs', 320],
    ['tmpfs', 160],
  ] as const satisfies readonly (readonly [FileSystem, number])[]
).slice(0, casesOf({ short: 1, long: 3 }));

/** A queue of two videos, one saved, on a disk that another program has filled to its last byte. */
async function queueOnFullDisk(folder: string, disk: string): Promise<() => void> {
  const rig = await EngineRig.open({ folder });
  await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
  const [one = ''] = await rig.add(['Sunrise', 'Sunset']);
  await rig.engine.commands.queue.stopBefore({
    origin: rig.engine.origin,
    id: (await rig.job(1)).id,
  });
  await rig.engine.commands.queue.resume({ origin: rig.engine.origin });
  await rig.until(async () => (await rig.job(0)).state === 'done');
  expect(one).not.toBe('');
  await rig.close();
  // An older version reserved no space.
  rmSync(path.join(folder, 'spool.reserve'), { force: true });
  return fillDisk(disk);
}

const diskFullMessage = (folder: string): RegExp =>
  new RegExp(`The disk of the data folder ${folder} is full: the queue needs \\d+.\\d MB more`);

test('a batch that waits for space is described once', async (context) => {
  // Enough to open the queue, but not to add to it.
  const disk = await smallDisk(context, 3);
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, 'batch.csv'), 'title\nMoon');
  const service = new ScriptedProgram();
  const interrupt = new AbortController();
  const run = spoolHere(['run', 'batch.csv', '--data-dir', path.join(disk, 'data')], {
    cwd,
    serviceProgram: service.program,
    interrupted: interrupt.signal,
  });
  // It has tried twice.
  await expect.poll(() => [service.starts, service.runs]).toEqual([2, false]);
  interrupt.abort(new Interruption('SIGINT'));
  const { code, stdout } = await run;
  expect(code).toBe(130);
  expect(stdout.match(/^Starting the video service/gm)).toHaveLength(1);
  expect(stdout.match(/^The disk of the data folder/gm)).toHaveLength(1);
  expect(stdout.match(/^batch: 1 video/gm)).toHaveLength(1);
});

// abuse.md 50
describe.for(DISKS)('on an %s disk without a free byte', ([type, mib]) => {
  test('the queue is listed and exported, the needed space is reported, and nothing changes', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const folder = path.join(disk, 'data');
    const release = await queueOnFullDisk(folder, disk);
    const ask = (...args: string[]) =>
      spoolHere([...args, '--data-dir', folder, '--service', ORIGIN], { cwd: '/' });

    const listed = await ask('jobs', 'list');
    expect(listed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(diskFullMessage(folder)) as string,
    });
    expect(listed.stdout).toMatch(/Sunrise +Batch +✓ saved[^]*Sunset/);
    const exported = await ask('jobs', 'export', '--format', 'csv');
    expect(exported).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Sunset') as string,
    });
    const table = path.join(disk, 'jobs.csv');
    const unwritten = await ask('jobs', 'export', '--out', table);
    expect(unwritten).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${table} cannot be written`) as string,
    });
    expect(existsSync(table)).toBe(false);
    const held = await ask('jobs', 'hold', '--all');
    expect(held).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(diskFullMessage(folder)) as string,
    });
    const doctor = await ask('doctor', '--no-files');
    const found = doctor.stdout.replaceAll(/\s+/g, ' ');
    expect(found).toContain(`✓ queue The database in ${folder} is sound.`);
    expect(found).toMatch(new RegExp(`✕ disk ${diskFullMessage(folder).source}`));

    release();
    // XFS frees a file's space some time after it is deleted.
    await expect.poll(() => ask('jobs', 'hold', '--all')).toMatchObject({ code: 0, stderr: '' });
    const after = await ask('jobs', 'list');
    expect(after).toMatchObject({ code: 0, stderr: '' });
    expect(after.stdout).toMatch(/Sunrise[^]*Sunset/);
  });

  test('a batch waits for space, and is rendered once there is some', async (context) => {
    const disk = await smallDisk(context, mib, type);
    const folder = path.join(disk, 'data');
    const release = await queueOnFullDisk(folder, disk);
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'batch.csv'), 'title,seconds,resolution,aspect\nMoon,1,480,1:1');
    // The local service has never been started in this folder.
    const listed = await spoolHere(['jobs', 'list', '--data-dir', folder], { cwd });
    expect(listed).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(diskFullMessage(folder)) as string,
    });
    const run = startSpool(['run', 'batch.csv', '--data-dir', folder], { cwd });
    await run.waitForOutput(diskFullMessage(folder));
    release();
    const { code, stdout } = await run.result;
    expect(stdout).toContain('1 of 1 video saved');
    expect(code).toBe(0);
  });
});
