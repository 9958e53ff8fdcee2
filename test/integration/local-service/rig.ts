import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { onTestFinished, test, type TestContext } from 'vitest';
import type { Plan } from '../../../src/local-service/accounts/account.ts';
import type { Accounts } from '../../../src/local-service/accounts/accounts.ts';
import type { ApiKeys } from '../../../src/local-service/accounts/api-keys.ts';
import {
  defaultLimits,
  type RateLimitOptions,
} from '../../../src/local-service/accounts/rate-limits.ts';
import type { After } from '../../../src/local-service/clock.ts';
import type { FrameSource } from '../../../src/local-service/rendering/frame-preview.ts';
import type { DrawTask } from '../../../src/local-service/rendering/render-pool.ts';
import type { Storyboard } from '../../../src/local-service/rendering/storyboard.ts';
import type { TextIssue } from '../../../src/local-service/rendering/text-issue.ts';
import { type RunningService, startService } from '../../../src/local-service/server.ts';
import type { Blobs } from '../../../src/local-service/storage/blobs.ts';
import type { Renderer, RenderTask } from '../../../src/local-service/videos/renderer.ts';
import { COLUMN, openServiceColumn } from './service-columns.ts';
import { QUICK_HASHING } from '../../rigs/quick-hashing.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** Interval of database reads; rendering needs the processor more. */
const POLL_INTERVAL_MS = 5;

/** A clock that only a test advances, with timers that follow it. */
export class ManualClock {
  #now = Date.UTC(2026, 2, 10, 12, 0, 0, 250);
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();
  now(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.work();
    }
  }
  readonly after: After = (ms, work) => {
    const timer = { at: this.#now + ms, work };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => void this.#timers.delete(timer) };
  };
  set(moment: string): void {
    this.#now = Date.parse(moment);
  }
}

interface Pending {
  readonly task: RenderTask;
  readonly progress: (done: number, total: number) => void;
  finish(): void;
  fail(error: Error): void;
}

/** Renders on command (or at once), by writing bytes that depend on the title only. */
export class FakeRenderer implements Renderer {
  readonly begun: string[] = [];
  readonly pending: Pending[] = [];
  readonly #mode: 'at-once' | 'by-hand';
  #onBegin: (() => void)[] = [];

  constructor(mode: 'at-once' | 'by-hand' = 'at-once') {
    this.#mode = mode;
  }

  async render(
    task: RenderTask,
    onProgress: (done: number, total: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.begun.push(task.storyboard.title);
    if (this.#mode === 'by-hand') {
      await new Promise<void>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        this.pending.push({ task, progress: onProgress, finish: resolve, fail: reject });
        for (const wake of this.#onBegin.splice(0)) wake();
      });
    }
    await writeWhole(task.posterPath, seededBytes(`${task.storyboard.title} poster`, 2000));
    await writeWhole(task.videoPath, seededBytes(task.storyboard.title, 100_000));
  }

