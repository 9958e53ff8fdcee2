import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { JOB_STATES } from '../../../../src/contract/job-states.ts';
import { openDatabase } from '../../../../src/engine/jobs/database.ts';
import type { JobRow } from '../../../../src/engine/jobs/job-row.ts';
import { MIGRATIONS } from '../../../../src/engine/jobs/schema.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const ORIGIN = 'https://service.example';

/** The schema before jobs had columns for their waits. */
const WITHOUT_WAITS = MIGRATIONS.slice(0, 7);

/** A folder with a job in each state, written with that schema. */
async function folderWithoutWaits(): Promise<string> {
  const folder = temporaryFolder();
  const { database } = await openDatabase(folder, NOW, WITHOUT_WAITS);
  database.exec(`
    INSERT INTO service (id, origin) VALUES (1, '${ORIGIN}');
    INSERT INTO batch (id, service_id, name, folder, name_template, on_collision, added_at)
      VALUES (1, 1, 'Spring', '/renders', '{title}', 'number', ${NOW});
    INSERT INTO note (service_id, name, value) VALUES (1, 'doubt', '{"pauses":1}');
  `);
  const job = database.prepare(`
    INSERT INTO job (id, service_id, batch_id, row_number, title, title_folded, preset, body_sha256,
      occurrence, state, position, remote_id, file_name, file_path, file_bytes, file_sha256,
      file_seconds, added_at, submitted_at, ready_at, saved_at)
    VALUES (?1, 1, 1, ?1 + 1, 'Row ' || CAST(?1 AS INTEGER), 'row', 'any', randomblob(32), 0, ?2, ?1 * 1024,
      'video-' || CAST(?1 AS INTEGER), 'Row.mp4', '/renders/Row.mp4', 1000, 'abc', 2.5, ?3, ?3, ?3, ?3)`);
  const request = database.prepare(
    `INSERT INTO request (job_id, body, cells) VALUES (?, '{"title":"Row"}', '{}')`,
  );
  const history = database.prepare(
    `INSERT INTO history (job_id, step, at, from_state, to_state) VALUES (?, 1, ?, 'verifying', ?)`,
  );
  const charge = database.prepare(
    `INSERT INTO charge (service_id, job_id, at, state, service_at) VALUES (1, ?1, ?2, 'charged', ?2)`,
  );
  for (const [index, state] of JOB_STATES.entries()) {
    job.run(index + 1, state, NOW);
    request.run(index + 1);
    history.run(index + 1, NOW, state);
    charge.run(index + 1, NOW);
  }
  database.close();
  return folder;
}

test('a database without waits is opened with everything in it, and none of its jobs waits', async () => {
  const folder = await folderWithoutWaits();

  const store = await openStore({ folder, origin: ORIGIN, now: NOW, onChange: () => undefined });
  onTestFinished(() => store.close());

  expect(store.found.condition).toBe('sound');
  expect(store.batches.all()).toMatchObject([{ name: 'Spring', folder: '/renders' }]);
  expect(store.jobs.counts.sum(JOB_STATES)).toBe(JOB_STATES.length);
  expect(store.ledger.spent(0, Infinity).charged).toBe(JOB_STATES.length);
  expect(store.jobs.waiting()).toEqual([]);
  for (const index of JOB_STATES.keys()) {
    const found = store.jobs.get(index + 1);
    expect(found).toMatchObject({
      title: `Row ${index + 1}`,
      remoteId: `video-${index + 1}`,
      fileBytes: 1000,
      addedAt: NOW,
      savedAt: NOW,
      nextTryAt: null,
      tries: 0,
      waitReason: null,
    });
    expect(store.jobs.requestBody(found.id)).toBe('{"title":"Row"}');
  }
  const saved = store.jobs.get(1 + JOB_STATES.indexOf('done'));
  expect(store.jobs.history(saved).map(({ to }) => to)).toEqual(['verifying', 'done']);
});

