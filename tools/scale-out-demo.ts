/**
 * `npm run demo -- --scale-out`: a service for several computers, on this one. Starts PostgreSQL,
 * an S3 server, two API processes and two workers; renders six videos, kills a worker while it
 * renders, and prints what happens. It deletes its temporary folders at the end, also when it is
 * interrupted.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startFauxqs } from 'fauxqs';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { NO_POSTGRES, postgresPrograms, PostgresServer } from '../test/rigs/postgres-server.ts';

const SERVICE = path.join(import.meta.dirname, '..', 'src', 'local-service', 'main.ts');
const BUCKET = 'spool-demo';
const EMAIL = 'demo@example.com';
const TITLES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const SECONDS = 10;
const POLL_MS = 500;
/** A worker's heartbeat interval, and the interval in which the heartbeats are checked, added. */
const MAX_SILENCE_MS = 30_000;
/** Added to a signal's number for the exit code, as shells do. */
const SIGNAL_EXIT = 128;

const readySchema = z.object({ url: z.string(), caFile: z.string() });
const keySchema = z.object({ key: z.string() });
const acceptedSchema = z.object({ id: z.string() });
const statusSchema = z.object({ status: z.string(), error: z.string().optional() });
const downloadSchema = z.object({ bytes: z.int() });
const attemptSchema = z.object({ title: z.string(), attempt: z.int() });

const startedAt = performance.now();

