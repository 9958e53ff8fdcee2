import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { BundledProgram } from '../rigs/bundled-program.ts';
import { endingWithTests } from '../rigs/ending-with-tests.ts';
import type { Clock } from '../../src/engine/clock.ts';
import { FastClock } from '../rigs/fast-clock.ts';
import { noisePng } from '../rigs/pictures.ts';
import type { ServiceTraits } from '../rigs/remembering-service.ts';
import { ScriptedService } from '../rigs/scripted-service.ts';
import { SeededRandom } from '../rigs/seeded-random.ts';
import {
  engineEventSchema,
  type EngineEvent,
  type EngineInstructions,
} from './engine-instructions.ts';
import { KillingService, type KillableService, type ServiceMoment } from './killing-service.ts';
import { RememberingServer } from './remembering-server.ts';

/**
 * Fast enough that a render's minutes pass, slow enough that a timeout of ten seconds is realistic.
 */
const SPEED = 25;

/** How a run of the engine ends, if it does not finish its work before. */
export type Kill =
  | { readonly kind: 'commit' | 'sync'; readonly nth: number; readonly when: 'before' | 'after' }
  /** Before a change to the disk, also to files. */
  | { readonly kind: 'change'; readonly nth: number }
  | { readonly kind: 'service'; readonly at: ServiceMoment; readonly nth: number }
  | { readonly kind: 'time'; readonly afterMs: number }
  /** The user quits: no kill. */
  | { readonly kind: 'quit'; readonly afterMs: number };

export interface RunEnd {
  readonly wasKilled: boolean;
  /** The events that the user saw before the end. */
  readonly events: readonly EngineEvent[];
}

/** The data folder and the videos, and the disk that fails together with the process. */
export interface TestDisk {
  readonly folder: string;
  /** For the witness of requests. */
  readonly state: string;
  readonly videos: string;
  /** Makes the disk fail. The process is stopped, or has ended. */
  fail(): Promise<void>;
  /** Makes the disk usable again. The process has ended. */
  restore(): Promise<void>;
}

export interface WorldOptions {
  /** A temporary folder on a computer that keeps running, when left out. */
  readonly disk?: TestDisk;
  /** How long the computer is off after each end, in milliseconds; not at all when left out. */
  readonly offMs?: number;
  /** Real milliseconds after which a run is killed if it has not reached its kill point. */
  readonly lateMs?: number;
  /** How the picture of each row, a file beside its table, is sent; rows have none when left out. */
  readonly pictures?: EngineInstructions['pictures'];
  /** How the service can report about requests; the documented service when left out. */
  readonly traits?: ServiceTraits;
}

interface VideoSizes {
  /** In bytes, in turn. */
  readonly videoBytes?: readonly number[];
}

/** A job in the database. */
export interface StoredJob {
  readonly title: string;
  readonly state: string;
  readonly remoteId: string | null;
  readonly sha256: string | null;
  readonly file: string | null;
}

/** The content of the database after a run. */
export interface DatabaseContent {
  /** `ok`, or the errors that SQLite finds. */
  readonly integrity: string;
  /** In the order of their rows; empty if the engine was killed before it created its tables. */
  readonly jobs: readonly StoredJob[];
}

/** A data folder and its service, over many runs of an engine that is killed. */
export class World<S extends KillableService = KillingService> {
  readonly service: S;
  /** Titles of rows that the engine had confirmed before a kill. */
  readonly confirmed = new Set<string>();
  /** The data folder. */
  readonly folder: string;
  /** Whether the next runs may find that the queue has to be checked by its user. */
  mayBeBlocked = false;
  readonly #disk: TestDisk | null;
  readonly #state: string;
  readonly #videos: string;
  readonly #program: BundledProgram;
  readonly #began = Date.now();
  /** Real milliseconds since 1970 at which simulated and real time were the same. */
  #epoch = this.#began;
  readonly #offMs: number;
  readonly #lateMs: number | null;
  readonly #traits: ServiceTraits | null;
  /** The folder of the tables and their pictures. */
  readonly #pictures: string | null;
  readonly #send: EngineInstructions['pictures'];
  readonly #batches: EngineInstructions['batches'] = [];
  #rows = 0;
  #confirmedBatches = 0;
  /** The process of the next run: it starts up while this one is running. */
  #next: ChildProcessWithoutNullStreams;
  #child: ChildProcessWithoutNullStreams | undefined;

