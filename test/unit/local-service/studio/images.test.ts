import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Account } from '../../../../src/local-service/accounts/account.ts';
import { AccountStore } from '../../../../src/local-service/accounts/account-store.ts';
import { openDatabase } from '../../../../src/local-service/database.ts';
import { imageKindOf } from '../../../../src/local-service/studio/images/image-kind.ts';
import { ImageStore } from '../../../../src/local-service/studio/images/image-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const png = (seed: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.from([seed]),
  ]);

test('a picture is known by its first bytes, not its name', () => {
  expect(imageKindOf(png(0))).toBe('png');
  expect(imageKindOf(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('jpeg');
  expect(imageKindOf(Buffer.from('RIFF....WEBPVP8 '))).toBe('webp');
  expect(imageKindOf(Buffer.from('RIFF....WAVEfmt '))).toBeUndefined();
  expect(imageKindOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined();
  expect(imageKindOf(Buffer.alloc(0))).toBeUndefined();
});

async function withStore(
  work: (store: ImageStore, ada: Account, eve: Account, folder: string) => Promise<void>,
): Promise<void> {
  const dataDir = temporaryFolder();
  const database = openDatabase(dataDir);
  let now = 0;
  const clock = { now: () => (now += 1) };
  const accounts = new AccountStore(database, clock);
  const folder = path.join(dataDir, 'images');
  const ada = accounts.add({ email: 'ada@example.com', plan: 'free' });
  const eve = accounts.add({ email: 'eve@example.com', plan: 'free' });
  try {
    await work(new ImageStore(database, clock, folder), ada, eve, folder);
  } finally {
    database.close();
  }
}

async function idOf(store: ImageStore, account: Account, bytes: Buffer): Promise<string> {
  const added = await store.add(account, bytes);
  if (added.kind !== 'added') throw new Error(added.reason);
  return added.id;
}

test('a picture is its owner’s alone, and is kept once', () =>
  withStore(async (store, ada, eve, folder) => {
    const id = await idOf(store, ada, png(1));
    expect(await idOf(store, ada, png(1))).toBe(id);
    expect(readdirSync(folder)).toEqual([id]);
    expect(await store.read(ada, id)).toEqual({ kind: 'png', bytes: png(1) });
    expect(await store.read(eve, id)).toBeUndefined();
    expect(await idOf(store, eve, png(1))).not.toBe(id);
    expect(store.pathOf('../service.sqlite')).toBeUndefined();
  }));

test('what is no picture is not kept', () =>
  withStore(async (store, ada, _eve, folder) => {
    expect(await store.add(ada, Buffer.from('GIF89a'))).toMatchObject({ kind: 'refused' });
    expect(readdirSync(folder)).toEqual([]);
  }));

test('beyond a hundred pictures the oldest goes', () =>
  withStore(async (store, ada, _eve, folder) => {
    const first = await idOf(store, ada, png(0));
    for (let seed = 1; seed <= 100; seed += 1) await idOf(store, ada, png(seed));
    expect(store.owns(ada, first)).toBe(false);
    expect(existsSync(path.join(folder, first))).toBe(false);
    expect(readdirSync(folder)).toHaveLength(100);
  }));
