import { expect, onTestFinished, test } from 'vitest';
import { JOB_STATES } from '../../../../src/contract/job-states.ts';
import { openDatabase } from '../../../../src/engine/jobs/database.ts';
import { MIGRATIONS } from '../../../../src/engine/jobs/schema.ts';
import { Store } from '../../../../src/engine/jobs/store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NOW = Date.UTC(2026, 0, 5, 9);
const ORIGIN = 'https://service.example';

/** The schema before jobs had columns for their waits. */
const WITHOUT_WAITS = MIGRATIONS.slice(0, 7);

/** A job in each state, as a Spool with that schema has written them. */
async function writtenWithoutWaits(): Promise<string> {
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
  const folder = await writtenWithoutWaits();

  const store = await Store.open({ folder, origin: ORIGIN, now: NOW, onChange: () => undefined });
  onTestFinished(() => store.close());

  expect(store.condition).toBe('sound');
  expect(store.batches.all()).toMatchObject([{ name: 'Spring', folder: '/renders' }]);
  expect(store.jobs.counts.sum(JOB_STATES)).toBe(JOB_STATES.length);
  expect(store.ledger.spent(0, Infinity).charged).toBe(JOB_STATES.length);
  expect(store.jobs.waiting()).toEqual([]);
  for (const index of JOB_STATES.keys()) {
    const found = store.jobs.get(index + 1);
    expect(found).toMatchObject({
      ...{ title: `Row ${index + 1}`, remoteId: `video-${index + 1}`, fileBytes: 1000 },
      ...{ addedAt: NOW, savedAt: NOW, nextTryAt: null, tries: 0, waitReason: null },
    });
    expect(store.jobs.request(found.id).body).toBe('{"title":"Row"}');
  }
  const saved = store.jobs.get(1 + JOB_STATES.indexOf('done'));
  expect(store.jobs.history(saved).map(({ to }) => to)).toEqual(['verifying', 'done']);
});

test('a wait that cannot be read takes nothing else with it', async () => {
  const folder = await writtenWithoutWaits();
  const options = { folder, origin: ORIGIN, now: NOW, onChange: () => undefined };
  const before = await Store.open(options);
  const id = 1 + JOB_STATES.indexOf('ready');
  before.transactions.run(
    `UPDATE job SET next_try_at = ?, tries = 3, wait_reason = '{"kind":' WHERE id = ?`,
    NOW + 60_000,
    id,
  );
  await before.close();

  const store = await Store.open(options);
  onTestFinished(() => store.close());
  expect(store.jobs.get(id)).toMatchObject({
    state: 'ready',
    waitReason: null,
    tries: 3,
    nextTryAt: NOW,
  });
});
