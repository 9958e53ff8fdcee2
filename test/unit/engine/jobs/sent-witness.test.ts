import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SentWitness } from '../../../../src/engine/jobs/sent-witness.ts';
import { fill } from '../../../rigs/filled-store.ts';
import { openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const queue = { id: 'queue', compared: null };

test('a folder that cannot be written is reported once, and requests leave all the same', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'no-folder'), '');
  const failures: unknown[] = [];
  const witness = new SentWitness(
    path.join(folder, 'no-folder'),
    () => queue,
    (error) => failures.push(error),
  );

  await witness.prepare();
  witness.append({ at: 1, job: 1 });

  expect(failures).toHaveLength(1);
  expect(witness.missingFrom(() => false)).toEqual([]);
});

test('what is no file in its place is reported', () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'queue.log'));
  const failures: unknown[] = [];
  const witness = new SentWitness(
    folder,
    () => queue,
    (error) => failures.push(error),
  );

  witness.append({ at: 1, job: 1 });

  expect(failures).toMatchObject([{ name: 'NotRegularError' }]);
});

test('of many requests it keeps the latest, once the queue was compared with all', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'queue.log');
  const lines = Array.from({ length: 45_000 }, (_, at) => JSON.stringify({ at, job: 1 }));
  writeFileSync(file, lines.join('\n'));
  const witness = new SentWitness(folder, () => queue);

  await witness.prepare();
  expect(witness.missingFrom(({ at }) => at === 9)).toHaveLength(44_990);
  witness.shorten();

  expect(readFileSync(file, 'utf8').trim().split('\n')).toEqual(lines.slice(-20_000));
  const missing = witness.missingFrom(({ at }) => at === 44_997);
  expect(missing).toMatchObject([{ at: 44_998 }, { at: 44_999 }]);
});

async function open(folder: string, stateDir: string): Promise<OpenStore> {
  const origin = 'https://service.example';
  const store = await openStore({ folder, stateDir, origin });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

/** The id of a job that is queued for a request. */
function queued(store: OpenStore, title: string): number {
  return fill(store, [title])[0] ?? 0;
}

// abuse.md 64
test('a copy that was made just before a request left knows that it left', async () => {
  const [folder, stateDir] = [temporaryFolder(), temporaryFolder()];
  const store = await open(folder, stateDir);
  const id = queued(store, 'One');
  store.ledger.hold(id, 0);
  store.jobs.move(id, 'reserve', 0);
  const entry = { at: 0, job: id, body: store.jobs.get(id).bodySha256 };
  store.journal.append(entry);
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  store.jobs.move(id, 'send', 0);
  store.jobs.beginAttempt(id, 0);
  store.witness?.append(entry);
  await store.close();

  const restored = await open(copy, stateDir);

  expect(restored.found).toMatchObject({ condition: 'copied', lacked: 1 });
  expect(restored.jobs.get(id).state).toBe('uncertain');
});

// abuse.md 64
test('a request that left from a copy holds another video with the same number', async () => {
  const [folder, stateDir] = [temporaryFolder(), temporaryFolder()];
  const original = await open(folder, stateDir);
  await original.close();
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  rmSync(path.join(copy, 'spool.closed'), { force: true });
  const first = await open(folder, stateDir);
  const other = queued(first, 'Two');
  await first.close();
  const second = await open(copy, stateDir);
  const id = queued(second, 'One');
  expect(id).toBe(other);
  second.jobs.move(id, 'reserve', 0);
  second.jobs.move(id, 'send', 0);
  second.jobs.beginAttempt(id, 0);
  second.witness?.append({ at: 0, job: id, body: second.jobs.get(id).bodySha256 });
  await second.close();

  const again = await open(folder, stateDir);

  expect(again.found).toMatchObject({ condition: 'copied', lacked: 1 });
  expect(again.jobs.get(other)).toMatchObject({ title: 'Two', state: 'held' });
});

test('a row whose edited request left since the copy is held, not sent as it was', async () => {
  const [folder, stateDir] = [temporaryFolder(), temporaryFolder()];
  const original = await open(folder, stateDir);
  const id = queued(original, 'Typo');
  await original.close();
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  const sending = await open(folder, stateDir);
  sending.jobs.replaceRow(id, {
    template: '{}',
    values: [],
    title: 'Fixed',
    body: '{"title":"Fixed"}',
    bodySha256: 'a'.repeat(64),
    preset: '',
  });
  sending.jobs.move(id, 'reserve', 0);
  sending.jobs.move(id, 'send', 0);
  sending.jobs.beginAttempt(id, 0);
  sending.witness?.append({ at: 0, job: id, body: 'a'.repeat(64) });
  await sending.close();
  rmSync(folder, { recursive: true });
  cpSync(copy, folder, { recursive: true });
  rmSync(path.join(folder, 'spool.closed'), { force: true });

  const restored = await open(folder, stateDir);

  expect(restored.found).toMatchObject({ condition: 'copied' });
  expect(restored.jobs.get(id)).toMatchObject({ title: 'Typo', state: 'held' });
});
