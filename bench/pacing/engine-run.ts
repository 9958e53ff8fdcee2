import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PUBLIC_ONLY } from '../../src/engine/downloads/address-policy.ts';
import { Connections } from '../../src/engine/downloads/connections.ts';
import type { Clock } from '../../src/engine/clock.ts';
import type { DownloadOutcome, DownloadRequest } from '../../src/engine/downloads/request.ts';
import type { BatchSource } from '../../src/contract/batch.ts';
import { openEngine, type TestEngine } from '../../test/rigs/open-engine.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import type { Profile } from '../../src/engine/profiles/profile.ts';
import { DOCUMENTED_API } from '../../src/contract/service-profile.ts';
import { MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import type { Endpoint } from '../../src/engine/pacing/rate-window-state.ts';
import type {
  HttpResponse,
  ConnectOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  Service,
  StatusOutcome,
} from '../../src/engine/service/outcomes.ts';
import { rateResponse } from '../../test/rigs/rate-servers.ts';
import type { BatchResult } from './batch-run.ts';
import { SeededRandom } from '../../test/rigs/seeded-random.ts';
import {
  serverOf,
  slotServerOf,
  MIN_LEG,
  MIN_TRIP,
  type Scenario,
  type SlotServer,
} from './scenario.ts';
import { VirtualTime } from './virtual-time.ts';

export const ORIGIN = 'https://service.example';

const TRANSFERS = 3;
const UNLIMITED = { totalBytesPerSecond: null, perTransferBytesPerSecond: null };

/** In memory where possible: the disk's speed is not part of pacing. */
const FOLDERS = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** An engine in a new world, with an empty queue. */
export interface EngineRun {
  readonly engine: TestEngine;
  readonly world: EngineWorld;
  readonly time: VirtualTime;
  /** Throws if the engine has logged a warning. */
  readonly check: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Runs one batch with the whole engine, with its database, loops and planner, on virtual time,
 * until the last file is saved. Only the network is simulated: the service by the rate servers, and
 * transfers by a fixed bandwidth.
 */
export async function runEngine(scenario: Scenario): Promise<BatchResult> {
  const jobs = scenario.renderMs.length;
  const { engine, world, time, check, close } = await openEngineRun(scenario, 10 * jobs);
  try {
    await engine.commands.batches.add({
      origin: ORIGIN,
      source: batchOf('Batch', jobs),
      options: {},
    });
    await time.runUntil(() => world.savedAt.size === jobs);
    check();
    return { makespanMs: time.now - scenario.startAt, refusals: world.refusals };
  } finally {
    await close();
  }
}

/** A CSV file with a row for each video. */
export function batchOf(name: string, rows: number): BatchSource {
  const titles = Array.from({ length: rows }, (_, row) => `${name} ${row}`);
  return { name: `${name}.csv`, content: ['title', ...titles].join('\n') };
}

/**
 * @param quota videos in a calendar month (UTC), both at the service and in the engine's settings
 */
export async function openEngineRun(scenario: Scenario, quota: number): Promise<EngineRun> {
  const time = new VirtualTime(scenario.startAt);
  const folder = mkdtempSync(path.join(FOLDERS, 'spool-bench-'));
  const world = new EngineWorld(scenario, time, quota);
  const keys = new MemoryKeyStore();
  await keys.set(ORIGIN, 'svc_live_bench');
  const defects: unknown[] = [];
  const engine = await openEngine(
    {
      dataDir: folder,
      service: { name: 'the service', baseUrl: ORIGIN, profile: profileFor(scenario) },
      plan: { name: 'custom', limit: quota, anchor: Date.UTC(2026, 0, 1) },
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
      connections: new Connections(PUBLIC_ONLY),
      close: () => Promise.resolve(),
    }),
  );
  return {
    engine,
    world,
    time,
    check() {
      if (defects.length > 0) throw new Error(JSON.stringify(defects[0]));
    },
    async close() {
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A profile with the limits that such a service would document. */
function profileFor({ limits, slots }: Scenario): Profile {
  if (limits === undefined) return storyboardProfile;
  const windows = (['generate', 'status', 'download'] as const).map((endpoint) => ({
    endpoint,
    count: limits[endpoint].limit,
    perMs: limits[endpoint].windowMs,
    known: 'documented' as const,
  }));
  const concurrent = slots === undefined ? null : { count: slots.count };
  const api = { ...DOCUMENTED_API, limits: { ...DOCUMENTED_API.limits, windows, concurrent } };
  return { ...storyboardProfile, api };
}

/** The service and network of an engine, in virtual time. */
export class EngineWorld implements Service {
  readonly refusals: Record<Endpoint, number> = { generate: 0, status: 0, download: 0 };
  readonly clock: Clock;
  /** True times, by the index of a video among those that the service accepted. */
  readonly savedAt = new Map<number, number>();
  readonly acceptedAt: number[] = [];
  readonly #scenario: Scenario;
  readonly #time: VirtualTime;
  readonly #random: SeededRandom;
  readonly #servers;
  readonly #slots: SlotServer | null;
  /** Requests that were refused because all slots were taken. */
  slotRefusals = 0;
  readonly #readyAt: number[] = [];
  readonly #quota: number;
  #bandwidthFreeAt = 0;

  constructor(scenario: Scenario, time: VirtualTime, quota: number) {
    this.#scenario = scenario;
    this.#quota = quota;
    this.#time = time;
    this.#random = new SeededRandom(scenario.seed + 7919);
    this.#servers = {
      generate: serverOf(scenario, 'generate'),
      status: serverOf(scenario, 'status'),
      download: serverOf(scenario, 'download'),
    };
    this.#slots = slotServerOf(scenario);
    this.clock = {
      now: () => Math.round(time.now - scenario.skewMs),
      monotonic: () => time.now - scenario.startAt,
      sleep: (ms, signal) => time.sleep(ms, signal),
    };
  }

  connect(): Promise<ConnectOutcome> {
    const connection = { generate: () => this.#generate(), close: () => undefined };
    return Promise.resolve({ kind: 'connected', connection });
  }

  async #generate(): Promise<GenerateOutcome> {
    const job = this.#readyAt.length;
    const { slotRefusals } = this;
    const response = await this.#request('generate', (at) => {
      if (this.#slots?.take(at, this.#scenario.renderMs[job] ?? 0) === false) {
        this.slotRefusals++;
        return;
      }
      const month = monthOf(at);
      const used = this.acceptedAt.filter((each) => monthOf(each) === month).length;
      if (used >= this.#quota) throw new Error('More was sent than the quota has.');
      this.acceptedAt.push(at);
      this.#readyAt.push(at + (this.#scenario.renderMs[job] ?? 0));
    });
    if (this.slotRefusals > slotRefusals)
      return { kind: 'rate-limited', response: { ...response, ...TOO_MANY } };
    return response.status === 429
      ? { kind: 'rate-limited', response }
      : { kind: 'accepted', remoteId: String(job), response };
  }

  async status(remoteId: string): Promise<StatusOutcome> {
    let askedAt = -Infinity;
    const response = await this.#request('status', (at) => (askedAt = at));
    if (response.status === 429) return { kind: 'rate-limited', response };
    const state = askedAt >= (this.#readyAt[Number(remoteId)] ?? Infinity) ? 'done' : 'working';
    return {
      kind: 'status',
      status: { state, word: state, progress: null, error: null },
      response,
    };
  }

  knownLink(): null {
    return null;
  }

  list(): Promise<ListOutcome> {
    return Promise.reject(new Error('This service has no list.'));
  }

  async link(remoteId: string): Promise<LinkOutcome> {
    const response = await this.#request('download');
    if (response.status === 429) return { kind: 'rate-limited', response };
    const url = `https://files.example/${remoteId}`;
    return { kind: 'link', link: { url, expiresAt: null }, response };
  }

  cancel(): Promise<never> {
    return Promise.reject(new Error('This service cancels nothing.'));
  }

  balance(): Promise<never> {
    return Promise.reject(new Error('This service tells no balance.'));
  }

  /** Requests the status of a video that does not exist (service-api.md §5.7). */
  async checkKey(): Promise<KeyCheckOutcome> {
    return { kind: 'accepted', response: await this.#request('status') };
  }

  /** Transfers use the whole bandwidth one by one, in order. */
  async download({ link, target }: DownloadRequest): Promise<DownloadOutcome> {
    const job = Number(link.url.split('/').at(-1));
    const bytes = this.#scenario.bytes[job] ?? 0;
    this.#bandwidthFreeAt =
      Math.max(this.#time.now, this.#bandwidthFreeAt) + bytes / this.#scenario.bytesPerMs;
    await this.#time.sleep(this.#bandwidthFreeAt - this.#time.now);
    this.savedAt.set(job, this.#time.now);
    const size = Math.round(bytes);
    return {
      kind: 'saved',
      path: target,
      bytes: size,
      sha256: '',
      durationSeconds: null,
      refetchedBytes: 0,
    };
  }

  async #request(endpoint: Endpoint, onAccepted?: (at: number) => void): Promise<HttpResponse> {
    const { roundTripMs, format, dialect } = this.#scenario;
    const tripMs = roundTripMs * this.#random.between(MIN_TRIP, 2 - MIN_TRIP);
    const thereMs = tripMs * this.#random.between(MIN_LEG, 1 - MIN_LEG);
    const sentAt = this.clock.now();
    await this.#time.sleep(thereMs);
    const arrivedAt = this.#time.now;
    const verdict = this.#servers[endpoint].ask(arrivedAt);
    if (verdict.accepted) onAccepted?.(arrivedAt);
    else this.refusals[endpoint]++;
    const { status, headers, body } = rateResponse(verdict, arrivedAt, format, dialect);
    await this.#time.sleep(tripMs - thereMs);
    return { status, headers, body: JSON.stringify(body), sentAt, receivedAt: this.clock.now() };
  }
}

const TOO_MANY = {
  status: 429,
  body: JSON.stringify({ success: false, message: 'Too many renders at the same time.' }),
};

function monthOf(at: number): number {
  const date = new Date(at);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}