  /** The next render, which the test must end. */
  async next(): Promise<Pending> {
    while (this.pending.length === 0) {
      await new Promise<void>((resolve) => this.#onBegin.push(resolve));
    }
    return this.pending.shift()!;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Draws nothing, and records its tasks. */
export class FakeFrames implements FrameSource {
  readonly asked: DrawTask[] = [];
  /** Called while a frame is drawn. */
  onDraw: (task: DrawTask) => void = () => undefined;

  draw(task: DrawTask): Promise<Buffer> {
    this.asked.push(task);
    this.onDraw(task);
    return Promise.resolve(seededBytes(`${task.storyboard.title} frame`, 1000));
  }

  checkLayouts(storyboards: readonly Storyboard[]): Promise<TextIssue[][]> {
    return Promise.resolve(storyboards.map(() => []));
  }

  findUndrawable(texts: readonly string[]): Promise<string[]> {
    return Promise.resolve([...texts]);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function writeWhole(file: string, content: Buffer): Promise<void> {
  await writeFile(`${file}.part`, content);
  await rename(`${file}.part`, file);
}

/** Deterministic bytes, different for each seed. */
export function seededBytes(seed: string, length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += 32) {
    blocks.push(createHash('sha256').update(`${seed}:${at}`).digest());
  }
  return Buffer.concat(blocks).subarray(0, length);
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as JSON. */
  readonly json: Record<string, unknown> & { details?: Record<string, unknown> };
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  /** Another address of this computer, such as `127.0.0.2`. */
  readonly localAddress?: string;
}

/** Paths of the studio's pages. */
const STUDIO_PATH = /^\/(?:$|\?|studio|settings|sign-|assets)/;

/** An HTTPS client that shares no code with the service. */
export class Client {
  readonly #origin: string;
  readonly #agent: https.Agent;
  /** Of the studio's pages, which have a name for themselves. */
  readonly #studioHost: string | undefined;

  constructor(origin: string, caFile: string, studioUrl?: string) {
    this.#origin = origin;
    this.#studioHost = studioUrl === undefined ? undefined : new URL(studioUrl).host;
    this.#agent = new https.Agent({ keepAlive: true, ca: readFileSync(caFile) });
  }

  ask(
    target: string,
    { method = 'GET', headers = {}, body, localAddress }: Ask = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // `URL` would normalise the paths that tests send on purpose.
      const url = target.startsWith('https:') ? target : this.#origin + target;
      const [, host = '', port = '', rest = '/'] =
        /^https:\/\/(\[[^\]]+\]|[^/:]+):(\d+)(.*)$/s.exec(url) ?? [];
      const request = https.request(
        {
          host: host.replace(/^\[|\]$/g, ''),
          port,
          path: rest,
          method,
          headers: {
            ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
            ...(this.#studioHost !== undefined &&
              STUDIO_PATH.test(rest) && { host: this.#studioHost }),
            ...headers,
          },
          agent: this.#agent,
          ...(localAddress !== undefined && { localAddress }),
          // Otherwise a test's Host header would be the name to verify.
          servername: 'localhost',
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes,
              get json() {
                return JSON.parse(bytes.toString('utf8')) as Answer['json'];
              },
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  post(target: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export interface RigOptions extends Partial<RateLimitOptions> {
  readonly dataDir?: string;
  readonly clock?: ManualClock;
  readonly renderer?: Renderer;
  readonly frames?: FrameSource;
  readonly workers?: number;
  /** Where finished videos are; in the data folder when omitted. */
  readonly blobs?: Blobs;
  /** How long finished videos are kept, in milliseconds; the service's own default when omitted. */
  readonly retentionMs?: number;
  /** Hashes passwords with the default parameters; at almost no cost when omitted. */
  readonly hashesAsByDefault?: boolean;
  /** Receives the lines of the service's log. */
  readonly logLines?: string[];
}

export interface Rig {
  readonly service: RunningService;
  readonly client: Client;
  readonly clock: ManualClock;
  readonly dataDir: string;
  /** Opened as by another process, such as a user's command. */
  readonly accounts: Accounts;
  readonly keys: ApiKeys;
  /** Creates an account with a key. Returns the headers for its requests. */
  signUp(plan?: Plan, email?: string): Promise<{ 'x-api-key': string }>;
  /** Whether a video is rendered, or failed. */
  isSettled(id: string): boolean | Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * A real service on a free port, closed when the test ends. The test project's column determines
 * its database and its store.
 */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const clock = options.clock ?? new ManualClock();
  const log = pino(
    { level: options.logLines ? 'debug' : 'silent' },
    { write: (line) => void options.logLines?.push(line) },
  );
  const window = options.window ?? 'fixed';
  const renderer = options.renderer ?? new FakeRenderer();
  const workers = options.workers ?? 1;
  const { blobs, retentionMs } = options;
  const column = await openServiceColumn({
    dataDir,
    clock,
    after: clock.after,
    window,
    log,
    renderer,
    workers,
    blobs,
    retentionMs,
  });
  const service = await startService({
    dataDir,
    host: '127.0.0.1',
    port: 0,
    window,
    limits: { ...defaultLimits, ...options.limits },
    clock,
    after: clock.after,
    log,
    renderer,
    frames: options.frames ?? new FakeFrames(),
    workers,
    ...(column.blobs && { blobs: column.blobs }),
    ...(column.shared && { shared: column.shared }),
    ...(retentionMs !== undefined && { retentionMs }),
    ...(!options.hashesAsByDefault && { passwordHashing: QUICK_HASHING }),
  });
  const client = new Client(service.url, service.caFile!, service.studioUrl);
  const elsewhere = column.openElsewhere();
  const { accounts, keys } = elsewhere.stores;

  let stopped = false;
  const stop = async (): Promise<void> => {
    if (stopped) return;
    stopped = true;
    client.close();
    await column.stopWorker();
    await service.close();
    await column.close();
  };
  onTestFinished(stop);
  return {
    service,
    client,
    clock,
    dataDir,
    accounts,
    keys,
    stop,
    isSettled: (id) => elsewhere.isSettled(id),
    signUp: async (plan = 'starter', email = `${randomBytes(6).toString('hex')}@example.com`) => {
      const account = await accounts.add({ email, plan });
      return { 'x-api-key': (await keys.create(account, 'test')).value };
    },
  };
}

/** Declares a test that needs the embedded service's data folder or its single process. */
export const testEmbedded: TestFunction = COLUMN === 'embedded' ? test : test.skip;

type TestFunction = (name: string, work: (context: TestContext) => Promise<void>) => void;

/** The smallest storyboard. */
export function storyboard(title = 'A title'): object {
  return { title, scenes: [{ kind: 'title', text: title }] };
}

/**
 * The final status of a video. Waits on the database, since each status request would count against
 * the account's limit.
 */
export async function settled(
  rig: Rig,
  headers: Record<string, string>,
  id: string,
): Promise<Answer> {
  while (!(await rig.isSettled(id))) await setTimeout(POLL_INTERVAL_MS);
  return rig.client.ask(`/api/v1/video/status/${id}`, { headers });
}
