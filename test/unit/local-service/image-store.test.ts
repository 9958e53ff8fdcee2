import { hash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/local-service/accounts/account.ts';
import type { ImageRecords } from '../../../src/local-service/accounts/image-records.ts';
import { DatabaseUnavailableError } from '../../../src/local-service/database-unavailable.ts';
import { openDatabase } from '../../../src/local-service/database.ts';
import { SqliteAccounts } from '../../../src/local-service/sqlite/sqlite-accounts.ts';
import { SqliteImageRecords } from '../../../src/local-service/sqlite/sqlite-image-records.ts';
import { FolderBlobs } from '../../../src/local-service/storage/folder-blobs.ts';
import { StorageOutageError } from '../../../src/local-service/storage-errors.ts';
import { ImageStore } from '../../../src/local-service/videos/image-store.ts';
import { blankPng } from '../../rigs/pictures.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const png = (seed: number): Buffer => blankPng(1 + seed, 1);

/** Records that a test does not reach. */
const unused: ImageRecords = {
  add: () => {
    throw new Error('unused');
  },
  pixelsOf: () => undefined,
  latest: () => [],
  removeOldest: () => [],
};

async function withStore(
  work: (store: ImageStore, ada: Account, eve: Account, folder: string) => Promise<void>,
): Promise<void> {
  const dataDir = temporaryFolder();
  const database = openDatabase(dataDir);
  let now = 0;
  const clock = { now: () => (now += 1) };
  const accounts = new SqliteAccounts(database, clock);
  const folder = path.join(dataDir, 'images');
  const ada = accounts.add({ email: 'ada@example.com', plan: 'free' });
  const eve = accounts.add({ email: 'eve@example.com', plan: 'free' });
  try {
    const disk = { hasRoomFor: () => true };
    const blobs = FolderBlobs.openOwn(folder);
    await work(
      new ImageStore(new SqliteImageRecords(database, clock), blobs, temporaryFolder(), disk),
      ada,
      eve,
      folder,
    );
  } finally {
    database.close();
  }
}

async function idOf(store: ImageStore, account: Account, bytes: Buffer): Promise<string> {
  const added = await store.add(account, bytes);
  if (added.kind !== 'added') throw new Error(JSON.stringify(added));
  return added.id;
}

test('a picture belongs to one account, and is stored once', () =>
  withStore(async (store, ada, eve, folder) => {
    const id = await idOf(store, ada, png(1));
    expect(await idOf(store, ada, png(1))).toBe(id);
    expect(readdirSync(folder)).toEqual([id]);
    expect(await store.read(ada, id)).toEqual({ kind: 'png', bytes: png(1) });
    expect(await store.read(eve, id)).toBeUndefined();
    expect(await idOf(store, eve, png(1))).not.toBe(id);
  }));

test('a file that is not a picture is not stored', () =>
  withStore(async (store, ada, _eve, folder) => {
    expect(await store.add(ada, Buffer.from('GIF89a'))).toMatchObject({ kind: 'refused' });
    expect(readdirSync(folder)).toEqual([]);
  }));

test('a picture of more pixels than allowed is not stored', () =>
  withStore(async (store, ada, _eve, folder) => {
    expect(await store.add(ada, blankPng(12_000, 12_000))).toEqual({
      kind: 'refused',
      reason: 'has 144 megapixels; a picture may have at most 64',
    });
    expect(readdirSync(folder)).toEqual([]);
  }));

test('beyond a hundred pictures, the oldest is deleted', () =>
  withStore(async (store, ada, _eve, folder) => {
    const first = await idOf(store, ada, png(0));
    for (let seed = 1; seed <= 100; seed += 1) await idOf(store, ada, png(seed));
    expect(await store.owns(ada, first)).toBe(false);
    expect(existsSync(path.join(folder, first))).toBe(false);
    expect(readdirSync(folder)).toHaveLength(100);
  }));

// abuse.md 60
test('beyond 4 GB, the oldest is deleted when a large file comes', () =>
  withStore(async (_store, ada, _eve, folder) => {
    const blobs = FolderBlobs.openOwn(folder);
    blobs.stat = (key) => Promise.resolve({ key, size: 1_000_000_000 });
    const ids: string[] = [];
    const records: ImageRecords = {
      ...unused,
      add: (_account, { id }) => (ids.unshift(id), id),
      latest: (_account, count) => ids.slice(0, count),
      removeOldest: (_account, keep) => ids.splice(keep),
    };
    const store = new ImageStore(records, blobs, temporaryFolder(), { hasRoomFor: () => true });
    for (let seed = 0; seed < 7; seed += 1) await idOf(store, ada, png(seed));
    expect(readdirSync(folder)).toHaveLength(7);
    const wav = Buffer.alloc(41 * 1024 * 1024);
    wav.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
    const large = await idOf(store, ada, wav);
    expect(readdirSync(folder).sort()).toEqual([...ids].sort());
    expect(ids).toHaveLength(4);
    expect(ids[0]).toBe(large);
  }));

test('a file that is not the one that was stated is not stored', () =>
  withStore(async (store, ada, _eve, folder) => {
    const send = (sha256: string) =>
      store.receive(ada, Readable.from([png(1).subarray(0, 5), png(1).subarray(5)]), {
        size: png(1).length,
        sha256,
      });
    const reason = 'has changed while it was sent';
    expect(await send('0'.repeat(64))).toEqual({ kind: 'refused', reason });
    expect(readdirSync(folder)).toEqual([]);
    expect(await send(hash('sha256', png(1)))).toMatchObject({ kind: 'added' });
  }));

test('a file of which not all arrives is not stored', () =>
  withStore(async (_store, ada, _eve, folder) => {
    const workFolder = temporaryFolder();
    const blobs = FolderBlobs.openOwn(folder);
    const store = new ImageStore(unused, blobs, workFolder, { hasRoomFor: () => true });
    const content = Readable.from(
      (async function* () {
        yield png(1).subarray(0, 20);
        await Promise.reject(new Error('aborted'));
      })(),
    );
    await expect(store.receive(ada, content, { size: 99 })).rejects.toThrow('aborted');
    expect(readdirSync(workFolder)).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  }));

test('a picture whose record is refused leaves no file', () =>
  withStore(async (store, ada, _eve, folder) => {
    const database = openDatabase(path.dirname(folder));
    database.exec('DROP TABLE image');
    database.close();
    await expect(store.add(ada, png(1))).rejects.toThrow('no such table');
    expect(readdirSync(folder)).toEqual([]);
  }));

describe('a picture that cannot be stored', () => {
  test('leaves no partial file on the disk', () =>
    withStore(async (_store, ada, _eve, folder) => {
      const blobs = FolderBlobs.openOwn(folder);
      blobs.put = () => Promise.reject(new StorageOutageError('full'));
      const workFolder = temporaryFolder();
      const store = new ImageStore(unused, blobs, workFolder, { hasRoomFor: () => true });
      await expect(store.add(ada, png(1))).rejects.toThrow(StorageOutageError);
      expect(readdirSync(workFolder)).toEqual([]);
    }));

  test('is kept if the database may have recorded it when the connection was lost', () =>
    withStore(async (_store, ada, _eve, folder) => {
      const recorded: string[] = [];
      const records: ImageRecords = {
        ...unused,
        add: (_account, { id }) => {
          recorded.push(id);
          throw new DatabaseUnavailableError(new Error('The connection was lost.'));
        },
      };
      const disk = { hasRoomFor: () => true };
      const blobs = FolderBlobs.openOwn(folder);
      const store = new ImageStore(records, blobs, temporaryFolder(), disk);
      await expect(store.add(ada, png(1))).rejects.toThrow(DatabaseUnavailableError);
      expect(readdirSync(folder)).toEqual(recorded);
    }));
});
