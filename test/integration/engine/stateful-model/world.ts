import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PUBLIC_ONLY } from '../../../../src/engine/downloads/address-policy.ts';
import { Connections } from '../../../../src/engine/downloads/connections.ts';
import { EngineError } from '../../../../src/engine/engine-error.ts';
import { openEngine, type EngineOptions, type TestEngine } from '../../../rigs/open-engine.ts';
import { takeFolder } from '../../../../src/engine/engine.ts';
import type { InstanceLock } from '../../../../src/engine/jobs/instance-lock.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import type { RateServerKind } from '../../../rigs/rate-servers.ts';
import { SimulatedClient } from '../../../rigs/simulated-client.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';
import { readDisk, type Disk } from './disk.ts';
import type { FileFault } from './faults.ts';
import { transfer } from './file-server.ts';
import { EngineRun, watchCommits, type When } from './engine-run.ts';
import { Model } from './model.ts';
import { GOOD_KEY, SimulatedService } from './simulated-service.ts';
import { Wire, type Network } from './wire.ts';

const ORIGINS = ['https://one.example', 'https://two.example'] as const;

/** The maximum duration of a user's call. */
const MAX_CALL_MS = 3_600_000;

export const QUOTA = 60;

/** One of the user's two services, its network and its file server. */
export interface Remote {
  readonly service: SimulatedService;
  readonly network: Network;
  readonly nextFileFaults: FileFault[];
}

export interface WorldOptions {
  /** For the data and the videos; emptied first. */
  readonly folder: string;
  readonly kind: RateServerKind;
}

/** An engine on a real database, two services with their networks, and a virtual clock. */
export class World {
  readonly clock: VirtualClock;
  readonly model: Model;
  readonly remotes: readonly [Remote, Remote];
  readonly renders: string;
  /** Jobs whose files the user removed or changed: they may have been renamed since. */
  readonly touched = new Set<number>();
  readonly #folder: string;
  readonly #keys = new MemoryKeyStore();
  readonly #unwatch: () => void;
  #lock: InstanceLock | null = null;
  #engineRun: EngineRun;
  #engine: TestEngine | null = null;
  #isFolderTaken = false;
  #here = 0;

