import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { userMessage } from '../../../../src/contract/user-message.ts';
import {
  FolderLostError,
  FolderUnusableError,
  InUseError,
  StoreNewerError,
} from '../../../../src/engine/engine-error.ts';
import { InstanceLock } from '../../../../src/engine/jobs/instance-lock.ts';
import { IllegalMoveError } from '../../../../src/engine/jobs/job-store.ts';
import { MOVES } from '../../../../src/engine/jobs/lifecycle.ts';
import { QueueDatabase } from '../../../../src/engine/jobs/queue-database.ts';
import { SentJournal } from '../../../../src/engine/jobs/sent-journal.ts';
import { addBatch, aRow, fill as fillAt, send as sendAt } from '../../../rigs/filled-store.ts';
import { KEPT_LOCK, openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NOW = Date.UTC(2026, 0, 5, 9);

async function open(folder: string, origin = 'https://service.example'): Promise<OpenStore> {
  const store = await openStore({ folder, origin, now: NOW });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

const fill = (store: OpenStore, titles: readonly string[]) => fillAt(store, titles, NOW);
const send = (store: OpenStore, id: number): void => sendAt(store, id, NOW);

test('the unfinished jobs of a replaced session are recovered, and those of another service are not', async () => {
  const onChange = (): void => undefined;
  const folder = temporaryFolder();
  const database = await QueueDatabase.open({ folder, lock: KEPT_LOCK, now: NOW });
  onTestFinished(() => database.close());
  const at = (origin: string): OpenStore =>
    Object.assign(database.storeOf(origin, NOW, onChange), { close: () => Promise.resolve() });
  const before = at('https://service.example');
  const other = at('https://other.example');
  const [sent = 0, reserved = 0] = fill(before, ['Sent', 'Reserved']);
  const [sending = 0] = fill(other, ['Of another service']);
  send(before, sent);
  before.ledger.hold(reserved, NOW);
  before.jobs.move(reserved, 'reserve', NOW);
  send(other, sending);
  before.refuseWrites();

  const after = at('https://service.example');

  expect(after.jobs.get(sent).state).toBe('uncertain');
  expect(after.jobs.get(reserved).state).toBe('queued');
  expect(after.jobs.counts.sum(['uncertain', 'queued'])).toBe(2);
  expect(other.jobs.get(sending).state).toBe('sending');
});

test('a queue that a crash ended after an orderly run is no copy', async () => {
  const folder = temporaryFolder();
  const first = await open(folder);
  const [id = 0] = fill(first, ['One']);
  first.rememberFile();
  await first.close();
  const crashed = await open(folder);
  crashed.jobs.change(id, { title: 'Two' });
  crashed.transactions.get('PRAGMA wal_checkpoint(TRUNCATE)');

  expect(crashed.found.condition).toBe('sound');
  expect((await open(folder)).found.condition).toBe('sound');
});

test('a job that will not be downloaded waits for nothing', async () => {
  const store = await open(temporaryFolder());
  const ready = { state: 'ready', remoteId: 'video-1' } as const;
  const [failed = 0, waits = 0] = store.jobs.insert(
    addBatch(store).id,
    ['One', 'Two'].map((title) => aRow(title, ready)),
    NOW,
  );
  const wait = { nextTryAt: NOW + 1000, waitReason: { kind: 'unreachable' } } as const;
  for (const id of [failed, waits]) store.jobs.change(id, wait);

  expect(store.jobs.move(failed, 'downloadFailed', NOW)).toMatchObject({
    nextTryAt: null,
    waitReason: null,
  });
  expect(store.jobs.waiting().map(({ id }) => id)).toEqual([waits]);
});

test('an unreadable wait is dropped, and the rest of its job is kept', async () => {
  const store = await open(temporaryFolder());
  const [id = 0] = fill(store, ['One']);
  store.transactions.run(
    `UPDATE job SET next_try_at = ?, tries = 3, wait_reason = '{"kind":' WHERE id = ?`,
    NOW,
    id,
  );

  expect(store.jobs.get(id)).toMatchObject({
    title: 'One',
    waitReason: null,
    tries: 3,
    nextTryAt: NOW,
  });
});

test('an uncertain request is as old as its first sending, however often it was repeated', async () => {
  const store = await open(temporaryFolder());
  const [id = 0] = fill(store, ['One']);
  store.ledger.hold(id, NOW);
  store.jobs.move(id, 'reserve', NOW);
  store.jobs.move(id, 'send', NOW);
  const mark = { ownId: 'ours', idField: null, header: 'Idempotency-Key', sha256: 'ab' };
  const attemptId = store.jobs.beginAttempt(id, NOW, mark);
  store.jobs.move(id, 'markUncertain', NOW);
  store.jobs.beginAttempt(id, NOW + 60_000, mark, attemptId);

  expect(store.jobs.unsettled()).toMatchObject([{ jobId: id, attemptId, startedAt: NOW, mark }]);
});

test('jobs are unchanged when the store is opened again', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One', 'Two']);
  store.jobs.move(id, 'hold', NOW);
  await store.close();

  const again = await open(folder);

  expect(again.jobs.get(id)).toMatchObject({ title: 'One', state: 'held' });
  expect(again.jobs.counts.total).toMatchObject({ held: 1, queued: 1 });
  expect(again.jobs.history(again.jobs.get(id)).map(({ to }) => to)).toEqual(['queued', 'held']);
});

test('a note keeps its message; without one, or with an unreadable one, it keeps its English text', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One']);
  store.jobs.move(id, 'hold', NOW, {}, userMessage('identifier-taken', { title: 'Two' }));
  store.jobs.move(id, 'release', NOW, {}, userMessage('disk-was-full'));
  store.jobs.move(id, 'hold', NOW, {}, userMessage('disk-was-full'));
  await store.close();
  const database = new DatabaseSync(path.join(folder, 'spool.db'));
  database.exec(`UPDATE history SET note = 'As it was once written.', says = NULL WHERE step = 2`);
  database.exec(`UPDATE history SET says = '{"newer":true}' WHERE step = 3`);
  database.close();

  const again = await open(folder);

  expect(again.jobs.history(again.jobs.get(id)).map(({ note }) => note)).toEqual([
    null,
    userMessage('identifier-taken', { title: 'Two' }),
    userMessage('verbatim', { text: 'As it was once written.' }),
    userMessage('verbatim', { text: 'The disk is full.' }),
  ]);
});

