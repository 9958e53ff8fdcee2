import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../src/engine/clock.ts';
import type { DownloadOutcome, DownloadRequest } from '../../src/engine/downloads/request.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { MemoryKeyStore } from '../../src/engine/keys/memory-key-store.ts';
import type { Endpoint } from '../../src/engine/pacing/rate-window.ts';
import type {
  Answer,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  Service,
  StatusOutcome,
} from '../../src/engine/service/outcomes.ts';
import { rateResponse } from '../../test/rigs/rate-servers.ts';
import type { BatchResult } from './batch-run.ts';
import { SeededRandom } from './random.ts';
import { serverOf, SHORTEST_TRIP } from './scenario.ts';
import type { Scenario } from './scenario.ts';
import { VirtualTime } from './virtual-time.ts';

const ORIGIN = 'https://service.example';

const TRANSFERS = 3;
const UNLIMITED = { totalBytesPerSecond: null, perTransferBytesPerSecond: null };

/** In memory where there is such a folder: durable all the same, and a disk's time is not pacing. */
const FOLDERS = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/**
 * Takes one batch from being added to its last saved file with the whole engine: its database, its
 * loops and its planner, on virtual time. Only the network is replaced: the service by the rate
 * servers, and transfers by a line of a fixed width.
 */
export async function runEngine(scenario: Scenario): Promise<BatchResult> {
  const time = new VirtualTime(scenario.startAt);
  const folder = mkdtempSync(path.join(FOLDERS, 'spool-bench-'));
  const world = new EngineWorld(scenario, time);
  const keys = new MemoryKeyStore();
  await keys.set(ORIGIN, 'svc_live_bench');
  const jobs = scenario.renderMs.length;
  const defects: unknown[] = [];
  const engine = await openEngine(
    {
      dataDir: folder,
      service: { name: 'the service', baseUrl: ORIGIN },
      plan: { name: 'custom', limit: 10 * jobs, anchor: Date.UTC(2026, 0, 1) },
      defaultFolder: path.join(folder, 'renders'),
      keys,
      clock: world.clock,
      random: () => 0.5,
      transferLimits: { parallel: TRANSFERS, ...UNLIMITED },
      logger: { info: () => undefined, warn: (fields) => void defects.push(fields) },
    },
    () => ({
      service: world,
      download: (request) => world.download(request),
      disks: { free: () => Promise.resolve(1e12), canWrite: () => Promise.resolve(true) },
      close: () => Promise.resolve(),
    }),
  );
  try {
    const rows = Array.from({ length: jobs }, (_, job) => `Video ${job}`);
    await engine.addBatch({ name: 'Batch.csv', content: ['title', ...rows].join('\n') }, {});
    await time.runUntil(() => world.saved === jobs);
    if (defects.length > 0) throw new Error(JSON.stringify(defects[0]));
    return { makespanMs: time.now - scenario.startAt, refusals: world.refusals };
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

/** What of an engine lies beyond its computer, in virtual time. */
class EngineWorld implements Service {
  readonly refusals: Record<Endpoint, number> = { generate: 0, status: 0, download: 0 };
  readonly clock: Clock;
  saved = 0;
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  readonly #servers;
  readonly #readyAt: number[] = [];
  #lineFreeAt = 0;

  constructor(scenario: Scenario, time: VirtualTime) {
    this.#scenario = scenario;
    this.#time = time;
    this.#random = new SeededRandom(scenario.seed + 7919);
    this.#servers = {
      generate: serverOf(scenario, 'generate'),
      status: serverOf(scenario, 'status'),
      download: serverOf(scenario, 'download'),
    };
    this.clock = {
      now: () => Math.round(time.now - scenario.skewMs),
      monotonic: () => time.now - scenario.startAt,
      sleep: (ms, signal) => time.sleep(ms, signal),
    };
  }

  async generate(): Promise<GenerateOutcome> {
    const job = this.#readyAt.length;
    const answer = await this.#ask('generate', (at) => {
      this.#readyAt.push(at + (this.#scenario.renderMs[job] ?? 0));
    });
    return answer.status === 429
      ? { kind: 'rate-limited', answer }
      : { kind: 'accepted', remoteId: String(job), answer };
  }

  async status(remoteId: string): Promise<StatusOutcome> {
    let askedAt = -Infinity;
    const answer = await this.#ask('status', (at) => (askedAt = at));
    if (answer.status === 429) return { kind: 'rate-limited', answer };
    const state = askedAt >= (this.#readyAt[Number(remoteId)] ?? Infinity) ? 'done' : 'working';
    return { kind: 'status', status: { state, word: state, progress: null, error: null }, answer };
  }

  async link(remoteId: string): Promise<LinkOutcome> {
    const answer = await this.#ask('download');
    if (answer.status === 429) return { kind: 'rate-limited', answer };
    const url = `https://files.example/${remoteId}`;
    return { kind: 'link', link: { url, expiresAt: null }, answer };
  }

  checkKey(): Promise<KeyCheckOutcome> {
    return Promise.reject(new Error('Nobody asks for that here.'));
  }

  /** Transfers share one line, in order. */
  async download({ link, target }: DownloadRequest): Promise<DownloadOutcome> {
    const bytes = this.#scenario.bytes[Number(link.url.split('/').at(-1))] ?? 0;
    this.#lineFreeAt =
      Math.max(this.#time.now, this.#lineFreeAt) + bytes / this.#scenario.bytesPerMs;
    await this.#time.sleep(this.#lineFreeAt - this.#time.now);
    this.saved += 1;
    const size = Math.round(bytes);
    return {
      ...{ kind: 'saved', path: target, bytes: size, sha256: '', durationSeconds: null },
      refetchedBytes: 0,
    };
  }

  async #ask(endpoint: Endpoint, onAccepted?: (at: number) => void): Promise<Answer> {
    const { roundTripMs, format } = this.#scenario;
    const tripMs = roundTripMs * this.#random.between(SHORTEST_TRIP, 2 - SHORTEST_TRIP);
    const thereMs = tripMs * this.#random.between(0.3, 0.7);
    const sentAt = this.clock.now();
    await this.#time.sleep(thereMs);
    const arrivedAt = this.#time.now;
    const verdict = this.#servers[endpoint].ask(arrivedAt);
    if (verdict.accepted) onAccepted?.(arrivedAt);
    else this.refusals[endpoint]++;
    const { status, headers, body } = rateResponse(verdict, arrivedAt, format);
    await this.#time.sleep(tripMs - thereMs);
    return { status, headers, body: JSON.stringify(body), sentAt, receivedAt: this.clock.now() };
  }
}
