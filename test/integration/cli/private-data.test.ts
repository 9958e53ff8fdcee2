import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EngineRig, ORIGIN } from '../../rigs/engine-rig.ts';
import { otherUser } from '../../rigs/other-user.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { spool, type SpoolResult } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** Prints which of the given files another user's program can read. */
const READ = `
  import { readFileSync } from 'node:fs';
  const readable = process.argv.slice(1).filter((file) => {
    try { readFileSync(file); return true; } catch (error) { return error.code === 'EISDIR'; }
  });
  console.log(JSON.stringify(readable));`;

/** Holds a read lock on a file, which needs no more than the right to read it. */
const LOCK = `
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.argv[1], { readOnly: true });
  database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  console.log('locked');
  setInterval(() => database.isOpen, 1000);`;

/** Creates and holds a lock at the path where Spool expects one. */
const PLANT_LOCK = `
  import { DatabaseSync } from 'node:sqlite';
  const database = new DatabaseSync(process.argv[1]);
  database.exec('BEGIN EXCLUSIVE');
  console.log('locked');
  setInterval(() => database.isOpen, 1000);`;

/**
 * Publishes the address of the other user's socket, and writes a file when a client connects to it.
 */
const PLANT_ADDRESS = `
  import { chmodSync, writeFileSync } from 'node:fs';
  import { createServer } from 'node:net';
  const [, folder] = process.argv;
  const address = folder + '/his.sock';
  createServer(() => writeFileSync(folder + '/asked', '')).listen(address, () => {
    chmodSync(address, 0o777);
    writeFileSync(folder + '/address', address);
    console.log('listening');
  });`;

/** Sets the umask of most systems, which child processes inherit. */
function withUsualUmask(): void {
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
}

/** A folder and everything below it. */
function below(folder: string): string[] {
  return [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => path.join(folder, String(name))),
  ];
}

/** The files to which another user has any access. */
function openToOthers(folder: string): string[] {
  return below(folder).filter((file) => (lstatSync(file).mode & 0o077) !== 0);
}

/** Makes everything readable for all users, as earlier versions did. */
function makeReadable(folder: string): void {
  for (const file of below(folder)) chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
}

/** Files of older versions in folders that are checked themselves. */
const isInClosedFolder = (file: string): boolean =>
  /\/(?:endpoint|images|logs|posters|tls|videos)\//.test(file);

/** Spool's own files in a folder that others use as well. */
const isSpools = (file: string): boolean => /\/(?:spool|primary|sent)\./.test(file);

const list = (dataDir: string): Promise<SpoolResult> =>
  spoolHere(['jobs', 'list', '--data-dir', dataDir, '--service', ORIGIN], { cwd: '/' });

/** Creates a queue with a saved video. No Spool is running afterwards. */
async function queueIn(folder: string): Promise<void> {
  const rig = await EngineRig.open({ folder });
  await rig.add(['Secret plans']);
  await rig.until(async () => (await rig.update()).counts.done === 1);
  await rig.close();
}

