import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Account } from '../../src/local-service/accounts/account.ts';
import { systemClock } from '../../src/local-service/clock.ts';
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from '../../src/local-service/postgres/postgres-stores.ts';
import type { Storyboard } from '../../src/local-service/rendering/storyboard.ts';
import type { PostgresServer } from '../../test/rigs/postgres-server.ts';
import { forEach } from './for-each.ts';
import { processorTimeOf } from './processor-time.ts';

const WORKER = path.join(import.meta.dirname, 'worker.ts');
const ACCOUNTS = 20;
const POLL_MS = 20;

export interface FarmOptions {
  readonly server: PostgresServer;
  /** For the files and the workers' data; `Farm.open` creates it. */
  readonly folder: string;
  readonly processes: number;
  /** Videos at a time in each process. */
  readonly slots: number;
  /** Whether files are stored in the folder, or nowhere. */
  readonly files: 'folder' | 'none';
  /** Whether videos are drawn, or two small files are written. */
  readonly renderer: 'real' | 'none';
  /** Requests in flight while videos are accepted. */
  readonly requests: number;
  readonly storyboard: Storyboard;
}

/** Processor time in milliseconds. */
export interface ProcessorTimes {
  readonly api: number;
  readonly workers: number;
  readonly postgres: number;
}

/**
 * A service on several computers: this process accepts videos, and worker processes render them.
 */
export class Farm implements AsyncDisposable {
  readonly #options: FarmOptions;
  readonly #url: string;
  readonly #stores: PostgresStores;
  readonly #accounts: readonly Account[];
  /** Counts finished videos; a new connection for each count would cost as much as a video. */
  readonly #observer: Client;
  readonly #children: ChildProcess[] = [];

  private constructor(
    options: FarmOptions,
    url: string,
    stores: PostgresStores,
    accounts: readonly Account[],
  ) {
    this.#options = options;
    this.#url = url;
    this.#stores = stores;
    this.#accounts = accounts;
    this.#observer = new Client({ connectionString: url });
  }

  static async open(options: FarmOptions): Promise<Farm> {
    const { server, folder, requests } = options;
    const onError = (error: unknown): void => console.error(error);
    const url = await server.createDatabase();
    mkdirSync(folder);
    await migratePostgres({ url, onError });
    const stores = await openPostgresStores({
      url,
      clock: systemClock,
      window: 'fixed',
      slots: 0,
      onError,
      maxConnections: requests + 2,
    });
    const accounts: Account[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const email = `bench-${index}@example.com`;
      accounts.push(await stores.accounts.add({ email, plan: 'business', customQuota: 100_000 }));
    }
    const farm = new Farm(options, url, stores, accounts);
    await farm.#observer.connect();
    for (let index = 0; index < options.processes; index += 1) await farm.#startWorker(index);
    return farm;
  }

  /**
   * Renders videos, then lets PostgreSQL analyse its tables, as autovacuum does within a minute.
   */
  async warmUp(videos: number): Promise<void> {
    await this.render(videos);
    await this.#observer.query('ANALYZE');
  }

  /** Accepts videos while workers claim them, and waits until all are finished. */
  async render(videos: number): Promise<void> {
    const before = await this.#finished();
    await forEach(videos, this.#options.requests, (index) => this.#accept(index));
    while ((await this.#finished()) < before + videos) await delay(POLL_MS);
  }

  /** Milliseconds from the acceptance of a video to its claim by an idle worker, sorted. */
  async claimTimes(videos: number): Promise<number[]> {
    const times: number[] = [];
    for (let index = 0; index < videos; index += 1) {
      const id = await this.#accept(index);
      const start = performance.now();
      for (;;) {
        const video = await this.#stores.videos.find(this.#accountOf(index), id);
        if (video?.state !== 'queued') break;
        await delay(1);
      }
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b);
  }

  /** The processor times used so far. */
  processorTimes(): ProcessorTimes {
    const workers = this.#children.map(({ pid = 0 }) => processorTimeOf(pid));
    return {
      ...processorTimesAlone(this.#options.server),
      workers: workers.reduce((sum, time) => sum + time, 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    }
    await this.#observer.end();
    await this.#stores.close();
  }

  async #startWorker(index: number): Promise<void> {
    const { folder, slots, files, renderer } = this.#options;
    const dataDir = path.join(folder, `.worker-${index}`);
    const child = spawn(
      process.execPath,
      [WORKER, folder, dataDir, String(slots), files, renderer],
      {
        env: { ...process.env, SPOOL_SERVICE_DATABASE: this.#url },
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    this.#children.push(child);
    await once(child.stdout, 'data');
  }

  #accountOf(index: number): Account {
    return this.#accounts[index % ACCOUNTS]!;
  }

  async #accept(index: number): Promise<string> {
    const { storyboard } = this.#options;
    const accepted = await this.#stores.videos.accept(this.#accountOf(index), storyboard, 5);
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    return accepted.id;
  }

  async #finished(): Promise<number> {
    const { rows } = await this.#observer.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM spool.video WHERE state = 'done'",
    );
    return rows[0]?.n ?? 0;
  }
}

/** The processor times that this process and PostgreSQL have used so far. */
export function processorTimesAlone(server: PostgresServer): ProcessorTimes {
  const { user, system } = process.cpuUsage();
  const api = (user + system) / 1000;
  return { api, workers: 0, postgres: processorTimeOf(server.processId) };
}
