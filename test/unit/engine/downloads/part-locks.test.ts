import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { PartLocks } from '../../../../src/engine/downloads/part-locks.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a lock of a killed process that another process takes over first is left to that one', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = `${target}.part.lock`;
  const other = `${process.ppid} 1 1`;
  writeFileSync(lock, '99999999 1 1');
  const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    writeFileSync(lock, other);
    throw Object.assign(new Error('No such process.'), { code: 'ESRCH' });
  });
  onTestFinished(() => kill.mockRestore());

  expect(await new PartLocks().take(target, systemClock)).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(other);
});

/** What another process writes into a lock that it takes. */
const OTHER = `${process.ppid} 1 1`;

/** Acts like another process, right before the next call of one of these functions. */
function beforeNext(
  names: readonly ('rename' | 'rm' | 'lstat')[],
  act: () => void,
  of: (file: unknown) => boolean = () => true,
): void {
  let isOver = false;
  for (const name of names) {
    const real = files[name] as (...input: readonly unknown[]) => Promise<unknown>;
    vi.spyOn(files, name).mockImplementation(((...input: readonly unknown[]) => {
      if (!isOver && of(input[0])) {
        act();
        isOver = true;
      }
      return real(...input);
    }) as never);
  }
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}

test('a lock that another process takes over at the last moment is left to that one', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = `${target}.part.lock`;
  writeFileSync(lock, '99999999 1 1');
  beforeNext(['rename', 'rm'], () => writeFileSync(lock, OTHER));

  expect(await new PartLocks().take(target, systemClock)).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(OTHER);
  expect(readdirSync(path.dirname(target))).toEqual(['film.mp4.part.lock']);
});

test('a lock that another process takes over before it is written is not held', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = `${target}.part.lock`;
  const { open } = files;
  vi.spyOn(files, 'open').mockImplementationOnce(async (...input) => {
    const file = await open(...input);
    // To the other process, the empty lock looks like one of a killed process.
    rmSync(lock);
    writeFileSync(lock, OTHER);
    return file;
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  expect(await new PartLocks().take(target, systemClock)).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(OTHER);
});

test('a lock that another process writes after this one found none is left to that one', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = `${target}.part.lock`;
  const { lstat } = files;
  // It is there when this process would create it, and gone when it is read.
  vi.spyOn(files, 'open').mockImplementationOnce(() =>
    Promise.reject(Object.assign(new Error('EEXIST'), { code: 'EEXIST' })),
  );
  let looked = 0;
  vi.spyOn(files, 'lstat').mockImplementation(((file: string) => {
    looked += 1;
    if (looked === 2) writeFileSync(lock, OTHER);
    return lstat(file);
  }) as typeof lstat);
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  expect(await new PartLocks().take(target, systemClock)).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(OTHER);
  expect(readdirSync(path.dirname(target))).toEqual(['film.mp4.part.lock']);
});

test.each([['99999999 1 1'], ['']])(
  'a lock with content “%s” that a killed process had moved away is removed',
  async (content) => {
    const target = path.join(temporaryFolder(), 'film.mp4');
    writeFileSync(`${target}.part.lock.removed`, content);

    const lock = await new PartLocks().take(target, systemClock);

    expect(readdirSync(path.dirname(target))).toEqual(['film.mp4.part.lock']);
    await lock?.release();
  },
);

test('a file of another program where locks are moved keeps its content', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  writeFileSync(`${target}.part.lock`, '99999999 1 1');
  writeFileSync(`${target}.part.lock.removed`, 'Notes');

  const lock = await new PartLocks().take(target, systemClock);
  await lock?.release();

  const [kept = '', ...others] = readdirSync(path.dirname(target));
  expect(others).toEqual([]);
  expect(readFileSync(path.join(path.dirname(target), kept), 'utf8')).toBe('Notes');
});

/** Fails the next openings of a file that is there. */
function failToOpen(code: string, times: number): void {
  const { open } = files;
  let failed = 0;
  vi.spyOn(files, 'open').mockImplementation((...input) => {
    if (input[1] === 'wx' || failed === times) return open(...input);
    failed += 1;
    return Promise.reject(Object.assign(new Error(code), { code }));
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}

test.each([
  ['another process moves away and puts back', 'ENOENT', 1],
  ['a virus scanner holds', 'EBUSY', 4],
])('a lock that %s while it is read back is held', async (_what, code, times) => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  failToOpen(code, times);
  const locks = new PartLocks();

  const lock = await locks.take(target, systemClock);

  expect(lock).toBeDefined();
  expect(readdirSync(path.dirname(target))).toEqual(['film.mp4.part.lock']);
  await lock?.release();
  expect(readdirSync(path.dirname(target))).toEqual([]);
});

test('a lock that was taken over is not released by its former owner', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = await new PartLocks().take(target, systemClock);
  writeFileSync(`${target}.part.lock`, OTHER);

  await lock?.release();

  expect(readFileSync(`${target}.part.lock`, 'utf8')).toBe(OTHER);
});

/** The content of a lock that a process with this id takes now. */
async function lockOf(pid: number): Promise<string> {
  const target = path.join(temporaryFolder(), 'other.mp4');
  const lock = await new PartLocks().take(target, systemClock);
  const content = readFileSync(`${target}.part.lock`, 'utf8');
  await lock?.release();
  return content.replace(String(process.pid), String(pid));
}

describe.runIf(process.platform === 'linux')('on Linux', () => {
  it('a lock from before the clock was set is held while its process runs', async () => {
    const target = path.join(temporaryFolder(), 'film.mp4');
    const lock = `${target}.part.lock`;
    writeFileSync(lock, await lockOf(process.ppid));
    // As on a computer that starts in 1970, until it has asked the network for the time.
    utimesSync(lock, 60, 60);

    expect(await new PartLocks().take(target, systemClock)).toBeUndefined();
  });

  it('a lock from before a restart is not held by another process with that id', async () => {
    const target = path.join(temporaryFolder(), 'film.mp4');
    const lock = `${target}.part.lock`;
    const content = (await lockOf(process.ppid)).replace(/\d$/, (digit) =>
      String(9 - Number(digit)),
    );
    writeFileSync(lock, content);
    // As on a computer whose clock was ahead before the restart.
    const written = Date.now() / 1000 + 3600;
    utimesSync(lock, written, written);

    expect(await new PartLocks().take(target, systemClock)).toBeDefined();
  });
});

test('a lock that a process had moved away when it was killed is discarded at the next start', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  writeFileSync(`${target}.part.lock.removed`, '99999999 1 1');
  await new PartLocks().discardLeft(target, systemClock);
  expect(readdirSync(path.dirname(target))).toEqual([]);
});

test('a lock that another download moves away meanwhile is not kept as another program’s file', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = `${target}.part.lock`;
  writeFileSync(lock, '99999999 1 1');
  beforeNext(
    ['lstat'],
    () => writeFileSync(`${lock}.removed`, '99999999 1 1'),
    (file) => String(file).endsWith('.removed'),
  );
  const taken = await new PartLocks().take(target, systemClock);
  await taken?.release();
  expect(readdirSync(path.dirname(target))).toEqual([]);
});
