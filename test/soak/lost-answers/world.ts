import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Job } from '../../../src/contract/job.ts';
import type { Clock } from '../../../src/engine/clock.ts';
import { PUBLIC_ONLY } from '../../../src/engine/downloads/address-policy.ts';
import { Connections } from '../../../src/engine/downloads/connections.ts';
import type { DownloadOutcome, DownloadRequest } from '../../../src/engine/downloads/request.ts';
import { openEngine, type TestEngine } from '../../rigs/open-engine.ts';
import { takeFolder } from '../../../src/engine/engine.ts';
import type { InstanceLock } from '../../../src/engine/jobs/instance-lock.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import type { ExchangeResult } from '../../../src/engine/service/exchange.ts';
import {
  EngineRun,
  watchCommits,
  type When,
} from '../../integration/engine/stateful-model/engine-run.ts';
import {
  profileOf,
  RememberingService,
  type HttpAnswer,
  type ServiceTraits,
} from '../../rigs/remembering-service.ts';
import { SeededRandom } from '../../rigs/seeded-random.ts';
import {
  SimulatedClient,
  type SimulatedExchange,
  type SimulatedNetwork,
  type SimulatedRequest,
} from '../../rigs/simulated-client.ts';
import { seededVideo } from '../../rigs/seeded-video.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

const ORIGIN = 'https://service.example';
const LATENCY_MS = 100;
const HOUR = 3_600_000;

/** How the next request for a video, or its response, is lost. */
export type Loss =
  /** The connection ends after the first byte; the request never arrives. */
  | { readonly kind: 'request-lost' }
  /** The request arrives, but the connection ends before the response, or within it. */
  | { readonly kind: 'answer-lost' | 'answer-cut' }
  /** The request is accepted, but the response is a 502. */
  | { readonly kind: 'bad-gateway' }
  /** The process is killed before or after one of its next commits. */
  | { readonly kind: 'killed'; readonly commit: number; readonly when: When }
  /** The process is killed while the request is in flight. */
  | { readonly kind: 'killed-in-flight'; readonly arrives: boolean };

/** Counts of how requests were settled. */
export interface LostAnswerCount {
  rows: number;
  lost: number;
  kills: number;
  /** Requests that may have reached the service. */
  requests: number;
  byRepeat: number;
  byList: number;
  byUser: number;
  /** Videos that the service accepted and counts. */
  paid: number;
  paidTwice: number;
}

/** An engine on virtual time, and a service whose responses get lost. */
export class World {
  readonly service: RememberingService;
  readonly clock: VirtualClock;
  readonly defects: string[] = [];
  readonly losses: Loss[];
  lost = 0;
  kills = 0;
  requests = 0;
  byUser = 0;
  readonly #profile: ReturnType<typeof profileOf>;
  readonly #folder: string;
  readonly #random: SeededRandom;
  readonly #keys = new MemoryKeyStore();
  readonly #unwatch: () => void;
  #lock: InstanceLock | null = null;
  #run: EngineRun;
  #engine: TestEngine | null = null;

  private constructor(folder: string, traits: ServiceTraits, losses: Loss[], seed: number) {
    this.#folder = folder;
    this.#random = new SeededRandom(seed);
    const backup = path.join(folder, 'data', 'spool.backup.db.new');
    this.clock = new VirtualClock(undefined, () => existsSync(backup));
    this.service = new RememberingService(traits, () => this.clock.now(), this.#random);
    this.losses = losses;
    this.#profile = profileOf(traits);
    this.#run = new EngineRun(this.clock);
    this.#unwatch = watchCommits(() => this.#run);
  }

  static async open(
    folder: string,
    traits: ServiceTraits,
    losses: Loss[],
    seed: number,
  ): Promise<World> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const world = new World(folder, traits, losses, seed);
    await world.#keys.set(ORIGIN, 'key-0123456789abcdefghij');
    world.#lock = await takeFolder(path.join(folder, 'data'));
    await world.#open();
    return world;
  }

  get engine(): TestEngine {
    if (!this.#engine) throw new Error('There is no engine.');
    return this.#engine;
  }

  async add(titles: readonly string[]): Promise<void> {
    const content = ['title', ...titles].join('\n');
    const source = { name: 'Batch.csv', content };
    await this.#ask((engine) =>
      engine.commands.batches.add({ origin: ORIGIN, source, options: {} }),
    );
  }

  /** Empty if the engine is killed meanwhile. */
  async jobs(): Promise<Job[]> {
    const list = await this.#ask((engine) => engine.commands.jobs.list({ offset: 0, limit: 1000 }));
    return list?.jobs ?? [];
  }

  /** The user decides to send the request again. */
  async resend({ id, attempts }: Job): Promise<void> {
    this.byUser += 1;
    await this.#ask((engine) => engine.commands.jobs.resolve({ id, attempts, as: 'resend' }));
  }

  async historyOf({ id }: Job): Promise<string> {
    const details = await this.#ask((engine) => engine.commands.jobs.show({ id }));
    return JSON.stringify(details?.history ?? []);
  }

