/**
 * Measures a queue of 100,000 videos: `npm run bench:queue`.
 *
 * Each phase runs in a separate process, which separates their memory. Targets: read, check and
 * queue the file in 3 s; from opening the folder to the first update in 300 ms; from a change of a
 * job's state to its update in 5 ms (99th percentile); 150 MiB for an engine with this queue. A
 * change waits for the disk, so bare commits of one row are measured alternately with it.
 *
 * Then it measures what is on disk before each request leaves: its line in the journal, its attempt
 * and its line in the witness, in turn. The last phase opens a queue with a million archived videos
 * and an empty one in turn, and searches in the archive. Targets: the same time to open and to list;
 * 100 ms to find a video.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { openEngine, type TestEngine } from '../test/rigs/open-engine.ts';
import { openStore } from '../test/rigs/open-store.ts';
import { MemoryKeyStore } from '../src/engine/keys/key-store.ts';
import { systemClock } from '../src/engine/system-clock.ts';

const ORIGIN = 'https://service.invalid';
const ROWS = 100_000;
const CHANGES = 300;
/** Long enough that updates are not combined. */
const BETWEEN_CHANGES_MS = 100;
/** Milliseconds after which an unreported change counts as lost, and a phase as hanging. */
const LOST_AFTER_MS = 10_000;
const MAX_PHASE_MS = 180_000;
const MIB = 1024 * 1024;

const csv = (): string =>
  [
    'title,message,seconds',
    ...Array.from(
      { length: ROWS },
      (_, row) => `Video ${row},"What there is to say, number ${row}",${5 + (row % 30)}`,
    ),
  ].join('\n');

/** An engine without a key, which sends nothing and otherwise works as usual. */
function open(folder: string): Promise<TestEngine> {
  return openEngine({
    dataDir: folder,
    service: { name: 'nowhere', baseUrl: ORIGIN },
    plan: { name: 'business', anchor: Date.UTC(2026, 0, 1) },
    defaultFolder: path.join(folder, 'renders'),
    keys: new MemoryKeyStore(),
    clock: systemClock,
    random: Math.random,
  });
}

function megabytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`;
}

/** The peak of this process's memory. */
function peakMemory(): string {
  return megabytes(process.resourceUsage().maxRSS * 1024);
}

async function importPhase(folder: string): Promise<string[]> {
  const engine = await open(folder);
  const source = { name: 'A hundred thousand.csv', content: csv() };
  const startedAt = performance.now();
  const { submitted } = await engine.commands.batches.add({ origin: ORIGIN, source, options: {} });
  const took = performance.now() - startedAt;
  await engine.close();
  return [
    `read, check and queue ${submitted} rows: ${took.toFixed(0)} ms (target 3000)`,
    `  at most ${peakMemory()} in memory while at it`,
  ];
}

async function openPhase(folder: string): Promise<string[]> {
  const startedAt = performance.now();
  const engine = await open(folder);
  for await (const { summary } of engine.watch(undefined, new AbortController().signal)) {
    if (summary.counts.queued === ROWS) break;
  }
  const shownAt = performance.now();
  const { jobs } = await engine.commands.jobs.list({ offset: ROWS - 200, limit: 200 });
  const listedAt = performance.now();
  await engine.close();
  return [
    `open to first update: ${(shownAt - startedAt).toFixed(0)} ms (target 300)`,
    `list the last ${jobs.length} rows: ${(listedAt - shownAt).toFixed(0)} ms`,
  ];
}

/** Returns a function that commits one row, as durably as the queue does. */
function bareCommits(folder: string): () => void {
  const database = new DatabaseSync(path.join(folder, 'bare.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (at REAL)');
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  return () => void insert.run(performance.now());
}

/** Median and 99th percentile, as text. */
function percentiles(took: readonly number[]): string {
  const sorted = took.toSorted((a, b) => a - b);
  const quantile = (share: number): string =>
    (sorted[Math.floor(share * sorted.length)] ?? 0).toFixed(2);
  return `median ${quantile(0.5)} ms, 99% ${quantile(0.99)} ms`;
}

async function changePhase(folder: string): Promise<string[]> {
  const engine = await open(folder);
  const stop = new AbortController();
  const seen = new Map<string, () => void>();
  void (async () => {
    for await (const { jobs } of engine.watch(undefined, stop.signal)) {
      for (const { id } of jobs) seen.get(id)?.();
    }
  })();
  const { jobs } = await engine.commands.jobs.list({ offset: 0, limit: CHANGES });
  const commit = bareCommits(folder);
  const changes: number[] = [];
  const updates: number[] = [];
  const commits: number[] = [];
  for (const { id } of jobs) {
    await systemClock.sleep(BETWEEN_CHANGES_MS / 2);
    const committedFrom = performance.now();
    commit();
    commits.push(performance.now() - committedFrom);
    await systemClock.sleep(BETWEEN_CHANGES_MS / 2);
    const startedAt = performance.now();
    const updated = new Promise<void>((resolve) => seen.set(id, resolve));
    const { changed } = await engine.commands.jobs.hold({ ids: [id] });
    if (changed !== 1) throw new Error(`Job ${id} could not be held.`);
    const writtenAt = performance.now();
    await Promise.race([updated, lost(id)]);
    changes.push(performance.now() - startedAt);
    updates.push(performance.now() - writtenAt);
  }
  stop.abort();
  const memory = process.memoryUsage.rss();
  await engine.close();
  return [
    `change to its update: ${percentiles(changes)} (target 5)`,
    `  of it, once the change is on disk: ${percentiles(updates)}`,
    `  beside it, a bare commit of one row: ${percentiles(commits)}`,
    `an engine that has it open and is watched: ${megabytes(memory)}, at most ${peakMemory()} (target 150 MiB)`,
  ];
}

async function lost(id: string): Promise<never> {
  await setTimeout(LOST_AFTER_MS, undefined, { ref: false });
  throw new Error(`There was no update that job ${id} is held.`);
}

/** In a separate queue, without a request. */
async function sendPhase(folder: string): Promise<string[]> {
  const origin = ORIGIN;
  const own = path.join(folder, 'send');
  const [data, stateDir] = [path.join(own, 'data'), path.join(own, 'state')];
  mkdirSync(data, { recursive: true });
  const onChange = (): void => undefined;
  const store = await openStore({ folder: data, stateDir, origin, now: 0, onChange });
  const times = { journal: [], attempt: [], witness: [] } as Record<string, number[]>;
  const measure = (what: string, work: () => void): void => {
    const startedAt = performance.now();
    work();
    times[what]?.push(performance.now() - startedAt);
  };
  for (let at = 1; at <= CHANGES; at++) {
    const entry = { at, job: 1, body: 'a'.repeat(64) };
    measure('journal', () => store.journal.append(entry));
    measure('attempt', () => store.notes.write('attempt', entry));
    measure('witness', () => store.witness?.append(entry));
    await systemClock.sleep(BETWEEN_CHANGES_MS / 10);
  }
  await store.close();
  return Object.entries(times).map(
    ([what, each]) => `before a request, ${what}: ${percentiles(each)}`,
  );
}

/** In a separate queue, whose jobs are written without an engine: they are only read. */
async function archivePhase(folder: string): Promise<string[]> {
  const folders = { full: path.join(folder, 'archive'), empty: path.join(folder, 'no-archive') };
  for (const each of Object.values(folders)) {
    mkdirSync(each);
    const store = await openStore({ ...STORE, folder: each });
    const naming = { folder: each, nameTemplate: '{title}', onCollision: 'number' } as const;
    store.batches.insert({ name: 'Archived', addedAt: 0, ...naming });
    await store.close();
  }
  fillArchive(path.join(folders.full, 'spool.db'));
  // The first start after that change checks the whole file.
  await (await openStore({ ...STORE, folder: folders.full })).close();
  const opened = { full: [] as number[], empty: [] as number[] };
  const searches = ['video 123456', 'xy', 'launch'];
  const found: number[][] = searches.map(() => []);
  for (let turn = 0; turn < ARCHIVE_TURNS; turn++) {
    for (const [name, each] of Object.entries(folders) as ['full' | 'empty', string][]) {
      const startedAt = performance.now();
      const store = await openStore({ ...STORE, folder: each });
      store.jobs.page({ archived: false, limit: 200 });
      opened[name].push(performance.now() - startedAt);
      for (const [index, search] of name === 'full' ? searches.entries() : []) {
        const searchedAt = performance.now();
        store.jobs.page({ archived: true, search, limit: 200 });
        found[index]?.push(performance.now() - searchedAt);
      }
      await store.close();
    }
  }
  return [
    `open and list beside ${ARCHIVED} archived: ${percentiles(opened.full)}`,
    `  beside none: ${percentiles(opened.empty)}`,
    ...searches.map(
      (search, index) => `  search “${search}” in them: ${percentiles(found[index] ?? [])}`,
    ),
  ];
}

const STORE = { origin: ORIGIN, now: 0, onChange: () => undefined } as const;
const ARCHIVED = 1_000_000;
const ARCHIVE_TURNS = 15;

function fillArchive(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`BEGIN;
    INSERT INTO template (sha256, content) VALUES (x'00', '{}');
    WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ${ARCHIVED})
      INSERT INTO job (service_id, batch_id, title, title_folded, preset, body_sha256, occurrence,
          state, position, remote_id, file_name, file_path, file_bytes, file_sha256, added_at,
          submitted_at, ready_at, saved_at, archived_at)
        SELECT 1, 1, 'Launch video ' || i, 'launch video ' || i, 'p', randomblob(32), 0,
          'done', i * 1024, 'v' || i, i || '.mp4', '/renders/' || i || '.mp4', 1000000,
          hex(randomblob(32)), i, i, i, i, i FROM number;
    INSERT INTO archived_title (rowid, title) SELECT id, title_folded FROM job;
    INSERT INTO request SELECT id, 1, '[["title","' || title || '"]]',
      '{"title":"' || title || '","scenes":[{"text":"What there is to say","seconds":5}]}' FROM job;
    INSERT INTO history (job_id, step, at, from_state, to_state)
      SELECT job.id, step.value, job.id + step.value, 'queued',
          CASE step.value WHEN 9 THEN 'done' ELSE 'reserved' END
        FROM job, json_each('[1,2,3,4,5,6,7,8,9]') AS step;
    INSERT INTO charge (service_id, job_id, at, service_at, state)
      SELECT 1, id, id, id, 'charged' FROM job;
    COMMIT;
    PRAGMA wal_checkpoint(TRUNCATE);`);
  database.close();
}

const PHASES = {
  import: importPhase,
  open: openPhase,
  change: changePhase,
  send: sendPhase,
  archive: archivePhase,
} as const;

const [, program = '', phase, folder] = process.argv;
if (phase !== undefined && folder !== undefined && phase in PHASES) {
  const lines = await PHASES[phase as keyof typeof PHASES](folder);
  process.stdout.write(`${lines.join('\n')}\n`);
} else {
  const cache = path.join(import.meta.dirname, '../node_modules/.cache/node');
  const data = mkdtempSync(path.join(tmpdir(), 'spool-bench-'));
  writeFileSync(path.join(data, 'README'), 'Made by bench/queue.ts; may be deleted.\n');
  for (const each of Object.keys(PHASES)) {
    const { status } = spawnSync(process.execPath, [program, each, data], {
      stdio: 'inherit',
      timeout: MAX_PHASE_MS,
      // Keeps compiled code between starts, as `bin/spool` does.
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
    });
    if (status !== 0) process.exitCode = 1;
  }
  rmSync(data, { recursive: true });
}