test('a move that the lifecycle does not have is refused and writes nothing', async () => {
  const store = await open(temporaryFolder());
  const [id = 0] = fill(store, ['One']);

  expect(() => store.jobs.move(id, 'save', NOW, { filePath: '/x' })).toThrow(IllegalMoveError);

  expect(store.jobs.get(id)).toMatchObject({ state: 'queued', filePath: null });
});

test('a transaction that throws leaves no trace, in memory either', async () => {
  const store = await open(temporaryFolder());
  const [id = 0] = fill(store, ['One']);

  expect(() =>
    store.transactions.write(() => {
      store.jobs.move(id, 'hold', NOW);
      throw new Error('Halfway.');
    }),
  ).toThrow('Halfway.');

  expect(store.jobs.get(id).state).toBe('queued');
  expect(store.jobs.counts.total).toMatchObject({ queued: 1, held: 0 });
});

test('at start-up, a request in flight becomes uncertain and a reserved one is queued again', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [sending = 0, reserved = 0] = fill(store, ['One', 'Two']);
  send(store, sending);
  store.ledger.hold(reserved, NOW);
  store.jobs.move(reserved, 'reserve', NOW);
  await store.close();

  const again = await open(folder);

  expect(again.jobs.get(sending).state).toBe('uncertain');
  expect(again.jobs.get(reserved).state).toBe('queued');
  expect(again.ledger.spent(NOW, NOW + 1)).toEqual({ charged: 0, held: 1 });
});

test('jobs and batches of another service are not listed', async () => {
  const folder = temporaryFolder();
  const store = await open(folder, 'https://one.example');
  fill(store, ['One']);
  await store.close();

  const other = await open(folder, 'https://two.example');

  expect(other.jobs.page({ offset: 0, limit: 10 })).toEqual({ total: 0, rows: [] });
  expect(other.batches.all()).toEqual([]);
});

test('a database of a newer version is refused and not touched', async () => {
  const folder = temporaryFolder();
  await (await open(folder)).close();
  const file = path.join(folder, 'spool.db');
  const database = new DatabaseSync(file);
  database.exec('PRAGMA user_version = 999');
  database.close();

  await expect(open(folder)).rejects.toBeInstanceOf(StoreNewerError);

  const untouched = new DatabaseSync(file);
  expect(untouched.prepare('PRAGMA user_version').get()).toEqual({ user_version: 999 });
  untouched.close();
});

