/**
 * A process that downloads one file and is meant to be killed. Arguments: the link, the target.
 * Prints the outcome as JSON.
 *
 * It reports each disk operation on file descriptor 3, one JSON line per event, and continues only
 * when it reads a byte from standard input: so it can be killed exactly at each of these points.
 * With NO_HARD_LINKS=1 in its environment, its disk supports no hard links.
 */
import { fstatSync, readSync, writeSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { Clock } from '../../src/engine/clock.ts';
import type { DiskEvent } from './disk-events.ts';

/** Time passes 200 times as fast, so that periodic work happens within a short run. */
const SPEED = 200;
/**
 * Waits of at least this length are not accelerated, so that a busy machine does not look like a
 * stalled server.
 */
const MIN_REAL_WAIT_MS = 10_000;

function report(kind: DiskEvent['kind'], bytes = 0): void {
  writeSync(3, `${JSON.stringify({ kind, bytes } satisfies DiskEvent)}\n`);
  readSync(0, Buffer.alloc(1));
}

/** The error of FAT and many network drives. */
function refuseLink(): Promise<void> {
  return Promise.reject(Object.assign(new Error('no hard links here'), { code: 'EPERM' }));
}

/** Intercepts operations on the part file and the record, below the downloader's own code. */
async function watchDisk(): Promise<void> {
  const any = await fs.open(import.meta.filename);
  const handles = Object.getPrototypeOf(any) as fs.FileHandle;
  await any.close();
  // By file and not by handle, because one handle may sync what another has written.
  const writtenBytes = new Map<number, number>();
  const inode = (file: fs.FileHandle): number => fstatSync(file.fd).ino;
  const { write, datasync, truncate, writeFile } = handles as unknown as Record<
    'write' | 'datasync' | 'truncate' | 'writeFile',
    (this: fs.FileHandle, ...args: unknown[]) => Promise<{ bytesWritten: number }>
  >;

  Object.assign(handles, {
    async write(this: fs.FileHandle, bytes: Buffer, from: number, length: number, at: number) {
      const written = await write.call(this, bytes, from, length, at);
      writtenBytes.set(inode(this), at + written.bytesWritten);
      report('written', at + written.bytesWritten);
      return written;
    },
    async truncate(this: fs.FileHandle, length = 0) {
      await truncate.call(this, length);
      writtenBytes.set(inode(this), length);
      report('truncated', length);
    },
    async datasync(this: fs.FileHandle) {
      const bytes = writtenBytes.get(inode(this));
      if (bytes !== undefined) report('syncing', bytes);
      await datasync.call(this);
      if (bytes !== undefined) report('synced', bytes);
    },
    async writeFile(this: fs.FileHandle, text: string) {
      // Other texts belong to the lock, which contains no record.
      if (text.startsWith('{'))
        report('recording', (JSON.parse(text) as { offset: number }).offset);
      await writeFile.call(this, text);
    },
  });
  for (const name of ['rename', 'link', 'rm', 'unlink', 'writeFile'] as const) {
    const original =
      name === 'link' && process.env.NO_HARD_LINKS === '1'
        ? refuseLink
        : (fs[name] as (...args: unknown[]) => Promise<void>);
    Object.assign(fs, {
      async [name](...args: unknown[]) {
        await original(...args);
        report('moved');
      },
    });
  }
  syncBuiltinESMExports();
}

await watchDisk();
// Imported only now, so that the intercepted functions of Node are used.
const { Connections } = await import('../../src/engine/downloads/connections.ts');
const { DiskRoom } = await import('../../src/engine/downloads/disk.ts');
const { PartLocks } = await import('../../src/engine/downloads/part-locks.ts');
const { download } = await import('../../src/engine/downloads/download.ts');
const { systemClock } = await import('../../src/engine/system-clock.ts');

const fastClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * SPEED,
  sleep: (ms, signal) => systemClock.sleep(ms < MIN_REAL_WAIT_MS ? ms / SPEED : ms, signal),
};

const [url = '', target = ''] = process.argv.slice(2);
const outcome = await download(
  {
    link: { url, expiresAt: null },
    target,
    onCollision: 'number',
    signal: new AbortController().signal,
  },
  {
    clock: fastClock,
    random: Math.random,
    connections: new Connections({ exceptions: [{ origin: new URL(url).origin }] }),
    room: new DiskRoom(),
    locks: new PartLocks(),
  },
);
process.stdout.write(JSON.stringify(outcome));
