/**
 * Measures a queue of 100,000 videos: `npm run bench:queue`.
 *
 * Each phase runs in a separate process, which separates their memory. Targets: read, check and
 * queue the file in 3 s; from opening the folder to the first update in 300 ms; from a change of a
 * job's state to its update in 5 ms (99th percentile); 150 MiB for an engine with this queue. A
 * change waits for the disk, so bare commits of one row are measured alternately with it.
 *
 * The last phase measures what is on disk before each request leaves: its line in the journal, its
 * attempt and its line in the witness, in turn.
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

const PHASES = {
  import: importPhase,
  open: openPhase,
  change: changePhase,
  send: sendPhase,
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
