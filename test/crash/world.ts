import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BundledProgram } from '../rigs/bundled-program.ts';
import { FastClock } from '../rigs/fast-clock.ts';
import type { EngineOrder } from './engine-process.ts';
import { KillingService, type ServiceMoment } from './killing-service.ts';

/** Fast enough that a render's minutes pass, slow enough that a timeout of ten seconds is one. */
const SPEED = 25;

/** How one run of the engine ends, unless it has nothing left to do before. */
export type Death =
  | { readonly kind: 'commit'; readonly nth: number; readonly when: 'before' | 'after' }
  | { readonly kind: 'service'; readonly at: ServiceMoment; readonly nth: number }
  | { readonly kind: 'time'; readonly afterMs: number };

/** What a run came to. */
export interface RunEnd {
  readonly wasKilled: boolean;
  readonly words: string;
}

/** One job as the database has it. */
export interface StoredJob {
  readonly title: string;
  readonly state: string;
  readonly remoteId: string | null;
  readonly sha256: string | null;
}

/** A database as a dead engine left it. */
export interface Sight {
  /** `ok`, or what SQLite finds wrong. */
  readonly integrity: string;
  /** In the order of their rows; none if the engine died before it had made its tables. */
  readonly jobs: readonly StoredJob[];
}

/** One data folder and the service it speaks to, over many runs of an engine that gets killed. */
export class World {
  readonly service: KillingService;
  /** Titles of rows whose import had been confirmed before a death. */
  readonly confirmed = new Set<string>();
  readonly #folder: string;
  readonly #program: BundledProgram;
  readonly #epoch: number;
  readonly #batches: EngineOrder['batches'] = [];
  #rows = 0;
  #confirmedBatches = 0;
  /** The process of the next run: it starts up while this one lives. */
  #next: ChildProcessWithoutNullStreams;

  private constructor(
    program: BundledProgram,
    folder: string,
    epoch: number,
    service: KillingService,
  ) {
    this.#program = program;
    this.#next = start(program);
    this.#folder = folder;
    this.#epoch = epoch;
    this.service = service;
  }

  static async make(program: BundledProgram): Promise<World> {
    const epoch = Date.now();
    const folder = mkdtempSync(path.join(tmpdir(), 'spool-crash-'));
    const service = await KillingService.start(new FastClock(epoch, SPEED));
    return new World(program, folder, epoch, service);
  }

  async end(): Promise<void> {
    this.#next.kill('SIGKILL');
    await this.service.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** More work: a batch of rows that no batch had before. */
  addBatch(rows: number): void {
    const titles = Array.from({ length: rows }, () => `Row ${(this.#rows += 1)}`);
    const name = `Batch ${this.#batches.length + 1}.csv`;
    this.#batches.push({ name, content: ['title', ...titles].join('\n') });
  }

  /**
   * Runs the engine until it dies, as told, or has nothing left to do.
   * @param seed for the engine's own chance
   */
  async run(death: Death | null, seed: number): Promise<RunEnd> {
    const isUnconfirmed = this.#batches.slice(this.#confirmedBatches);
    const order: EngineOrder = {
      folder: this.#folder,
      url: this.service.url,
      ca: this.service.ca,
      epoch: this.#epoch,
      speed: SPEED,
      seed,
      // The last one that is there already comes once more, as when somebody drops a file again.
      batches: [...this.#batches.slice(0, this.#confirmedBatches).slice(-1), ...isUnconfirmed],
      dieAtCommit: death?.kind === 'commit' ? death : null,
    };
    const child = this.#next;
    this.#next = start(this.#program);
    const kill = (): void => void child.kill('SIGKILL');
    this.service.kill = kill;
    this.service.moment = death?.kind === 'service' ? { at: death.at, left: death.nth } : null;
    let words = '';
    let added = '';
    child.stderr.on('data', (data: Buffer) => (words += data.toString()));
    child.stdout.on('data', (data: Buffer) => (added += data.toString()));
    child.stdin.end(JSON.stringify(order));
    const alarm = death?.kind === 'time' ? setTimeout(kill, death.afterMs) : undefined;
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (...how) => resolve(how));
    });
    clearTimeout(alarm);
    this.#confirm(order.batches.slice(0, added.split('\n').filter(Boolean).length));
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The engine fell over: ${words}`);
    return { wasKilled: signal === 'SIGKILL', words };
  }

  /** What is on disk now. */
  look(): Sight {
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

  #confirm(batches: EngineOrder['batches']): void {
    for (const batch of batches) {
      this.#confirmedBatches = Math.max(this.#confirmedBatches, this.#batches.indexOf(batch) + 1);
      for (const title of batch.content.split('\n').slice(1)) this.confirmed.add(title);
    }
  }

  /** Looks at a copy: to open the database itself would repair what the next engine has to. */
  #read<T>(look: (database: DatabaseSync) => T): T {
    const copy = mkdtempSync(path.join(tmpdir(), 'spool-crash-copy-'));
    for (const name of ['spool.db', 'spool.db-wal']) {
      const file = path.join(this.#folder, name);
      if (existsSync(file)) copyFileSync(file, path.join(copy, name));
    }
    const database = new DatabaseSync(path.join(copy, 'spool.db'));
    try {
      return look(database);
    } finally {
      database.close();
      rmSync(copy, { recursive: true });
    }
  }
}

/** An engine that waits for its order on standard input. */
function start({ file, env }: BundledProgram): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [file], { env });
}

function jobsIn(database: DatabaseSync): StoredJob[] {
  if (database.prepare('PRAGMA user_version').get()?.user_version === 0) return [];
  return database
    .prepare('SELECT title, state, remote_id, file_sha256 FROM job ORDER BY id')
    .all()
    .map(({ title, state, remote_id, file_sha256 }) => ({
      title: String(title),
      state: String(state),
      remoteId: remote_id === null ? null : String(remote_id),
      sha256: file_sha256 === null ? null : String(file_sha256),
    }));
}