  private constructor(
    program: BundledProgram,
    serve: (clock: Pick<Clock, 'now'>) => S,
    { disk, offMs = 0, lateMs, traits, pictures = null }: WorldOptions,
  ) {
    this.#program = program;
    this.#next = start(program);
    this.#disk = disk ?? null;
    this.folder = disk?.folder ?? mkdtempSync(path.join(tmpdir(), 'spool-crash-'));
    this.#state = disk?.state ?? mkdtempSync(path.join(tmpdir(), 'spool-crash-state-'));
    this.#videos = disk?.videos ?? path.join(this.folder, 'renders');
    this.#offMs = offMs;
    this.#lateMs = lateMs ?? null;
    this.#traits = traits ?? null;
    this.#send = pictures;
    this.#pictures =
      pictures === null ? null : mkdtempSync(path.join(tmpdir(), 'spool-crash-pictures-'));
    this.service = serve({ now: () => new FastClock(this.#epoch, SPEED).now() });
  }

  /** With the documented service. */
  static async make(
    program: BundledProgram,
    { videoBytes, ...options }: WorldOptions & VideoSizes = {},
  ): Promise<World> {
    const wire = await ScriptedService.start(() => undefined);
    return new World(program, (clock) => new KillingService(clock, wire, videoBytes), options);
  }

  /** Uses a service that can report the outcome of a request. */
  static async remembering(
    program: BundledProgram,
    traits: ServiceTraits,
    seed: number,
    options: WorldOptions = {},
  ): Promise<World<RememberingServer>> {
    const wire = await ScriptedService.start(() => undefined);
    const random = new SeededRandom(seed);
    return new World(program, (clock) => new RememberingServer(clock, wire, traits, random), {
      ...options,
      traits,
    });
  }

  async end(): Promise<void> {
    this.#next.kill('SIGKILL');
    this.#child?.kill('SIGKILL');
    await this.service.stop();
    if (this.#disk) return;
    for (const each of [this.folder, this.#state, this.#pictures]) {
      if (each !== null) rmSync(each, { recursive: true, force: true });
    }
  }

  /** Adds a batch of new rows at the next run. Returns their titles. */
  addBatch(rows: number): readonly string[] {
    const titles = Array.from({ length: rows }, () => `Row ${(this.#rows += 1)}`);
    const name = `Batch ${this.#batches.length + 1}.csv`;
    if (this.#pictures === null) {
      this.#batches.push({ name, content: ['title', ...titles].join('\n') });
      return titles;
    }
    for (const title of titles) this.writePicture(title, pictureOf(title));
    const lines = titles.map((title) => `${title},${title}.png`);
    const content = ['title,picture', ...lines].join('\n');
    this.#batches.push({ name, content, folder: this.#pictures });
    return titles;
  }

  /** The next runs only continue: otherwise each adds the last batch again. */
  addNoBatchAgain(): void {
    this.#batches.length = 0;
    this.#confirmedBatches = 0;
  }

  /** Writes the file of a row's picture, or replaces it. */
  writePicture(title: string, bytes: Buffer): void {
    writeFileSync(path.join(this.#pictures ?? '', `${title}.png`), bytes);
  }

  /**
   * Runs the engine until the planned kill, or until it has finished its work; then the disk fails
   * too.
   * @param seed of the engine's random numbers
   * @param nameTemplate the new names of all files that are saved once the batches are added
   */
  async run(
    plannedKill: Kill | null,
    seed: number,
    nameTemplate: string | null = null,
  ): Promise<RunEnd> {
    const isUnconfirmed = this.#batches.slice(this.#confirmedBatches);
    const instructions: EngineInstructions = {
      folder: this.folder,
      state: this.#state,
      videos: this.#videos,
      url: this.service.url,
      ca: this.service.ca,
      began: this.#began,
      epoch: this.#epoch,
      speed: SPEED,
      seed,
      traits: this.#traits,
      pictures: this.#send,
      // The last existing batch is added again, as when a user drops a file twice.
      batches: [...this.#batches.slice(0, this.#confirmedBatches).slice(-1), ...isUnconfirmed],
      nameTemplate,
      endAt: this.#endAt(plannedKill),
    };
    const child = this.#next;
    this.#child = child;
    this.#next = start(this.#program);
    const disk = this.#disk;
    let failing: Promise<void> | undefined;
    const kill = (): void => {
      if (!disk) child.kill('SIGKILL');
      else if (child.exitCode === null && !failing) {
        // On a disk that has failed, the process must change nothing more, as after a power cut.
        child.kill('SIGSTOP');
        failing = disk.fail().finally(() => child.kill('SIGKILL'));
      }
    };
    this.service.killSwitch.kill = kill;
    this.service.killSwitch.moment =
      plannedKill?.kind === 'service' ? { at: plannedKill.at, left: plannedKill.nth } : null;
    let complaints = '';
    child.stderr.on('data', (data: Buffer) => (complaints += data.toString()));
    const events: EngineEvent[] = [];
    createInterface(child.stdout).on('line', (line) => {
      const event = engineEventSchema.parse(JSON.parse(line));
      events.push(event);
      if (event.kind === 'stopped') kill();
    });
    child.stdin.end(JSON.stringify(instructions));
    const quit = (): void => void child.kill('SIGTERM');
    const afterMs =
      plannedKill && 'afterMs' in plannedKill ? plannedKill.afterMs : plannedKill && this.#lateMs;
    const timer =
      afterMs === null
        ? undefined
        : setTimeout(plannedKill?.kind === 'quit' ? quit : kill, afterMs);
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (...how) => resolve(how));
    });
    clearTimeout(timer);
    await (failing ?? disk?.fail());
    await disk?.restore();
    this.#epoch -= this.#offMs / (SPEED - 1);
    const added = events.filter(({ kind }) => kind === 'added').length;
    this.#confirm(instructions.batches.slice(0, added));
    if (signal === null && code !== 0) throw new Error(`The engine fell over: ${complaints}`);
    const blocked = events.find(({ kind }) => kind === 'blocked');
    if (blocked && !this.mayBeBlocked) throw new Error(JSON.stringify(blocked));
    return { wasKilled: signal !== null, events };
  }

  #endAt(plannedKill: Kill | null): EngineInstructions['endAt'] {
    const how = this.#disk ? 'stop' : 'kill';
    switch (plannedKill?.kind) {
      case 'commit':
      case 'sync':
        return { nth: plannedKill.nth, of: plannedKill.kind, when: plannedKill.when, how };
      case 'change':
        return { nth: plannedKill.nth, of: 'change', when: 'before', how };
      default:
        return null;
    }
  }

  /**
   * Absolute paths of all video files, except locks of killed processes: the next process replaces
   * them.
   */
  files(): string[] {
    return readdirSync(this.#videos, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part.lock'))
      .map(({ parentPath, name }) => path.join(parentPath, name));
  }

  /** The database on the disk now. */
  readDatabase(): DatabaseContent {
    return this.#read((database) => ({
      integrity: String(database.prepare('PRAGMA integrity_check').get()?.integrity_check),
      jobs: jobsIn(database),
    }));
  }

  /** Units of quota in each state. */
  quota(): { readonly charged: number; readonly held: number } {
    return this.#read((database) => {
      const count = (state: string): number =>
        Number(database.prepare('SELECT count(*) AS n FROM charge WHERE state = ?').get(state)?.n);
      return { charged: count('charged'), held: count('held') };
    });
  }

