import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PUBLIC_ONLY } from '../../../src/engine/downloads/address-policy.ts';
import { Connections } from '../../../src/engine/downloads/connections.ts';
import { EngineError } from '../../../src/engine/engine-error.ts';
import { openEngine, type EngineOptions, type TestEngine } from '../../rigs/open-engine.ts';
import { takeFolder } from '../../../src/engine/engine.ts';
import type { PlanOptions } from '../../../src/engine/flow/quota-tracker.ts';
import type { InstanceLock } from '../../../src/engine/jobs/instance-lock.ts';
import { openKeyStore } from '../../../src/engine/keys/key-store.ts';
import type { Collision } from '../../../src/contract/batch.ts';
import { FakeKeychain } from '../../rigs/fake-keychain.ts';
import { SeededRandom } from '../../rigs/seeded-random.ts';
import { SimulatedClient } from '../../rigs/simulated-client.ts';
import { Computer, type EngineProcess } from './computer.ts';
import { FileServer } from './file-server.ts';
import { History } from './history.ts';
import { Invariants } from './invariants.ts';
import { bytesOf, ModelService, randomTraits, type PlanName, type Video } from './model-service.ts';
import { Network, ServiceConnection } from './network.ts';
import { QueueReader } from './queue-reader.ts';
import { WorldTime } from './world-time.ts';
// Loaded when it is first needed, which takes real time; in a simulated year, a call has none.
import '../../../src/engine/intake/read-batch.ts';

const HOUR = 3_600_000;

/** No call of a user takes longer than this. */
const MAX_CALL_MS = 2 * HOUR;

const ORIGINS = ['https://one.example', 'https://two.example'] as const;

/** The user's settings for one service. */
export interface UserSettings {
  plan: PlanName;
  zone: string;
}

/** One user, a computer, two services, the network between them, and the engine. */
export class World {
  readonly random: SeededRandom;
  readonly time: WorldTime;
  readonly history: History;
  readonly computer: Computer;
  readonly network: Network;
  readonly files: FileServer;
  readonly invariants: Invariants;
  readonly keychain = new FakeKeychain();
  readonly services: readonly [ModelService, ModelService];
  readonly renders: string;
  readonly settings: readonly [UserSettings, UserSettings];
  /** What the user has paused. */
  paused: 'no' | 'sending' | 'everything' = 'no';
  areTransfersPaused = false;
  stopBefore: number | null = null;
  onCollision: Collision = 'number';
  kills = 0;
  areBackupsBlocked = false;
  readonly #folder: string;
  /** Path of a backup; the file exists while it is being written. */
  readonly #backup: string;
  #serviceIndex = 0;
  #process: EngineProcess | null = null;
  #engine: TestEngine | null = null;
  #lock: InstanceLock | null = null;
  #queue: QueueReader | null = null;