test('a damaged database is moved away and its backup restored; later requests are uncertain', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [before = 0, after = 0, never = 0] = fill(store, ['One', 'Two', 'Three']);
  send(store, before);
  store.jobs.move(before, 'accept', NOW, { remoteId: 'video-1' });
  await store.backUp();
  send(store, after);
  store.jobs.move(after, 'accept', NOW, { remoteId: 'video-2' });
  damage(folder);

  const again = await open(folder);

  expect(again.found.condition).toBe('restored');
  expect(again.jobs.get(before)).toMatchObject({ state: 'submitted', remoteId: 'video-1' });
  expect(again.jobs.get(after)).toMatchObject({ state: 'uncertain' });
  expect(again.jobs.get(never)).toMatchObject({ state: 'queued' });
  expect(again.ledger.spent(NOW, NOW + 1).held).toBe(2);
  expect(readdirSync(folder).some((name) => name.startsWith('spool.db.damaged-'))).toBe(true);
});

test('after a backup is restored for one service, requests sent to another since are uncertain', async () => {
  const folder = temporaryFolder();
  const a = 'https://a.example';
  const b = 'https://b.example';
  const first = await open(folder, a);
  const [sentToA = 0, idleAtA = 0] = fill(first, ['One', 'Two']);
  await first.close();
  const second = await open(folder, b);
  const [sentToB = 0, idleAtB = 0] = fill(second, ['One', 'Two']);
  await second.backUp();
  await second.close();
  const third = await open(folder, a);
  send(third, sentToA);
  third.jobs.move(sentToA, 'accept', NOW, { remoteId: 'video-a' });
  const crashed = await open(folder, b);
  send(crashed, sentToB);
  crashed.jobs.move(sentToB, 'accept', NOW, { remoteId: 'video-b' });
  damage(folder);

  const restored = await open(folder, a);
  expect(restored.found.condition).toBe('restored');
  expect(restored.jobs.get(sentToA).state).toBe('uncertain');
  expect(restored.jobs.get(idleAtA).state).toBe('queued');
  await restored.close();

  const other = await open(folder, b);
  expect(other.jobs.get(sentToB).state).toBe('uncertain');
  expect(other.jobs.get(idleAtB).state).toBe('queued');
  expect(other.ledger.spent(NOW, NOW + 1).held).toBe(1);
});

test.each(['hold', 'cancel'] as const)(
  'a job with “%s” in the backup that was sent since is uncertain',
  async (move) => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const [id = 0] = fill(store, ['One', 'Two']);
    store.jobs.move(id, move, NOW);
    await store.backUp();
    store.jobs.move(id, move === 'hold' ? 'release' : 'retry', NOW);
    send(store, id);
    damage(folder);

    const again = await open(folder);

    expect(again.jobs.get(id).state).toBe('uncertain');
  },
);

test.each<[string, (store: OpenStore, id: number) => void]>([
  [
    'failed',
    (store, id) => {
      store.jobs.move(id, 'accept', NOW, { remoteId: 'video-1' });
      store.jobs.move(id, 'renderFailed', NOW);
    },
  ],
  ['rejected', (store, id) => void store.jobs.move(id, 'reject', NOW)],
  [
    'abandoned',
    (store, id) => {
      store.jobs.move(id, 'accept', NOW, { remoteId: 'video-1' });
      store.jobs.move(id, 'abandon', NOW);
    },
  ],
  ...(['accept', 'render', 'finish', 'download', 'verify', 'save', 'markMissing'] as const).map(
    (last, index, moves): [string, (store: OpenStore, id: number) => void] => [
      MOVES[last].to,
      (store, id) => {
        for (const move of moves.slice(0, index + 1))
          store.jobs.move(id, move, NOW, move === 'accept' ? { remoteId: 'video-1' } : {});
      },
    ],
  ),
])(
  'a request that is %s in the backup and was sent again since is uncertain, without its former video',
  async (_state, fail) => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const [id = 0] = fill(store, ['One', 'Two']);
    send(store, id);
    store.ledger.release(id);
    fail(store, id);
    await store.backUp();
    store.journal.append({ at: NOW + 1, job: id });
    damage(folder);

    const again = await open(folder);

    expect(again.jobs.get(id)).toMatchObject({ state: 'uncertain', remoteId: null });
    expect(again.ledger.spent(NOW, NOW + 2)).toEqual({ charged: 0, held: 1 });
  },
);

