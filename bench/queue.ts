/**
 * A queue of 100,000 videos: `npm run bench:queue`.
 *
 * Each phase runs in a process of its own, so that its memory is its own. Targets: read, check and
 * queue the file in 3 s; from opening the folder to the first update in 300 ms; from a change of a
 * job's state to its update in 5 ms (99th percentile); 150 MiB for an engine that has it open.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openEngine, type Engine } from '../src/engine/engine.ts';
import { MemoryKeyStore } from '../src/engine/keys/memory-key-store.ts';
import { systemClock } from '../src/engine/system-clock.ts';

const ROWS = 100_000;
const CHANGES = 500;
const MIB = 1024 * 1024;

const csv = (): string =>
  [
    'title,message,seconds',
    ...Array.from(
      { length: ROWS },
      (_, row) => `Video ${row},"What there is to say, number ${row}",${5 + (row % 30)}`,
    ),
  ].join('\n');

/** Without a key nothing is sent, and everything else is as it always is. */
function open(folder: string): Promise<Engine> {
  return openEngine({
    dataDir: folder,
    service: { name: 'nobody', baseUrl: 'https://service.invalid' },
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

/** The most that this process has had in memory. */
function peakMemory(): string {
  return megabytes(process.resourceUsage().maxRSS * 1024);
}

async function importPhase(folder: string): Promise<string[]> {
  const engine = await open(folder);
  const source = { name: 'A hundred thousand.csv', content: csv() };
  const startedAt = performance.now();
  const { submitted } = await engine.addBatch(source, {});
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
  const { jobs } = await engine.listJobs({ offset: ROWS - 200, limit: 200 });
  const listedAt = performance.now();
  await engine.close();
  return [
    `open to first update: ${(shownAt - startedAt).toFixed(0)} ms (target 300)`,
    `list the last ${jobs.length} rows: ${(listedAt - shownAt).toFixed(0)} ms`,
  ];
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
  const { jobs } = await engine.listJobs({ offset: 0, limit: CHANGES });
  const took: number[] = [];
  for (const { id } of jobs) {
    // Longer apart than updates are brought together for: each change stands for itself.
    await systemClock.sleep(60);
    const startedAt = performance.now();
    const told = new Promise<void>((resolve) => seen.set(id, resolve));
    await engine.hold([id]);
    await told;
    took.push(performance.now() - startedAt);
  }
  stop.abort();
  const memory = process.memoryUsage.rss();
  await engine.close();
  took.sort((a, b) => a - b);
  const quantile = (share: number): string =>
    (took[Math.floor(share * took.length)] ?? 0).toFixed(2);
  return [
    `change to its update: median ${quantile(0.5)} ms, 99% ${quantile(0.99)} ms (target 5)`,
    `an engine that has it open and is watched: ${megabytes(memory)}, at most ${peakMemory()} (target 150 MiB)`,
  ];
}

const PHASES = { import: importPhase, open: openPhase, change: changePhase } as const;

const [, program = '', phase, folder] = process.argv;
if (phase !== undefined && folder !== undefined && phase in PHASES) {
  const lines = await PHASES[phase as keyof typeof PHASES](folder);
  process.stdout.write(`${lines.join('\n')}\n`);
} else {
  const data = mkdtempSync(path.join(tmpdir(), 'spool-bench-'));
  writeFileSync(path.join(data, 'README'), 'Made by bench/queue.ts; may be deleted.\n');
  for (const each of Object.keys(PHASES)) {
    spawnSync(process.execPath, [program, each, data], { stdio: 'inherit' });
  }
  rmSync(data, { recursive: true });
}
