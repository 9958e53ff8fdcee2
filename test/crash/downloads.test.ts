import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { OVERLAP_BYTES } from '../../src/engine/downloads/range-response.ts';
import { PartFile } from '../../src/engine/downloads/part-file.ts';
import { readRecord } from '../../src/engine/downloads/part-record.ts';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { DiskOrder, type DiskEvent } from '../rigs/disk-events.ts';
import { FaultServer, honest } from '../rigs/fault-server.ts';
import { seededVideo, sha256 } from '../rigs/seeded-video.ts';
import { casesOf } from '../soak/long-form.ts';

/** Set one to repeat a failed series: `SERIES=7 npx vitest run --project crash downloads`. */
const ONLY = process.env.SERIES;
/** Each takes three seconds, and its number is its seed: the long form runs later numbers too. */
const SERIES = casesOf({ short: 3, long: 100 });
const KILLS_IN_A_SERIES = 10;
const PARALLEL_SERIES = 3;
/** Maximum disk operations after the last byte of a run: midway, and at the end of the file. */
const [EVENTS_LEFT_MIDWAY, EVENTS_LEFT_AT_END] = [6, 11];
/** The content of a placeholder on a disk without hard links (`downloads/place.ts`). */
const PLACEHOLDER = 'Spool was about to move a video here.\n';

const film = seededVideo(7, 4 * 1024 * 1024 + 4321);
const child = path.join(import.meta.dirname, '../rigs/download-child.ts');

/** Small and seeded, so that a failing run can be repeated (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** When a run is killed: after this byte, and after this many disk operations. */
interface KillPoint {
  /** The server sends the file up to here, and then nothing. */
  readonly sent: number;
  readonly byte: number;
  readonly eventsLeft: number;
}

/** @param from bytes that are on the disk already */
function randomKillPoint(random: () => number, from: number): KillPoint {
  const all = film.bytes.length;
  const kind = random();
  // A third is at the end of the file, when it is completed, moved and cleaned up.
  if (kind < 1 / 3) {
    return { sent: all, byte: all, eventsLeft: Math.floor(random() * EVENTS_LEFT_AT_END) };
  }
  const byte = from + Math.ceil((all - from) * random());
  // At exactly this byte, or this many events after the first ones while more bytes arrive.
  return kind < 2 / 3
    ? { sent: byte, byte, eventsLeft: 0 }
    : { sent: all, byte: from + 1, eventsLeft: Math.floor(random() * EVENTS_LEFT_MIDWAY) };
}

/** The content of a part's record. */
interface RecordContent {
  /** The number of bytes that are on the disk. */
  readonly offset: number;
  /** Whether these are the whole file. */
  readonly whole: boolean;
}

const NOTHING: RecordContent = { offset: 0, whole: false };

/** Checks the disk after a kill: the record must never state more bytes than the part has. */
async function inspect(target: string, run: string): Promise<RecordContent> {
  const record = await readRecord(target);
  const part = await readFile(PartFile.pathFor(target)).catch(() => undefined);
  const saved = await readFile(target).catch(() => undefined);
  if (saved && saved.toString() !== PLACEHOLDER) {
    expect(sha256(saved), `${run}: saved`).toBe(film.sha256);
  }
  if (!record || !part) return { offset: 0, whole: record?.isWhole ?? false };
  const { offset } = record;
  expect(offset, `${run}: recorded`).toBeLessThanOrEqual(part.length);
  const prefix = part.subarray(0, offset);
  expect(createHash('sha256').update(prefix).digest('hex'), run).toBe(record.prefixSha256);
  expect(prefix.equals(film.bytes.subarray(0, offset)), `${run}: bytes`).toBe(true);
  return { offset, whole: record.isWhole };
}

interface RunResult {
  readonly isKilled: boolean;
  /** The child's output: its outcome, if it had one. */
  readonly output: string;
  /** The record on the disk afterwards. */
  readonly after: RecordContent;
}