// abuse.md 48
describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it('hides from other users all that a batch leaves there, except the videos', async (test) => {
    const user = otherUser(test);
    withUsualUmask();
    const cwd = user.commonFolder();
    const dataDir = path.join(cwd, 'data');
    writeFileSync(
      path.join(cwd, 'batch.csv'),
      'title,seconds,resolution,aspect\nSecret plans,1,480,1:1',
    );
    const ran = await spool(['run', 'batch.csv', '--data-dir', dataDir], { cwd });
    expect(ran).toMatchObject({ code: 0, stderr: '' });

    const files = below(dataDir);
    expect(files.some((file) => file.endsWith('local-service/service.sqlite'))).toBe(true);
    expect(JSON.parse(await user.run(READ, ...files))).toEqual([]);
    expect(openToOthers(dataDir)).toEqual([]);
    const video = path.join(cwd, 'renders', 'batch', '1 Secret plans.mp4');
    expect(JSON.parse(await user.run(READ, video))).toEqual([video]);

    // A folder of an older version is closed before anything else happens.
    makeReadable(dataDir);
    expect(JSON.parse(await user.run(READ, ...files))).toEqual(files);
    const again = await spoolHere(['run', 'batch.csv', '--data-dir', dataDir], { cwd });
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(await user.run(READ, ...below(dataDir)))).toEqual([]);
    expect(openToOthers(dataDir).filter((file) => !isInClosedFolder(file))).toEqual([]);
    expect(JSON.parse(await user.run(READ, video))).toEqual([video]);
  });

  it('is closed to others by a read-only command, also through a symbolic link', async () => {
    withUsualUmask();
    const folder = temporaryFolder();
    const dataDir = path.join(folder, 'elsewhere', 'data');
    mkdirSync(dataDir, { recursive: true });
    await queueIn(dataDir);
    makeReadable(dataDir);
    const link = path.join(folder, 'link');
    symlinkSync(dataDir, link);

    expect(await list(link)).toMatchObject({ code: 0, stderr: '' });
    const videos = path.join(dataDir, 'renders');
    expect(openToOthers(dataDir).filter((file) => !file.startsWith(videos))).toEqual([]);
    expect(statSync(path.dirname(dataDir)).mode & 0o777).toBe(0o755);
  });

  it('keeps other users from its lock, also one that they could read before', async (test) => {
    const user = otherUser(test);
    const dataDir = path.join(user.commonFolder(), 'data');
    mkdirSync(dataDir);
    await queueIn(dataDir);
    makeReadable(dataDir);

    const listed = await list(dataDir);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('Secret plans');
    await expect(user.start(LOCK, path.join(dataDir, 'primary.lock'))).rejects.toThrow(
      'unable to open',
    );
  });

  it('that another user owns is used, with a warning', async (test) => {
    const user = otherUser(test);
    const dataDir = path.join(user.commonFolder(), 'data');
    mkdirSync(dataDir);
    await queueIn(dataDir);
    chownSync(dataDir, user.uid, user.uid);

    const listed = await list(dataDir);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('Secret') as string });
    expect(listed.stderr).toBe(
      `The data folder ${dataDir} belongs to another user, who can read and change what is in it.\n`,
    );
  });

  it('that everybody may write to, like /tmp, has no file that others can read or lock', async (test) => {
    const user = otherUser(test);
    const dataDir = path.join(user.commonFolder(), 'data');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o1777);
    await queueIn(dataDir);
    expect(statSync(dataDir).mode & 0o7777).toBe(0o1777);
    expect(await list(dataDir)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^Other users of this computer can change what is in /,
      ) as string,
    });
    expect(JSON.parse(await user.run(READ, ...below(dataDir).filter(isSpools)))).toEqual([]);

    rmSync(path.join(dataDir, 'primary.lock'));
    await user.start(PLANT_LOCK, path.join(dataDir, 'primary.lock'));
    expect(await list(dataDir)).toMatchObject({
      code: 1,
      stderr: `primary.lock in the data folder ${dataDir} belongs to another user. Remove it, or choose another data folder.\n`,
    });
  });

  it('that cannot be closed to others is used, with a warning', async (test) => {
    const dataDir = temporaryFolder();
    await queueIn(dataDir);
    const settings = path.join(dataDir, 'settings.json');
    writeFileSync(settings, '{"version":1}', { mode: 0o644 });
    // As on a drive without permissions, neither this folder nor this file can be changed.
    chmodSync(dataDir, 0o1755);
    if (spawnSync('chattr', ['+i', settings]).status !== 0) {
      test.skip('this file system or user cannot make a file immutable');
    }
    onTestFinished(() => void spawnSync('chattr', ['-i', settings]));
    const open = `Other users of this computer can read what is in the data folder ${dataDir}, and Spool cannot change that.`;

    expect(await list(dataDir)).toMatchObject({ code: 0, stderr: `${open}\n` });
    const doctor = ['doctor', '--no-files', '--data-dir', dataDir, '--service', ORIGIN];
    const { stdout } = await spoolHere(doctor, { cwd: '/' });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`! privacy ${open}`);
  });

  it('has no socket for others, and ignores an address that another user left there', async (test) => {
    const user = otherUser(test);
    const dataDir = path.join(user.commonFolder(), 'data');
    const folder = path.join(dataDir, 'endpoint');
    mkdirSync(folder, { recursive: true });
    await queueIn(dataDir);
    for (const each of [dataDir, folder]) chmodSync(each, 0o777);
    await user.start(PLANT_ADDRESS, folder);
    chmodSync(dataDir, 0o755);

    expect(await list(dataDir)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(path.join(folder, 'asked'))).toBe(false);
  });
});