test('an uncertain request that was sent again after the backup is looked for as it was sent then', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One']);
  const mark = { ownId: 'first', idField: null, header: 'idempotency-key', sha256: '' };
  store.ledger.hold(id, NOW);
  store.jobs.move(id, 'reserve', NOW);
  store.jobs.move(id, 'send', NOW);
  store.jobs.beginAttempt(id, NOW, mark);
  store.jobs.move(id, 'markUncertain', NOW);
  await store.backUp();
  // The user decides that it was not accepted.
  store.journal.append({ at: NOW + 1, job: id, mark: { ...mark, ownId: 'second' } });
  damage(folder);

  const again = await open(folder);

  expect(again.jobs.unsettled()).toMatchObject([{ jobId: id, mark: { ownId: 'second' } }]);
  expect(again.ledger.spent(NOW, NOW + 2)).toEqual({ charged: 0, held: 1 });
});

test('a reserved request that is in the journal was sent only if the database was restored', async () => {
  const reserved = async (): Promise<[folder: string, store: OpenStore, id: number]> => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const [id = 0] = fill(store, ['One']);
    store.ledger.hold(id, NOW);
    store.jobs.move(id, 'reserve', NOW);
    return [folder, store, id];
  };
  const [sound, stopped, unsent] = await reserved();
  stopped.journal.append({ at: NOW, job: unsent });
  const again = await open(sound);
  expect(again.jobs.get(unsent).state).toBe('queued');
  expect(again.ledger.spent(NOW, NOW + 1).held).toBe(0);

  const [folder, store, sent] = await reserved();
  await store.backUp();
  store.journal.append({ at: NOW, job: sent });
  damage(folder);
  const restored = await open(folder);
  expect(restored.jobs.get(sent).state).toBe('uncertain');
  expect(restored.ledger.spent(NOW, NOW + 1).held).toBe(1);
});

test('a request that was not sent stays queued if a later one is known', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [unsent = 0, sent = 0] = fill(store, ['One', 'Two']);
  store.journal.append({ at: NOW, job: unsent });
  send(store, sent);

  const again = await open(folder);

  expect(again.jobs.get(unsent).state).toBe('queued');
  expect(again.jobs.get(sent).state).toBe('uncertain');
});

test('a backup requested during another contains what was added in between', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  fill(store, ['One']);
  const running = store.backUp();
  await Promise.resolve();
  const later = store.jobs.insert(1, [aRow('Two')], NOW);
  await Promise.all([running, store.backUp()]);
  damage(folder);

  const again = await open(folder);

  expect(again.jobs.get(later[0] ?? 0).title).toBe('Two');
});

test('the log of a damaged database is kept with it, and changes nothing in the restored one', async () => {
  const folder = temporaryFolder();
  const after = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One']);
  await store.backUp();
  store.transactions.get('PRAGMA wal_checkpoint(TRUNCATE)');
  store.jobs.change(id, { title: 'Changed later' });
  for (const name of ['spool.backup.db', 'spool.db-wal']) {
    copyFileSync(path.join(folder, name), path.join(after, name));
  }
  writeFileSync(path.join(after, 'spool.db'), Buffer.alloc(3 * 4096, 0x5a));

  const again = await open(after);

  expect(again.found.condition).toBe('restored');
  expect(again.jobs.get(id).title).toBe('One');
  const kept = readdirSync(after).filter((name) => name.startsWith('spool.db.damaged-'));
  expect(kept.some((name) => name.endsWith('-wal'))).toBe(true);
});

test('a database that was damaged while closed is detected', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One', 'Two']);
  await store.close();
  const file = path.join(folder, 'spool.db');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x5a, 4096, 5 * 4096));

  const again = await open(folder);

  expect(again.found.condition).toBe('restored');
  expect(again.jobs.get(id)).toMatchObject({ title: 'One', state: 'queued' });
});

test.each([
  ['emptied', (file: string) => truncateSync(file)],
  ['deleted', (file: string) => rmSync(file)],
  ['cut short', (file: string) => truncateSync(file, 3 * 4096)],
])('a database that was %s is restored, not treated as new', async (_how, harm) => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [id = 0] = fill(store, ['One', 'Two']);
  await store.close();
  harm(path.join(folder, 'spool.db'));

  const again = await open(folder);

  expect(again.found.condition).toBe('restored');
  expect(again.jobs.get(id)).toMatchObject({ title: 'One', state: 'queued' });
});