  #confirm(batches: EngineInstructions['batches']): void {
    for (const batch of batches) {
      this.#confirmedBatches = Math.max(this.#confirmedBatches, this.#batches.indexOf(batch) + 1);
      for (const line of batch.content.split('\n').slice(1)) {
        this.confirmed.add(line.split(',')[0] ?? '');
      }
    }
  }

  /** Reads a copy: opening the database itself would repair what the next engine has to repair. */
  #read<T>(query: (database: DatabaseSync) => T): T {
    const copy = mkdtempSync(path.join(tmpdir(), 'spool-crash-copy-'));
    for (const name of ['spool.db', 'spool.db-wal']) {
      const file = path.join(this.folder, name);
      if (existsSync(file)) copyFileSync(file, path.join(copy, name));
    }
    const database = new DatabaseSync(path.join(copy, 'spool.db'));
    try {
      return query(database);
    } finally {
      database.close();
      rmSync(copy, { recursive: true });
    }
  }
}

/** The picture of a row when it is added; different for each row. */
export function pictureOf(title: string): Buffer {
  return noisePng(8 + Number(title.replace('Row ', '')), 9);
}

/** An engine that waits for its instructions on standard input. */
function start({ file, env }: BundledProgram): ChildProcessWithoutNullStreams {
  return spawn(...endingWithTests(process.execPath, [file]), { env });
}

function jobsIn(database: DatabaseSync): StoredJob[] {
  if (database.prepare('PRAGMA user_version').get()?.user_version === 0) return [];
  return database
    .prepare('SELECT title, state, remote_id, file_sha256, file_path FROM job ORDER BY id')
    .all()
    .map(({ title, state, remote_id, file_sha256, file_path }) => ({
      title: String(title),
      state: String(state),
      remoteId: remote_id === null ? null : String(remote_id),
      sha256: file_sha256 === null ? null : String(file_sha256),
      file: file_path === null ? null : String(file_path),
    }));
}
