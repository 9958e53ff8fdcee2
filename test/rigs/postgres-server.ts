import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { endingWithTests } from './ending-with-tests.ts';
import { removeFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/** Where Debian installs the programs of each version. */
const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; “nobody” on most systems, and the account need not exist. */
const NOBODY = 65_534;
const STEP_MS = 20;

/** Tests need no durability. */
const volatile = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off'];
const settings = [
  'listen_addresses=',
  'shared_buffers=32MB',
  'max_connections=100',
  'max_wal_senders=0',
  'wal_level=minimal',
  'jit=off',
];

/** The folder of PostgreSQL's programs; `undefined` if it is not installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => path.join(DEBIAN, version, 'bin'))
    .find((folder) => existsSync(path.join(folder, 'initdb')));
}

/** Why there is no PostgreSQL here, for a test that is skipped. */
export const NO_POSTGRES = 'PostgreSQL is not installed (apt-get install postgresql)';

/** A PostgreSQL server with a new cluster, on a Unix socket in a temporary folder. */
export class PostgresServer implements AsyncDisposable {
  readonly #programs: string;
  readonly #folder: string;
  #process: ChildProcess | undefined;
  #databases = 0;

  readonly #settings: readonly string[];

  private constructor(programs: string, folder: string, isDurable: boolean) {
    this.#programs = programs;
    this.#folder = folder;
    this.#settings = isDurable ? settings : [...volatile, ...settings];
  }

  /** @param isDurable commits survive a power cut, as they do in use; for benchmarks */
  static async start(programs: string, { isDurable = false } = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-postgres-'));
    const server = new PostgresServer(programs, folder, isDurable);
    try {
      if (identity().uid !== undefined) await chown(folder, NOBODY, NOBODY);
      await run(
        path.join(programs, 'initdb'),
        [
          '--pgdata',
          path.join(folder, 'data'),
          '--username',
          'spool',
          '--auth',
          'trust',
          '--no-sync',
          '--no-instructions',
          '--encoding',
          'UTF8',
          '--locale',
          'C',
        ],
        identity(),
      );
      await server.resume();
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The address of a database, or without a name that of the server. */
  url(database = 'postgres', user = 'spool'): string {
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(this.#folder)}`;
  }

  /** The Unix socket that it listens on. */
  get socket(): string {
    return path.join(this.#folder, '.s.PGSQL.5432');
  }

  /** The identifier of its process; that of a server that was stopped is 0. */
  get processId(): number {
    return this.#process?.pid ?? 0;
  }

  /** Creates a database and returns its address. */
  async createDatabase(template = 'template1'): Promise<string> {
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    await this.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return this.url(name);
  }

  /** Runs statements on the server, or on the database of an address. */
  async query(statements: string, url = this.url()): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statements)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends the server as a power cut would, or with SIGINT for a fast shutdown. */
  async stop(signal: 'SIGKILL' | 'SIGINT' = 'SIGINT'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Starts the server, again after it was stopped. */
  async resume(): Promise<void> {
    const [program, args] = endingWithTests(path.join(this.#programs, 'postgres'), [
      '-D',
      path.join(this.#folder, 'data'),
      '-k',
      this.#folder,
      ...this.#settings.flatMap((setting) => ['-c', setting]),
    ]);
    this.#process = spawn(program, args, { ...identity(), stdio: 'ignore' });
    for (;;) {
      try {
        await this.query('SELECT 1');
        return;
      } catch (error) {
        const { exitCode, signalCode } = this.#process;
        if (exitCode !== null || signalCode !== null) throw error;
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    removeFolder(this.#folder);
  }
}

function identity(): { cwd: string; uid?: number; gid?: number } {
  return process.getuid?.() === 0 ? { cwd: '/', uid: NOBODY, gid: NOBODY } : { cwd: '/' };
}
