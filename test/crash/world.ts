import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FastClock } from '../rigs/fast-clock.ts';
import type { EngineOrder } from './engine-process.ts';
import { KillingService, type ServiceMoment } from './killing-service.ts';

/** Fast enough that a render's minutes pass, slow enough that a timeout of ten seconds is one. */
const SPEED = 25;

const PROGRAM = path.join(import.meta.dirname, 'engine-process.ts');

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

/** One data folder and the service it speaks to, over many runs of an engine that gets killed. */
export class World {
  readonly service: KillingService;
  /** Titles of rows whose import had been confirmed before a death. */
  readonly confirmed = new Set<string>();
  readonly #folder: string;
  readonly #epoch: number;
  readonly #batches: EngineOrder['batches'] = [];
  #rows = 0;

  private constructor(folder: string, epoch: number, service: KillingService) {
    this.#folder = folder;
    this.#epoch = epoch;
    this.service = service;
  }

  static async make(): Promise<World> {
    const epoch = Date.now();
    const folder = mkdtempSync(path.join(tmpdir(), 'spool-crash-'));
    return new World(folder, epoch, await KillingService.start(new FastClock(epoch, SPEED)));
  }

  async end(): Promise<void> {
    await this.service.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** More work: a batch of rows that no batch had before. */
  addBatch(rows: number): void {
    const titles = Array.from({ length: rows }, () => `Row ${(this.#rows += 1)}`);
    const name = `Batch ${this.#batches.length + 1}.csv`;
    this.#batches.push({ name, content: ['title', ...titles].join('\n') });
  }

  /** Runs the engine until it dies, as told, or has nothing left to do. */
  async run(death: Death | null): Promise<RunEnd> {
    const order: EngineOrder = {
      folder: this.#folder,
      url: this.service.url,
      ca: this.service.ca,
      epoch: this.#epoch,
      speed: SPEED,
      batches: this.#batches,
      dieAtCommit: death?.kind === 'commit' ? death : null,
    };
    const child = spawn(process.execPath, [PROGRAM, JSON.stringify(order)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = (): void => void child.kill('SIGKILL');
    this.service.kill = kill;
    this.service.moment = death?.kind === 'service' ? { at: death.at, left: death.nth } : null;
    const alarm = death?.kind === 'time' ? setTimeout(kill, death.afterMs) : undefined;
    let words = '';
    let added = '';
    child.stderr.on('data', (data: Buffer) => (words += data.toString()));
    child.stdout.on('data', (data: Buffer) => (added += data.toString()));
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
      child.on('close', (...how) => resolve(how));
    });
    clearTimeout(alarm);
    this.#confirm(added.split('\n').filter(Boolean).length);
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The engine fell over: ${words}`);
    return { wasKilled: signal === 'SIGKILL', words };
  }

  /** `ok`, or what SQLite finds wrong. */
  integrity(): string {
    return this.#read((database) =>
      String(database.prepare('PRAGMA integrity_check').get()?.integrity_check),
    );
  }

  /** In the order of their rows; none if the engine died before it had made its tables. */
  jobs(): StoredJob[] {
    return this.#read((database) => {
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
    });
  }

  /** Units of quota in each state. */
  quota(): { readonly charged: number; readonly held: number } {
    return this.#read((database) => {
      const count = (state: string): number =>
        Number(database.prepare('SELECT count(*) AS n FROM charge WHERE state = ?').get(state)?.n);
      return { charged: count('charged'), held: count('held') };
    });
  }

  #confirm(batches: number): void {
    for (const { content } of this.#batches.slice(0, batches)) {
      for (const title of content.split('\n').slice(1)) this.confirmed.add(title);
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