test('a database whose log was lost sends nothing twice', async () => {
  const folder = temporaryFolder();
  const after = temporaryFolder();
  const store = await open(folder);
  const [sent = 0, putBack = 0, never = 0] = fill(store, ['One', 'Two', 'Three']);
  send(store, putBack);
  store.ledger.release(putBack);
  store.jobs.move(putBack, 'requeue', NOW);
  store.transactions.get('PRAGMA wal_checkpoint(TRUNCATE)');
  copyFileSync(path.join(folder, 'spool.db'), path.join(after, 'spool.db'));
  send(store, sent);
  store.jobs.move(sent, 'accept', NOW, { remoteId: 'video-1' });
  copyFileSync(path.join(folder, 'sent.log'), path.join(after, 'sent.log'));

  const again = await open(after);

  expect(again.found.condition).toBe('sound');
  expect(again.jobs.get(sent).state).toBe('uncertain');
  expect(again.jobs.get(putBack).state).toBe('queued');
  expect(again.jobs.get(never).state).toBe('queued');
  expect(again.ledger.spent(NOW, NOW + 1).held).toBe(1);
});

test('a request sent while a backup is written stays in the journal', async () => {
  const store = await open(temporaryFolder());
  const [known = 0, late = 0] = fill(store, ['Known', 'Late']);
  store.journal.append({ at: NOW, job: known });

  const written = store.backUp();
  // The copy has begun once all pending callbacks have run.
  await new Promise((resolve) => process.nextTick(resolve));
  store.journal.append({ at: NOW + 1, job: late });
  await written;
  expect(store.journal.read().map(({ job }) => job)).toEqual([known, late]);

  await store.backUp();
  expect(store.journal.read()).toEqual([]);
});

test('the intact entries of a journal that a power cut tore are read', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [one = 0, two = 0] = fill(store, ['One', 'Two']);
  await store.close();
  const entry = JSON.stringify({ at: NOW, job: one });
  writeFileSync(path.join(folder, 'sent.log'), `\0\0not JSON\n${entry}\n{"at":17,"job":${two}`);

  const again = await open(folder);

  expect(again.jobs.get(one).state).toBe('uncertain');
  expect(again.jobs.get(two).state).toBe('queued');
});

test('an entry that follows a torn one is read', async () => {
  const folder = temporaryFolder();
  const store = await open(folder);
  const [one = 0] = fill(store, ['One']);
  await store.close();
  const file = path.join(folder, 'sent.log');
  writeFileSync(file, '{"at":17,"jo');

  new SentJournal(file).append({ at: NOW, job: one });

  expect((await open(folder)).jobs.get(one).state).toBe('uncertain');
});

test('an unreadable failure or note does not affect the rest', async () => {
  const store = await open(temporaryFolder());
  const [one = 0, two = 0] = fill(store, ['One', 'Two']);
  const failure = JSON.stringify({ code: 'of-a-newer-version', message: 'Something new.' });
  store.transactions.run('UPDATE job SET failure = ? WHERE id = ?', failure, one);
  store.transactions.run("UPDATE job SET failure = '{' WHERE id = ?", two);
  store.notes.write('a note', 17);
  store.transactions.run("UPDATE note SET value = '17, or'");

  const { rows } = store.jobs.page({ offset: 0, limit: 10 });

  expect(rows.map((row) => row.failure?.code)).toEqual(['answer-unreadable', 'answer-unreadable']);
  expect(store.notes.read('a note', z.number())).toBeNull();
});

test('a damaged database without a backup is moved away, and the queue starts empty', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'spool.db'), 'This is not a database, and never was one.');

  const store = await open(folder);

  expect(store.found.condition).toBe('lost');
  expect(store.jobs.page({ offset: 0, limit: 10 }).total).toBe(0);
  expect(readdirSync(folder).some((name) => name.startsWith('spool.db.damaged-'))).toBe(true);
});

test('one engine at a time locks a folder, and another one is told its process id', () => {
  const folder = temporaryFolder();
  const lock = InstanceLock.take(folder, 4711);

  const second = (): InstanceLock => InstanceLock.take(folder, 4712);
  expect(second).toThrow(InUseError);
  expect(second).toThrow('process 4711');

  lock.release();
  second().release();
});