  constructor(folder: string, plan: PlanName, startAt: number, seed: number) {
    this.random = new SeededRandom(seed);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.#folder = path.join(folder, 'data');
    this.#backup = path.join(this.#folder, 'spool.backup.db.new');
    this.renders = path.join(folder, 'videos');
    this.time = new WorldTime(startAt);
    this.history = new History(this.time);
    this.computer = new Computer(this.time, this.random.next() < 0.5);
    this.invariants = new Invariants(this.time, this.history, () => this.#circumstances());
    this.network = new Network(this.time, this.computer, this.random, this.invariants);
    this.files = new FileServer(this.network, () => 1 + Math.round(this.random.next() * 12));
    const service = (origin: string, servicePlan: PlanName): ModelService =>
      new ModelService(origin, randomTraits(servicePlan, startAt, this.random), this.random);
    const other = this.random.pick(['free', 'starter', 'creator', 'pro', 'business'] as const);
    this.services = [service(ORIGINS[0], plan), service(ORIGINS[1], other)];
    const [one, two] = this.services;
    this.settings = [
      { plan: one.plan, zone: one.traits.zone },
      { plan: two.plan, zone: two.traits.zone },
    ];
    for (const { origin, traits } of this.services) {
      this.history.set(`${origin}: ${JSON.stringify(traits)}`);
    }
  }

  get service(): ModelService {
    return this.services[this.#serviceIndex] ?? this.services[0];
  }

  get currentSettings(): UserSettings {
    return this.settings[this.#serviceIndex] ?? this.settings[0];
  }

  get isOpen(): boolean {
    return this.#engine !== null;
  }

  get queue(): QueueReader {
    if (!this.#queue) throw new Error('The queue is not open.');
    return this.#queue;
  }

  get process(): EngineProcess {
    if (!this.#process) throw new Error('There is no process.');
    return this.#process;
  }

  /** A folder of another program blocks the backup's path, or no longer does. */
  blockBackups(areBlocked: boolean): void {
    this.areBackupsBlocked = areBlocked;
    if (areBlocked) mkdirSync(path.join(this.#backup, 'occupied'), { recursive: true });
    else rmSync(this.#backup, { recursive: true });
  }

  /** Closes everything that outlives the engine. */
  end(): void {
    this.#queue?.close();
    this.computer.end();
    this.#lock?.release();
  }

  /** Advances the time, and runs everything that is due. */
  async until(end: number): Promise<void> {
    await this.computer.settle(this.#watchedBackup);
    for (;;) {
      const timerAt = this.computer.nextTimerAt;
      const eventAt = this.time.nextAt;
      const next = Math.max(this.time.now, Math.min(timerAt, eventAt));
      if (next > end) break;
      if (eventAt <= timerAt) this.time.runNext();
      else {
        this.time.now = next;
        this.computer.fireTimers();
      }
      await this.computer.settle(this.#watchedBackup);
      this.#checkInvariants();
      if (this.#process?.isKilled === true && this.#engine !== null) await this.#restartAfterKill();
    }
    this.time.now = Math.max(this.time.now, end);
    this.#checkInvariants();
  }

  async pass(ms: number): Promise<void> {
    await this.until(this.time.now + ms);
  }

  /**
   * Calls the engine while time advances.
   * @returns its result; `null` when it refused, or was killed
   */
  async ask<T>(call: (engine: TestEngine) => Promise<T>): Promise<T | null> {
    const engine = this.#engine;
    if (!engine) return null;
    let end: { readonly value: T } | { readonly error: unknown } | undefined;
    call(engine).then(
      (value) => (end = { value }),
      (error: unknown) => (end = { error }),
    );
    const process = this.process;
    await this.#runUntil(() => end !== undefined || process.isKilled);
    if (process.isKilled) {
      await this.#restartAfterKill();
      return null;
    }
    if (!end) throw new Error('A call never came to its end.');
    if ('value' in end) return end.value;
    if (!(end.error instanceof EngineError)) {
      this.invariants.fail(`A call threw ${textOf(end.error)}.`);
    }
    this.history.note(`refused: ${String(end.error)}`);
    return null;
  }

  async open(): Promise<void> {
    this.#lock ??= await takeFolder(this.#folder);
    const process = this.computer.startProcess();
    this.#process = process;
    const loadKeychain = (): Promise<FakeKeychain> => Promise.resolve(this.keychain);
    let engine: TestEngine | null = null;
    let failure: unknown = null;
    const open = async (): Promise<void> => {
      const store = await openKeyStore({ clock: process, loadKeychain });
      const options = { ...this.#options(process), keys: store };
      engine = await openEngine(options, this.#connect(process));
    };
    open().catch((error: unknown) => (failure = error));
    await this.#runUntil(() => engine !== null || failure !== null || process.isKilled);
    if (process.isKilled) {
      await this.#restartAfterKill();
      return;
    }
    if (failure !== null) {
      this.history.note(`does not open: ${textOf(failure)}`);
      return;
    }
    this.#engine = engine;
    this.#queue?.close();
    this.#queue = new QueueReader(this.#folder);
    this.invariants.queue = this.#queue;
    this.#updateHasKey();
    this.invariants.excuse(this.service, 60_000);
    this.invariants.restarted(this.service);
    if (this.invariants.failure) throw this.invariants.failure;
  }

  async close(): Promise<void> {
    await this.ask((engine) => engine.close());
    this.#engine = null;
    this.#process?.kill();
  }

  /** The program is killed and restarted. */
  async kill(): Promise<void> {
    this.#process?.kill();
    await this.#restartAfterKill();
  }

  /** The user selects the other service. */
  async changeService(): Promise<boolean> {
    const otherIndex = 1 - this.#serviceIndex;
    const service = this.services[otherIndex] ?? this.service;
    const changed = await this.ask(async (engine) => {
      await engine.show({
        service: { name: service.origin, baseUrl: service.origin },
        plan: this.#planOf(otherIndex),
      });
      return true;
    });
    if (changed === null) return false;
    this.#serviceIndex = otherIndex;
    this.paused = 'no';
    this.#updateHasKey();
    this.invariants.excuse(this.service, 60_000);
    return true;
  }

  /** The user enters the service's key. */
  async enterKey(): Promise<void> {
    const { key } = this.service;
    if (
      await this.ask((engine) =>
        engine.commands.key.set({ origin: this.service.origin, value: key }),
      )
    )
      this.#updateHasKey();
  }

  /** The user enters the changed plan in Spool. */
  async enterPlan(): Promise<void> {
    this.currentSettings.plan = this.service.plan;
    const plan = this.#planOf(this.#serviceIndex);
    await this.ask((engine) => {
      engine.applySettings({}, plan);
      return Promise.resolve();
    });
    this.invariants.resumed(this.service);
  }

  /** Updates whether the engine has a usable key. */
  #updateHasKey(): void {
    const account = this.invariants.account(this.service);
    const state = this.#engine?.summary().key.state;
    account.hasKey = state === 'untested' || state === 'accepted';
  }

  /** The plan as the user knows it: its name, a past billing date and the service's zone. */
  #planOf(index: number): PlanOptions {
    const { plan, zone } = this.settings[index] ?? this.currentSettings;
    const { billingDate } = (this.services[index] ?? this.service).traits;
    const { year, month, day } = billingDate;
    return { name: plan, anchor: Date.UTC(year, month - 1, day), zone };
  }

  #options(process: EngineProcess): Omit<EngineOptions, 'keys'> {
    const { origin } = this.service;
    return {
      dataDir: this.#folder,
      ...(this.#lock && { lock: this.#lock }),
      service: { name: origin, baseUrl: origin },
      plan: this.#planOf(this.#serviceIndex),
      defaultFolder: this.renders,
      clock: process,
      random: () => this.random.next(),
      logger: {
        info: () => undefined,
        warn: ({ error }, message) => {
          if (process.isKilled) return;
          this.history.note(`log: ${message} ${textOf(error).slice(0, 300)}`);
          if (!isExpected(error)) this.invariants.fail(`Unexpected error: ${textOf(error)}`);
        },
      },
    };
  }

  #connect(process: EngineProcess): Parameters<typeof openEngine>[1] {
    return ({ baseUrl }, key, rules) => {
      const service = this.services.find(({ origin }) => origin === baseUrl) ?? this.service;
      const connection = new ServiceConnection(this.network, service, process, () =>
        key.forOrigin(service.origin),
      );
      return {
        service: new SimulatedClient(connection, service.origin, rules),
        download: (request) => this.files.download(request, service, process),
        disks: this.files.disks,
        connections: new Connections(PUBLIC_ONLY),
        close: () => connection.close(),
      };
    };
  }

  /** A killed program is restarted at once. */
  async #restartAfterKill(): Promise<void> {
    this.kills += 1;
    this.history.note('the program was killed and starts again');
    this.invariants.recordInterference();
    this.#engine = null;
    await this.computer.settle(this.#watchedBackup);
    await this.open();
  }

  async #runUntil(condition: () => boolean): Promise<void> {
    const end = this.time.now + MAX_CALL_MS;
    await this.computer.settle(this.#watchedBackup);
    while (!condition()) {
      const timerAt = this.computer.nextTimerAt;
      const eventAt = this.time.nextAt;
      if (Math.min(timerAt, eventAt) > end) throw new Error('A call never came to its end.');
      if (eventAt <= timerAt) this.time.runNext();
      else {
        this.time.now = Math.max(this.time.now, timerAt);
        this.computer.fireTimers();
      }
      await this.computer.settle(this.#watchedBackup);
    }
  }

  /** `null` while backups are blocked: the folder in its place is no running backup. */
  get #watchedBackup(): string | null {
    return this.areBackupsBlocked ? null : this.#backup;
  }

  #checkInvariants(): void {
    this.invariants.check();
    if (this.invariants.failure) throw this.invariants.failure;
  }

  #circumstances(): ReturnType<ConstructorParameters<typeof Invariants>[2]> {
    return {
      open: this.#engine !== null && this.computer.state === 'awake' ? this.service : null,
      isPaused: this.paused,
      areTransfersPaused: this.areTransfersPaused,
      isStopBefore: (jobId) => this.stopBefore === jobId,
      isPlanKnown: this.currentSettings.plan === this.service.plan,
      canConnect: this.network.failure === null,
      canSave: this.files.state === 'up' && !this.files.disk.isFull && this.files.disk.isWritable,
      canWriteQueue: !this.computer.isDataDiskFull,
      clock: { errorMs: this.computer.clockErrorMs, gaps: this.computer.gaps },
      savedAt: this.files.savedAt,
    };
  }

  /** Checks that every attempt on disk was a request that was passed to a connection. */
  checkAttempts(): void {
    const attempts = this.queue.attempts();
    const maxAttempts = this.network.generates + this.kills;
    if (attempts > maxAttempts) {
      this.invariants.fail(
        `${attempts} attempts are on disk, and at most ${maxAttempts} were made.`,
      );
    }
  }

  /** Checks that every file that is listed as saved exists and is the requested video. */
  checkFiles(): void {
    const paths = new Map<string, string>();
    for (const { title, state, origin, body, remoteId, filePath } of this.queue.rows()) {
      if (state !== 'done' || filePath === null) continue;
      const other = paths.get(filePath);
      if (other !== undefined) this.invariants.fail(`“${title}” and “${other}” are in one file.`);
      paths.set(filePath, title);
      const service = this.services.find((each) => each.origin === origin);
      const video = service?.videos.get(remoteId ?? '');
      const isItsVideo = video?.body === body && existsSync(filePath) && isFileOf(filePath, video);
      if (!isItsVideo) this.invariants.fail(`The file of “${title}” is not its video: ${filePath}`);
    }
  }
}

function isFileOf(file: string, video: Video): boolean {
  const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  return sha256(readFileSync(file)) === sha256(bytesOf(video));
}

/** Errors that a program may log when its disk accepts no writes. */
function isExpected(error: unknown): boolean {
  return /DiskFullError|disk is full|spool\.backup\.db|without a new backup|EISDIR|ENOTEMPTY/.test(
    textOf(error),
  );
}

export function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
