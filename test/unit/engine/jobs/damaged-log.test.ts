/** A queue that lost what its log had, as after a kill and a failing disk. */
import { copyFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { SentJournal } from '../../../../src/engine/jobs/sent-journal.ts';
import { fill, send } from '../../../rigs/filled-store.ts';
import { openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const ORIGINS = ['https://one.example', 'https://two.example'] as const;

async function open(folder: string, origin: string = ORIGINS[0]): Promise<OpenStore> {
  const store = await openStore({ folder, origin, now: NOW });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** The files of a queue at this moment, as a kill leaves them, without its log. */
function withoutLog(folder: string): string {
  const copy = temporaryFolder();
  for (const name of readdirSync(folder)) {
    if (!/-(?:wal|shm)$/.test(name)) copyFileSync(path.join(folder, name), path.join(copy, name));
  }
  return copy;
}

// abuse.md 65
test('a queue whose log was lost asks before it sends, and gives no number of a lost video again', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const ids = fill(store, ['One', 'Two', 'Three']);
  for (const id of ids) send(store, id);

  const again = await open(withoutLog(folder));

  expect(again.found).toMatchObject({ condition: 'incomplete', lacked: 3 });
  expect(again.jobs.page({ offset: 0, limit: 10 }).total).toBe(0);
  expect(Math.min(...fill(again, ['One']))).toBeGreaterThan(Math.max(...ids));
});

// abuse.md 65
test('a queue whose log was lost is replaced by its newer backup, and that is not overwritten before', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [before = 0, since = 0, never = 0] = fill(store, ['One', 'Two', 'Three']);
  send(store, before);
  store.jobs.move(before, 'accept', NOW, { remoteId: 'video-1' });
  await store.backUp();
  send(store, since, NOW + 1);
  const copy = withoutLog(folder);

  const again = await open(copy);

  expect(again.found).toMatchObject({ condition: 'restored', lacked: 1 });
  expect(existsSync(again.found.keptAt ?? '')).toBe(true);
  expect(again.jobs.get(before)).toMatchObject({ state: 'submitted', remoteId: 'video-1' });
  expect(again.jobs.get(since).state).toBe('uncertain');
  expect(again.jobs.get(never).state).toBe('queued');
  expect(new SentJournal(path.join(copy, 'sent.log')).read()).toEqual([]);
});

// abuse.md 65
test('each service of a restored queue asks before it sends, also one that is opened in a later run', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  fill(store, ['One']);
  const other = await open(folder, ORIGINS[1]);
  fill(other, ['Two']);
  await other.backUp();
  const copy = withoutLog(folder);
  const first = await open(copy);
  expect(first.notes.read('distrust', z.unknown())).not.toBeNull();
  await first.close();

  const second = await open(copy, ORIGINS[1]);

  expect(second.notes.read('distrust', z.unknown())).toMatchObject({ code: 'store-damaged' });
});

test('a queue that stopped between journal and attempt has lost nothing', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One']);
  store.ledger.hold(id, NOW);
  store.jobs.move(id, 'reserve', NOW);
  store.journal.append({ at: NOW, job: id });

  const again = await open(folder);

  expect(again.found.condition).toBe('sound');
  expect(again.jobs.get(id).state).toBe('queued');
});

test('a damaged backup replaces nothing', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One']);
  await store.close();
  const backup = path.join(folder, 'spool.backup.db');
  writeFileSync(backup, 'no database');

  expect((await open(folder)).jobs.get(id).state).toBe('queued');
});