describe('a folder that is lost', () => {
  const mark = (folder: string): string => path.join(folder, 'spool.pid');
  const lockFile = (folder: string): string => path.join(folder, 'primary.lock');

  test.each([
    // The same process id on another computer is another process.
    ['taken by another computer', (folder: string) => writeFileSync(mark(folder), '4711\nother\n')],
    ['without its lock', (folder: string) => rmSync(lockFile(folder))],
    [
      'restored from a copy, with the mark of this process',
      (folder: string) => {
        cpSync(folder, `${folder}-copy`, { recursive: true });
        rmSync(folder, { recursive: true });
        renameSync(`${folder}-copy`, folder);
      },
    ],
    ['moved', (folder: string) => renameSync(folder, `${folder}-moved`)],
    ['removed', (folder: string) => rmSync(folder, { recursive: true })],
  ])('is detected when it was %s, and stays lost', (_how, lose) => {
    const folder = path.join(temporaryFolder(), 'data');
    mkdirSync(folder);
    const lock = InstanceLock.take(folder, 4711);
    onTestFinished(() => lock.release());
    const ours = readFileSync(mark(folder), 'utf8');
    lock.assertOurs();
    expect(lock.lost.aborted).toBe(false);

    lose(folder);
    expect(() => lock.assertOurs()).toThrow(FolderLostError);

    expect(lock.lost.reason).toBeInstanceOf(FolderLostError);
    mkdirSync(folder, { recursive: true });
    writeFileSync(mark(folder), ours);
    expect(() => lock.assertOurs()).toThrow(FolderLostError);
  });

  test('is not assumed because the mark is missing', () => {
    const folder = temporaryFolder();
    const lock = InstanceLock.take(folder, 4711);
    onTestFinished(() => lock.release());
    rmSync(mark(folder));
    lock.assertOurs();
  });

  test('takes no write of the process that lost it, and neither its backup nor its shutdown mark', async () => {
    const folder = temporaryFolder();
    const lock = InstanceLock.take(folder, 4711);
    onTestFinished(() => lock.release());
    const store = await openStore({
      folder,
      lock,
      origin: 'https://a.example',
      now: NOW,
    });
    fill(store, ['One']);
    writeFileSync(mark(folder), 'another process');

    expect(() => store.notes.write('name', 1)).toThrow(FolderLostError);
    await store.close();

    const left = ['spool.backup.db', 'spool.closed'].filter((name) =>
      existsSync(path.join(folder, name)),
    );
    expect(left).toEqual([]);
  });
});

test('a read-only folder is reported', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'primary.lock'));

  expect(() => InstanceLock.take(folder, 4711)).toThrow(FolderUnusableError);
});

test('a search ignores case in every alphabet', async () => {
  const store = await open(temporaryFolder());
  fill(store, ['Élan', 'ΣΙΓΜΑ', 'Straße']);

  const find = (search: string): string[] =>
    store.jobs.page({ search, offset: 0, limit: 10 }).rows.map(({ title }) => title);

  expect(find('éLAN')).toEqual(['Élan']);
  expect(find('σιγμ')).toEqual(['ΣΙΓΜΑ']);
  expect(find('100%')).toEqual([]);
});

test('a saved row stays listed among the saved ones while it is downloaded again', async () => {
  const store = await open(temporaryFolder());
  const [again = 0, first = 0, saved = 0] = fill(store, ['Again', 'First', 'Saved']);
  for (const id of [again, first, saved]) {
    send(store, id);
    store.jobs.move(id, 'accept', NOW, { remoteId: `vid_${id}` });
    store.jobs.move(id, 'finish', NOW);
  }
  for (const id of [again, saved]) {
    for (const move of ['download', 'verify', 'save'] as const) store.jobs.move(id, move, NOW);
  }
  store.jobs.move(again, 'markMissing', NOW);
  store.jobs.move(again, 'downloadAgain', NOW);

  const titles = (alsoDownloadingAgain?: boolean): string[] =>
    store.jobs
      .page({ states: ['done', 'missing'], alsoDownloadingAgain, offset: 0, limit: 10 })
      .rows.map(({ title }) => title);

  expect(titles(true)).toEqual(['Again', 'Saved']);
  expect(titles()).toEqual(['Saved']);
});

/** Damages the database and its log, as a failing disk does. */
function damage(folder: string): void {
  const file = path.join(folder, 'spool.db');
  truncateSync(`${file}-wal`);
  writeFileSync(file, Buffer.alloc(3 * 4096, 0x5a));
}