function say(text: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${seconds.padStart(6)} s  ${text}`);
}

/** The demo's processes. */
class DemoProcesses {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;
  readonly #children: ChildProcess[] = [];

  /** @param signal aborted to start nothing more */
  constructor(folder: string, env: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#folder = folder;
    this.#env = env;
    this.#signal = signal;
  }

  async command(...args: string[]): Promise<unknown> {
    const all = [SERVICE, ...args, '--database'];
    const options = { env: this.#env, signal: this.#signal };
    const { stdout } = await promisify(execFile)(process.execPath, all, options);
    return stdout === '' ? undefined : JSON.parse(stdout);
  }

  /** Starts `start` or `work`; returns the process and the line that it prints when it is ready. */
  async start(name: string, ...args: string[]): Promise<[ChildProcess, unknown]> {
    this.#signal.throwIfAborted();
    const all = [
      SERVICE,
      ...args,
      '--database',
      '--files',
      `s3://${BUCKET}/videos`,
      '--data-dir',
      path.join(this.#folder, name),
      '--log-level',
      'silent',
    ];
    const child = spawn(process.execPath, all, {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#children.push(child);
    const [line] = (await once(child.stdout, 'data', { signal: this.#signal })) as [Buffer];
    return [child, JSON.parse(line.toString())];
  }

  async end(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }
}

/** A client of one API process. */
class ApiClient {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #dispatcher: Agent;

  constructor({ url, caFile }: z.infer<typeof readySchema>, key: string) {
    this.#url = url;
    this.#headers = { 'x-api-key': key, 'content-type': 'application/json' };
    this.#dispatcher = new Agent({ connect: { ca: readFileSync(caFile) } });
  }

  async ask(target: string, body?: object): Promise<unknown> {
    const answer = await request(`${this.#url}/api/v1/video/${target}`, {
      dispatcher: this.#dispatcher,
      headers: this.#headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    return answer.body.json();
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }
}

async function main(): Promise<number> {
  const programs = postgresPrograms();
  if (programs === undefined) {
    console.error(`${NO_POSTGRES}.`);
    return 1;
  }
  const interrupt = new AbortController();
  let interruptedBy: 'SIGINT' | 'SIGTERM' | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Not only once: a second signal would end this process in the middle of the clean-up.
    process.on(signal, () => {
      interruptedBy ??= signal;
      interrupt.abort();
    });
  }
  const areAllDone = await run(programs, interrupt.signal);
  say('All processes have ended. Everything was deleted.');
  if (interruptedBy) return SIGNAL_EXIT + constants.signals[interruptedBy];
  return areAllDone ? 0 : 1;
}

/** @returns whether the demo succeeded; its processes and files are gone by then */
async function run(programs: string, signal: AbortSignal): Promise<boolean> {
  await using cleanup = new AsyncDisposableStack();
  try {
    return await runWith(cleanup, programs, signal);
  } catch (error) {
    // A terminal signals the other processes too, and their end can be noticed before the signal.
    await delay(POLL_MS);
    if (!signal.aborted) throw error;
    say('The demo is interrupted.');
    return false;
  }
}

async function runWith(
  cleanup: AsyncDisposableStack,
  programs: string,
  signal: AbortSignal,
): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-demo-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 12 }));
  const s3 = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  cleanup.defer(() => s3.stop());
  const postgres = cleanup.use(await PostgresServer.start(programs));
  signal.throwIfAborted();
  const database = await postgres.createDatabase();
  s3.createBucket(BUCKET);
  say('PostgreSQL and a server of the S3 protocol run.');
  const env = {
    ...process.env,
    SPOOL_SERVICE_DATABASE: database,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${s3.port}`,
    AWS_ACCESS_KEY_ID: 'demo',
    AWS_SECRET_ACCESS_KEY: 'demo',
    AWS_REGION: 'us-east-1',
  };
  const processes = new DemoProcesses(folder, env, signal);
  cleanup.defer(() => processes.end());
  return runDemo(processes, postgres, database, signal);
}

async function runDemo(
  processes: DemoProcesses,
  postgres: PostgresServer,
  database: string,
  signal: AbortSignal,
): Promise<boolean> {
  await processes.command('migrate');
  await processes.command('account', 'add', '--email', EMAIL, '--plan', 'creator');
  const created = await processes.command('key', 'create', '--account', EMAIL, '--name', 'demo');
  const { key } = keySchema.parse(created);
  const highStatusLimit = ['--limit', 'status=100000/60s'];
  const apis: ApiClient[] = [];
  for (const name of ['api-1', 'api-2']) {
    const [, ready] = await processes.start(name, 'start', '--port', '0', ...highStatusLimit);
    apis.push(new ApiClient(readySchema.parse(ready), key));
  }
  const workers: ChildProcess[] = [];
  for (const name of ['worker-1', 'worker-2']) {
    workers.push((await processes.start(name, 'work', '--concurrency', '1'))[0]);
  }
  say('Two API processes and two workers run.');

  const [first, second] = apis as [ApiClient, ApiClient];
  const videos = new Map<string, string>();
  for (const [index, title] of TITLES.entries()) {
    const storyboard = {
      title,
      resolution: 480,
      duration: SECONDS,
      soundtrack: 'none',
      scenes: [{ kind: 'title', text: title }],
    };
    const accepted = await (index % 2 === 0 ? first : second).ask('generate', storyboard);
    videos.set(acceptedSchema.parse(accepted).id, title);
  }
  say(`${videos.size} videos are accepted, by both API processes in turn.`);

  const states = new Map<string, string>();
  const unfinished = (): string[] =>
    [...videos.keys()].filter((id) => !['done', 'failed'].includes(states.get(id) ?? ''));
  let killedAt: number | undefined;
  let isWaitAnnounced = false;
  while (unfinished().length > 0) {
    await delay(POLL_MS, undefined, { signal });
    for (const [id, title] of videos) {
      // The second process also reports videos that the first one accepted.
      const { status } = statusSchema.parse(await second.ask(`status/${id}`));
      if (states.get(id) !== status) say(`${title}: ${status}`);
      states.set(id, status);
    }
    const rendering = [...states.values()].filter((state) => state === 'rendering').length;
    if (killedAt === undefined && rendering === workers.length) {
      killedAt = performance.now();
      workers[0]?.kill('SIGKILL');
      say('Worker 1 is killed in the middle of a video.');
    }
    const isSilenceOver = performance.now() - (killedAt ?? Infinity) > MAX_SILENCE_MS;
    if (killedAt !== undefined && !isWaitAnnounced && !isSilenceOver && unfinished().length === 1) {
      isWaitAnnounced = true;
      say('Worker 1 is missed after at most 30 s of silence; then worker 2 gets its video.');
    }
  }
  const areAllDone = await report(first, videos, states, postgres, database);
  await Promise.all(apis.map((api) => api.close()));
  return areAllDone && killedAt !== undefined;
}

/** Prints how many videos are done and which were rendered again; returns whether all are done. */
async function report(
  api: ApiClient,
  videos: ReadonlyMap<string, string>,
  states: ReadonlyMap<string, string>,
  postgres: PostgresServer,
  database: string,
): Promise<boolean> {
  let bytes = 0;
  for (const id of videos.keys()) {
    if (states.get(id) === 'done') {
      bytes += downloadSchema.parse(await api.ask(`download/${id}`)).bytes;
    }
  }
  const rows = await postgres.query(
    'SELECT title, attempt FROM spool.video WHERE attempt > 1',
    database,
  );
  const renderedAgain = rows.map((row) => attemptSchema.parse(row));
  const done = [...states.values()].filter((state) => state === 'done').length;
  say(`${done} of ${videos.size} videos are done, ${(bytes / 1e6).toFixed(1)} MB in the bucket.`);
  for (const { title, attempt } of renderedAgain)
    say(`${title} was rendered in attempt ${attempt}.`);
  return done === videos.size;
}

process.exitCode = await main();