  private constructor({ folder, kind }: WorldOptions) {
    this.#folder = path.join(folder, 'data');
    this.renders = path.join(folder, 'renders');
    // A backup is written by SQLite's own thread, under this name.
    const beingWritten = path.join(this.#folder, 'spool.backup.db.new');
    this.clock = new VirtualClock(undefined, () => existsSync(beingWritten));
    const epoch = this.clock.now() + 7_300;
    const serviceNow = (): number => epoch + this.clock.monotonic();
    this.model = new Model(this.clock, serviceNow);
    const remote = (origin: string): Remote => ({
      service: new SimulatedService(origin, kind, serviceNow),
      network: { isOnline: true, next: { generate: [], status: [], download: [] } },
      nextFileFaults: [],
    });
    this.remotes = [remote(ORIGINS[0]), remote(ORIGINS[1])];
    this.#engineRun = new EngineRun(this.clock);
    this.#unwatch = watchCommits(() => this.#engineRun);
  }

  static async open(options: WorldOptions): Promise<World> {
    rmSync(options.folder, { recursive: true, force: true });
    mkdirSync(options.folder, { recursive: true });
    const world = new World(options);
    for (const { service } of world.remotes) await world.#keys.set(service.origin, GOOD_KEY);
    world.#lock = await takeFolder(world.#folder);
    await world.#open();
    return world;
  }

  get remote(): Remote {
    return this.remotes[this.#here] ?? this.remotes[0];
  }

  get origin(): string {
    return this.remote.service.origin;
  }

  get engine(): TestEngine {
    if (!this.#engine) throw new Error('There is no engine now.');
    return this.#engine;
  }

  get isAlive(): boolean {
    return !this.#engineRun.isKilled;
  }

  /** The state on disk, independent of the engine. */
  disk(): Disk {
    return readDisk(this.#folder);
  }

  /**
   * Starts a new run if the process dies during the call.
   * @returns the engine's result, or `null` when it refused or died
   */
  async ask<T>(call: (engine: TestEngine) => Promise<T>): Promise<T | null> {
    const answer = await this.#call(call);
    await this.restart();
    return answer;
  }

  killAtCommit(commits: number, when: When): void {
    this.#engineRun.killAtCommit(commits, when);
  }

  /** As on a network drive without working locks. */
  takeOverFolder(): void {
    writeFileSync(path.join(this.#folder, 'spool.pid'), 'another computer');
    this.model.isFolderTaken = true;
    this.#isFolderTaken = true;
  }

  /** Cancels all planned kills and takeovers of the folder. */
  async stopKilling(): Promise<void> {
    this.#engineRun.cancelKill();
    if (this.#isFolderTaken) await this.closeAndOpen();
  }

  /** Kills the process and starts another, which may be killed at its start as well. */
  async killNow(): Promise<void> {
    this.#engineRun.kill();
    await this.restart();
  }

  /** Starts a new run if the process has died, or has noticed that it lost the folder. */
  async restart(): Promise<void> {
    if (this.isAlive && this.#lock?.lost.aborted) await this.closeAndOpen();
    while (!this.isAlive) {
      this.model.shortenWaits();
      // Disk operations of the dead process complete.
      await this.clock.settle();
      await this.#open();
    }
  }

  async closeAndOpen(): Promise<void> {
    await this.#close();
    if (this.isAlive) await this.#open();
    await this.restart();
  }

  async switchService(): Promise<void> {
    const there = 1 - this.#here;
    const options = this.#optionsFor(there);
    await this.ask(async (engine) => {
      await engine.show(options);
      this.#here = there;
    });
  }

  async close(): Promise<void> {
    if (this.isAlive) await this.#close();
    this.#engineRun.kill();
    this.#lock?.release();
    this.#unwatch();
  }

  async #call<T>(call: (engine: TestEngine) => Promise<T>): Promise<T | null> {
    let end: { value: T } | { error: unknown } | undefined;
    call(this.engine).then(
      (value) => (end = { value }),
      (error: unknown) => (end = { error }),
    );
    await this.#until(() => end !== undefined || !this.isAlive);
    if (!end || !this.isAlive) return null;
    if ('value' in end) return end.value;
    if (!(end.error instanceof EngineError))
      this.model.report(`A call threw ${describeError(end.error)}.`);
    return null;
  }

  async #close(): Promise<void> {
    await this.#call((engine) => engine.close());
  }

  async #open(): Promise<void> {
    this.#engine = null;
    const engineRun = new EngineRun(this.clock);
    this.#engineRun = engineRun;
    if (this.#isFolderTaken) {
      this.#lock?.release();
      this.#lock = await takeFolder(this.#folder);
      this.#isFolderTaken = false;
    }
    this.model.restartProcess();
    let isOpened = false;
    openEngine(this.#optionsFor(this.#here), this.#connect(engineRun)).then(
      async (engine) => {
        this.#engine = engine;
        await engine.start(this.#optionsFor(1 - this.#here));
        isOpened = true;
      },
      (error: unknown) => {
        isOpened = true;
        if (!engineRun.isKilled)
          this.model.report(`The engine did not open: ${describeError(error)}.`);
      },
    );
    await this.#until(() => isOpened || engineRun.isKilled);
  }

  #optionsFor(index: number): EngineOptions {
    const engineRun = this.#engineRun;
    const { origin } = this.remotes[index]?.service ?? this.remote.service;
    return {
      dataDir: this.#folder,
      ...(this.#lock && { lock: this.#lock }),
      service: { name: origin, baseUrl: origin },
      plan: { name: 'custom', limit: QUOTA, anchor: Date.UTC(2026, 0, 1) },
      defaultFolder: this.renders,
      keys: this.#keys,
      clock: engineRun,
      random: () => 0.5,
      logger: {
        info: () => undefined,
        warn: ({ error }) => {
          if (!engineRun.isKilled) this.model.report(`Unexpected error: ${describeError(error)}.`);
        },
      },
    };
  }

  #connect(engineRun: EngineRun): Parameters<typeof openEngine>[1] {
    return ({ baseUrl }, key, rules) => {
      const remote = this.remotes.find(({ service }) => service.origin === baseUrl) ?? this.remote;
      const { service, network, nextFileFaults: next } = remote;
      const { origin } = service;
      const wire = new Wire({
        service,
        network,
        clock: engineRun,
        worldClock: this.clock,
        key: () => key.forOrigin(origin),
        watcher: {
          checkSubmission: (body) => this.model.checkSubmission(origin, body, this.disk(), QUOTA),
          recordResponse: (to, job, response) => {
            if (to === 'generate' && job !== null) {
              this.model.recordResponse(origin, job, response, service);
            } else if (response) this.model.recordKeyStatus(origin, response);
          },
        },
      });
      const report = (what: string): void => this.model.report(what);
      return {
        service: new SimulatedClient(wire, origin, rules),
        download: (request) => transfer(request, { service, next, report }, engineRun),
        disks: { free: () => Promise.resolve(1e12), canWrite: () => Promise.resolve(true) },
        connections: new Connections(PUBLIC_ONLY),
        close: () => Promise.resolve(),
      };
    };
  }

  async #until(isSo: () => boolean): Promise<void> {
    const end = this.clock.monotonic() + MAX_CALL_MS;
    await this.clock.settle();
    while (!isSo()) {
      if (this.clock.monotonic() > end) {
        this.model.report('A call did not end.');
        return;
      }
      await this.clock.advance(this.clock.nextDueIn ?? 1);
    }
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