  /** Advances the time; the engine is restarted if it was killed. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.monotonic() + ms;
    while (this.clock.monotonic() < end) {
      await this.clock.advance(Math.min(end - this.clock.monotonic(), this.clock.nextDueIn ?? ms));
      await this.#restart();
    }
  }

  async end(): Promise<void> {
    this.#run.cancelKill();
    if (!this.#run.isKilled) await this.#ask((engine) => engine.close());
    this.#run.kill();
    this.#lock?.release();
    this.#unwatch();
  }

  async #ask<T>(call: (engine: TestEngine) => Promise<T> | T): Promise<T | null> {
    const run = this.#run;
    let end: { readonly value: T } | { readonly error: unknown } | undefined;
    void Promise.resolve(call(this.engine)).then(
      (value) => (end = { value }),
      (error: unknown) => (end = { error }),
    );
    for (let turns = 0; end === undefined && !run.isKilled && turns < 10_000; turns++) {
      await this.clock.advance(Math.min(this.clock.nextDueIn ?? 1, 100));
    }
    await this.#restart();
    if (end && 'error' in end && !run.isKilled) throw end.error;
    return end && 'value' in end ? end.value : null;
  }

  async #restart(): Promise<void> {
    while (this.#run.isKilled) {
      this.kills += 1;
      await this.clock.settle();
      await this.clock.advance(this.#random.pick([1000, 60_000, HOUR / 4]));
      await this.#open();
    }
  }

  async #open(): Promise<void> {
    const run = new EngineRun(this.clock);
    this.#run = run;
    const opening = { isOver: false };
    openEngine(
      {
        dataDir: path.join(this.#folder, 'data'),
        ...(this.#lock && { lock: this.#lock }),
        service: { name: 'service', baseUrl: ORIGIN, profile: this.#profile },
        plan: { name: 'custom', limit: 500, anchor: 0 },
        defaultFolder: path.join(this.#folder, 'renders'),
        keys: this.#keys,
        clock: run,
        random: () => this.#random.next(),
        logger: {
          info: () => undefined,
          warn: (fields) => {
            if (!run.isKilled) this.defects.push(JSON.stringify(fields));
          },
        },
      },
      (_service, _key, rules) => {
        const network = new LossyNetwork(this, run);
        return {
          service: new SimulatedClient(network, ORIGIN, rules, this.#profile.api),
          download: (request) => saved(request, run),
          disks: { free: () => Promise.resolve(1e12), canWrite: () => Promise.resolve(true) },
          connections: new Connections(PUBLIC_ONLY),
          close: () => Promise.resolve(),
        };
      },
    ).then(
      (engine) => {
        this.#engine = engine;
        opening.isOver = true;
      },
      (error: unknown) => {
        opening.isOver = true;
        if (!run.isKilled) this.defects.push(String(error));
      },
    );
    for (let turns = 0; !opening.isOver && !run.isKilled && turns < 10_000; turns++) {
      await this.clock.advance(Math.min(this.clock.nextDueIn ?? 1, 100));
    }
  }
}

/** Loses requests for videos, or their responses. */
class LossyNetwork implements SimulatedNetwork {
  readonly #world: World;
  readonly #run: EngineRun;

  constructor(world: World, run: EngineRun) {
    this.#world = world;
    this.#run = run;
  }

  readonly connect = async (): Promise<SimulatedExchange> => {
    await this.#run.sleep(LATENCY_MS);
    const loss = this.#world.losses.shift();
    if (loss) this.#world.lost += 1;
    if (loss?.kind === 'killed') this.#run.killAtCommit(loss.commit, loss.when);
    return (request) => this.#generate(request, loss);
  };

  readonly exchange: SimulatedExchange = async ({ to, id }) => {
    const sentAt = this.#run.now();
    await this.#run.sleep(LATENCY_MS);
    const { service } = this.#world;
    return this.#answered(to === 'list' ? service.list(id) : service.status(id ?? ''), sentAt);
  };

  async #generate(
    { body, idempotencyKey }: SimulatedRequest,
    loss: Loss | undefined,
  ): Promise<ExchangeResult> {
    const { service, clock } = this.#world;
    this.#world.requests += 1;
    const sentAt = this.#run.now();
    let received: HttpAnswer | null = null;
    const arrives = loss?.kind !== 'request-lost' && !(loss && 'arrives' in loss && !loss.arrives);
    // A request that has been sent arrives even if the process is killed.
    void clock.sleep(LATENCY_MS / 2).then(() => {
      if (arrives) received = service.generate(body ?? '', idempotencyKey);
      if (loss?.kind === 'killed-in-flight') this.#run.kill();
    });
    await this.#run.sleep(LATENCY_MS + service.traits.acceptMs);
    const answer = received as HttpAnswer | null;
    const cause = { why: 'connection', code: 'ECONNRESET' } as const;
    if (answer === null || loss?.kind === 'answer-lost') {
      return { kind: 'broken', cause, response: null };
    }
    if (loss?.kind === 'bad-gateway') {
      return this.#answered({ status: 502, body: '<html>' }, sentAt);
    }
    if (loss?.kind === 'answer-cut') {
      const cut = this.#answered({ ...answer, body: answer.body.slice(0, 5) }, sentAt);
      return { ...cut, kind: 'broken', cause };
    }
    return this.#answered(answer, sentAt);
  }

  #answered(
    { status, body }: HttpAnswer,
    sentAt: number,
  ): Extract<ExchangeResult, { kind: 'answered' }> {
    const now = this.#run.now();
    const headers = { date: new Date(now).toUTCString() };
    return { kind: 'answered', response: { status, headers, body, sentAt, receivedAt: now } };
  }
}

async function saved({ target }: DownloadRequest, clock: Clock): Promise<DownloadOutcome> {
  await clock.sleep(1000);
  mkdirSync(path.dirname(target), { recursive: true });
  const { bytes, sha256 } = seededVideo(1, 2048);
  writeFileSync(target, bytes);
  return {
    kind: 'saved',
    path: target,
    bytes: bytes.length,
    sha256,
    durationSeconds: 10,
    refetchedBytes: 0,
  };
}