/** One run of the downloader; it is killed at the kill point, unless it ends before. */
async function runDownloader(
  program: BundledProgram,
  env: Readonly<Record<string, string>>,
  target: string,
  name: string,
  before: RecordContent,
  killPoint?: KillPoint,
): Promise<RunResult> {
  const order = new DiskOrder(before.offset);
  const all = film.bytes.length;
  const { sent, byte, eventsLeft } = killPoint ?? { sent: all, byte: all, eventsLeft: Infinity };
  const firstBytes: number[] = [];
  const server = await FaultServer.start((request) => {
    firstBytes.push(request.from);
    const reply = honest({ bytes: film.bytes, etag: '"film"' }, request);
    const length = Math.max(0, sent - request.from);
    return { ...reply, body: (reply.body ?? Buffer.alloc(0)).subarray(0, length), then: 'silent' };
  });
  const running = spawn(process.execPath, [program.file, server.url(), target], {
    stdio: ['pipe', 'pipe', 'inherit', 'pipe'],
    env: { ...program.env, ...env },
  });
  let output = '';
  running.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  const failure = await watchRun(running, order, name, before.whole ? 0 : byte, eventsLeft);
  await server.stop();
  if (failure) throw failure;
  const after = await inspect(target, name);
  if (!after.whole && after.offset > 0) {
    expect(after.offset, `${name}: kept`).toBeGreaterThanOrEqual(order.promised);
  }
  const [firstByte] = firstBytes;
  if (firstByte !== undefined && !before.whole) {
    // No recorded byte is downloaded again, except for the overlap that is compared.
    expect(firstByte, `${name}: resumed`).toBe(Math.max(0, before.offset - OVERLAP_BYTES));
  }
  return { isKilled: running.signalCode === 'SIGKILL', output, after };
}

/** Waits for a run's end; kills it `eventsLeft` events after it has written `stop` bytes. */
async function watchRun(
  running: ChildProcess,
  order: DiskOrder,
  name: string,
  stop: number,
  eventsLeft: number,
): Promise<Error | undefined> {
  const [stdin, events] = [running.stdin!, running.stdio[3] as Readable];
  stdin.on('error', () => undefined);
  let left = eventsLeft;
  let isReached = stop === 0;
  let failure: Error | undefined;
  createInterface(events).on('line', (line) => {
    const event = JSON.parse(line) as DiskEvent;
    try {
      order.check(event, name);
    } catch (error) {
      failure ??= error as Error;
    }
    if (event.kind === 'written' && event.bytes >= stop) isReached = true;
    if (isReached) left -= 1;
    if (left < 0 || failure) running.kill('SIGKILL');
    else stdin.write('.');
  });
  await once(running, 'close');
  return failure;
}

it(
  `a download killed ${SERIES * KILLS_IN_A_SERIES} times at any byte resumes and saves the correct file (fault 31)`,
  { timeout: 120_000 + SERIES * 60_000 },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-killed-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const program = await BundledProgram.build(child);
    onTestFinished(() => program.remove());
    let kills = 0;

    async function series(number: number): Promise<void> {
      const random = seededRandom(number);
      const target = path.join(folder, `${number}`, 'film.mp4');
      const env = { NO_HARD_LINKS: String(number % 2) };
      let before = NOTHING;
      for (let run = 0, ended = 0; ended < KILLS_IN_A_SERIES; run += 1) {
        const killPoint = randomKillPoint(random, before.offset);
        const name = `series ${number}, run ${run}, ${JSON.stringify(killPoint)}`;
        const { isKilled, after } = await runDownloader(
          program,
          env,
          target,
          name,
          before,
          killPoint,
        );
        before = after;
        if (isKilled) ended += 1;
        // A completed download cannot be resumed: continue with another file.
        const left = await readdir(path.dirname(target));
        const isDone = left.every((name) => name === 'film.mp4' || name.endsWith('.lock'));
        if (!isKilled || isDone) {
          await rm(path.dirname(target), { recursive: true });
          before = NOTHING;
        }
      }
      kills += KILLS_IN_A_SERIES;
      const { output } = await runDownloader(
        program,
        env,
        target,
        `series ${number}, last run`,
        before,
      );
      expect(JSON.parse(output), `series ${number}`).toMatchObject({
        kind: 'saved',
        path: target,
        sha256: film.sha256,
      });
      expect(await readdir(path.dirname(target))).toEqual(['film.mp4']);
    }

    const all = Array.from({ length: SERIES }, (_, number) => number);
    const numbers = ONLY === undefined ? all : [Number(ONLY)];
    const expected = numbers.length * KILLS_IN_A_SERIES;
    const runNext = async (): Promise<void> => {
      for (let next = numbers.shift(); next !== undefined; next = numbers.shift()) {
        await series(next);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_SERIES }, runNext));
    expect(kills).toBe(expected);
  },
);