test('a row whose title an earlier version edited is found by it', async () => {
  // Its rows are “Row 1” and so on, and were found by “row” alone.
  const folder = await folderWithoutWaits();

  const store = await openStore({ folder, origin: ORIGIN, now: NOW, onChange: () => undefined });
  onTestFinished(() => store.close());

  expect(store.jobs.idsOf({ search: 'Row 3' })).toEqual([3]);
});

test('a queue that an earlier version wrote is complete', async () => {
  const folder = temporaryFolder();
  const written = new DatabaseSync(path.join(folder, 'spool.db'));
  written.exec(readFileSync(path.join(import.meta.dirname, 'queue-before-waits.sql'), 'utf8'));
  written.close();

  const store = await openStore({ folder, origin: ORIGIN, now: NOW, onChange: () => undefined });
  onTestFinished(() => store.close());

  const { rows } = store.jobs.page({ offset: 0, limit: 100 });
  expect(
    rows.map((job) => {
      const steps = store.jobs.history(job).length;
      return [job.title, job.state, job.priority, job.attempts, job.remoteId, steps];
    }),
  ).toEqual([
    ['Queued', 'queued', 2, 0, null, 1],
    ['Draft', 'draft', 0, 0, null, 1],
    ['Held', 'held', 0, 0, null, 2],
    ['Cancelled', 'cancelled', 0, 0, null, 2],
    ['Uncertain', 'uncertain', 0, 1, null, 4],
    ['Rejected', 'rejected', 0, 1, null, 4],
    ['Submitted', 'submitted', 0, 1, 'vid-Submitted', 4],
    ['Rendering', 'rendering', 0, 1, 'vid-Rendering', 5],
    ['Ready', 'ready', 0, 1, 'vid-Ready', 6],
    ['Failed', 'failed', 0, 1, 'vid-Failed', 6],
    ['Done', 'done', 0, 1, 'vid-Done', 9],
    ['Missing', 'missing', 0, 1, 'vid-Missing', 10],
    ['Abandoned', 'abandoned', 0, 1, 'vid-Abandoned', 5],
  ]);
  const job = (title: string): JobRow | undefined => rows.find((row) => row.title === title);
  expect(job('Rejected')?.failure).toMatchObject({ code: 'service-refused' });
  expect(job('Rendering')).toMatchObject({ serviceWord: 'working', progress: 0.5 });
  expect(store.jobs.lastResponse(job('Rendering')?.id ?? 0)).toBe('{"status":"working"}');
  expect(store.jobs.requestBody(job('Held')?.id ?? 0)).toBe('{"title":"Held, edited"}');
  expect(job('Done')).toMatchObject({
    filePath: '/renders/Done.mp4',
    renameTo: 'Renamed.mp4',
    fileBytes: 1234,
    fileSha256: 'ab'.repeat(32),
    fileSeconds: 2.5,
  });
  expect(store.jobs.renaming().map(({ title }) => title)).toEqual(['Done']);
  expect(store.ledger.spent(0, Infinity)).toEqual({ charged: 6, held: 1 });
  expect(store.ledger.recorded(0, Infinity)).toMatchObject([{ used: 9, difference: 2 }]);
  expect(store.notes.read('taught-words', z.unknown())).toEqual({ shipped: 'done' });
  // The file is a copy of the one that was written to.
  expect(store.found.condition).toBe('copied');
});

test('an unreadable wait is dropped, and the rest of its job is kept', async () => {
  const folder = await folderWithoutWaits();
  const options = { folder, origin: ORIGIN, now: NOW, onChange: () => undefined };
  const before = await openStore(options);
  const id = 1 + JOB_STATES.indexOf('ready');
  before.transactions.run(
    `UPDATE job SET next_try_at = ?, tries = 3, wait_reason = '{"kind":' WHERE id = ?`,
    NOW + 60_000,
    id,
  );
  await before.close();

  const store = await openStore(options);
  onTestFinished(() => store.close());
  expect(store.jobs.get(id)).toMatchObject({
    state: 'ready',
    waitReason: null,
    tries: 3,
    nextTryAt: NOW,
  });
});
