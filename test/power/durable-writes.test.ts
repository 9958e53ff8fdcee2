import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { PosterCache } from '../../src/engine/downloads/poster-cache.ts';
import { moveIntoPlace } from '../../src/engine/downloads/place.ts';
import { writeBackup } from '../../src/engine/jobs/database.ts';
import { SentWitness } from '../../src/engine/jobs/sent-witness.ts';
import { SentJournal } from '../../src/engine/jobs/sent-journal.ts';
import { replaceFileSync } from '../../src/engine/files/replace-file.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { completePart, partPath } from '../../src/local-service/durable-file.ts';
import { powerCutDisk } from './power-cut-disks.ts';

/**
 * An operation whose result is on the disk once it returns, and how to check that. Paths are below
 * `folder`.
 */
interface Write {
  readonly what: string;
  readonly write: (folder: string, text: string) => Promise<void> | void;
  readonly read: (folder: string) => unknown;
}

const file = (folder: string): string => path.join(folder, 'file');
const textIn = (folder: string): string => readFileSync(file(folder), 'utf8');

const witnessIn = (folder: string): SentWitness =>
  new SentWitness(folder, () => ({ id: 'queue', compared: null }));

const WRITES: readonly Write[] = [
  {
    what: 'settings',
    write: (folder, text) => replaceFileSync(file(folder), text),
    read: textIn,
  },
  {
    what: 'a file of the local service',
    write: async (folder, text) => {
      writeFileSync(partPath(file(folder)), text);
      await completePart(file(folder));
    },
    read: textIn,
  },
  {
    what: 'the new name of a video',
    write: async (folder, text) => {
      const from = path.join(folder, 'from');
      writeFileSync(from, text, { flush: true });
      await moveIntoPlace(from, file(folder), true, systemClock, new AbortController().signal);
    },
    read: textIn,
  },
  {
    what: 'a line of the journal of requests',
    write: (folder, text) => new SentJournal(file(folder)).append({ at: Number(text), job: 1 }),
    read: (folder) => String(new SentJournal(file(folder)).read().at(-1)?.at),
  },
  {
    what: 'a line of the witness of requests',
    write: (folder, text) => witnessIn(folder).append({ at: Number(text), job: 1 }),
    read: (folder) =>
      String(
        witnessIn(folder)
          .missingFrom(() => false)
          .at(-1)?.at,
      ),
  },
  {
    what: "the database's generation in the journal of requests",
    write: (folder, text) => new SentJournal(file(folder)).clear(Number(text)),
    read: (folder) => String(new SentJournal(file(folder)).generation),
  },
  {
    what: 'a backup of the queue',
    write: async (folder, text) => {
      const database = new DatabaseSync(path.join(folder, 'spool.db'));
      database.exec(`PRAGMA user_version = ${text}`);
      database.close();
      await writeBackup(folder);
    },
    read: (folder) => {
      const database = new DatabaseSync(path.join(folder, 'spool.backup.db'));
      const version = database.prepare('PRAGMA user_version').get()?.user_version;
      database.close();
      return String(version);
    },
  },
];

test.for((['ext4', 'xfs'] as const).flatMap((type) => WRITES.map((write) => ({ type, ...write }))))(
  '$what survives a power cut once it is written ($type)',
  async ({ type, write, read }, context) => {
    const disk = await powerCutDisk(context, type);
    for (const flushesLog of [true, false]) {
      await write(disk.folder, '1');
      execFileSync('sync', ['-f', disk.folder]);
      await write(disk.folder, '2');
      await disk.shutDown(flushesLog);
      await disk.mountAgain();
      expect(read(disk.folder), flushesLog ? 'log flushed' : 'log lost').toBe('2');
    }
  },
);

test.for(['ext4', 'xfs'] as const)(
  'a power cut leaves no incomplete poster (%s)',
  async (type, context) => {
    const disk = await powerCutDisk(context, type);
    const video = file(disk.folder);
    writeFileSync(video, 'a video', { flush: true });
    const jpeg = Buffer.alloc(20_000, 1);
    const posters = (): PosterCache =>
      new PosterCache({
        folder: disk.folder,
        make: () => Promise.resolve({ kind: 'made', jpeg }),
        hasRoom: () => Promise.resolve(true),
        clock: systemClock,
        stop: new AbortController().signal,
      });
    await posters().of({ path: video, sha256: 'a' });

    await disk.shutDown(true);
    await disk.mountAgain();

    const poster = await posters().of({ path: video, sha256: 'a' });
    expect(readFileSync(poster ?? '').equals(jpeg)).toBe(true);
  },
);
