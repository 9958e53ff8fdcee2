import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult, types } from 'pg';
import { CommitUncertainError, DatabaseUnavailableError } from '../database-unavailable.ts';
import { OpenSockets } from './open-sockets.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { SilenceLimit } from './silence-limit.ts';

/** A row before it is parsed. */
type Row = Record<string, unknown>;

/** Runs statements, in one transaction or each in its own. */
export interface Queries {
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

export interface PostgresOptions {
  /** `postgres://…`; may contain a password, so it is never logged. */
  readonly url: string;
  readonly maxConnections: number;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /**
   * Called when an idle connection fails; the next statement opens another one. Not called once
   * `close` has begun.
   */
  readonly onError: (error: unknown) => void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that takes longer counts as an outage: the service's longest take milliseconds. */
const STATEMENT_TIMEOUT_MS = 15_000;
const RECONNECT_MS = 1_000;
/** How long the server may take to close a connection that the service has ended. */
const CLOSE_TIMEOUT_MS = 500;
const INT8_OID = 20;
/**
 * Each connection plans a statement once, not for each list of identifiers: planning took nearly
 * half of the database's time for a video. Such a plan is used until the next ANALYZE, while its
 * table grows; with the page cost of an SSD, it uses the index in small tables too.
 */
const PLANNING = '-c plan_cache_mode=force_generic_plan -c random_page_cost=1.1';

/**
 * Parses bigint as a number, which times and identifiers fit into. By default, `pg` returns text.
 */
const numbers: ClientConfig['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    oid === INT8_OID ? Number : types.getTypeParser(oid, format),
};

/** A PostgreSQL database that may become unavailable, and available again, at any time. */
export class PostgresDatabase implements Queries {
  readonly #pool: Pool;
  readonly #options: PostgresOptions;
  readonly #sockets = new OpenSockets();
  readonly #silence = new SilenceLimit(() => this.#sockets.refuse());
  readonly #prepared = new PreparedStatements();
  #isClosing = false;

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#pool = new Pool({
      ...connectionOf(options, this.#sockets),
      max: options.maxConnections,
      options: PLANNING,
      // Server and client both have timeouts: a lost server blocks no caller, a lost client keeps
      // no locks.
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    });
    this.#pool.on('error', (error) => this.#report(error));
  }

  /** @throws {DatabaseUnavailableError} */
  async query(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      return rowsOf(
        await this.#silence.watch(() => this.#pool.query<Row>(this.#prepared.of(text, values))),
      );
    } catch (error) {
      throw unavailableOr(error);
    }
  }

  /**
   * Runs `work` in one transaction. An error rolls it back.
   *
   * @throws {CommitUncertainError} when the connection is lost during the commit
   * @throws {DatabaseUnavailableError} when nothing was committed
   */
  async transaction<T>(work: (transaction: Queries) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.#silence.watch(() => this.#pool.connect());
    } catch (error) {
      throw unavailableOr(error);
    }
    // The pool listens to idle connections only, and an error without a listener ends the process.
    // A lost connection makes the next statement fail, at the latest the commit.
    client.on('error', ignoreError);
    const query: Queries['query'] = async (text, values = []) =>
      rowsOf(await this.#silence.watch(() => client.query<Row>(this.#prepared.of(text, values))));
    let result: T;
    try {
      await query('BEGIN');
      result = await work({ query });
    } catch (error) {
      // A connection that cannot roll back is closed, which rolls back as well.
      const isUsable = await query('ROLLBACK').then(
        () => true,
        () => false,
      );
      release(client, !isUsable);
      throw unavailableOr(error);
    }
    try {
      await query('COMMIT');
    } catch (error) {
      release(client, true);
      throw isOutage(error) ? new CommitUncertainError(error) : error;
    }
    release(client);
    return result;
  }

  /**
   * Calls `onNotification` for each notification on a channel, and after each reconnection, since
   * notifications may have been lost. Uses a separate connection.
   */
  listen(channel: string, onNotification: () => void): AsyncDisposable {
    const sockets = new OpenSockets();
    let listening: Client | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isClosed = false;
    const onError = (error: unknown): void => {
      if (!isClosed) this.#report(error);
    };
    const connect = async (): Promise<void> => {
      const client = new Client({
        ...connectionOf(this.#options, sockets),
        keepAlive: true,
        query_timeout: STATEMENT_TIMEOUT_MS,
      });
      client.on('notification', onNotification);
      client.on('error', onError);
      client.on('end', () => {
        listening = undefined;
        if (!isClosed) timer = setTimeout(() => void connect(), RECONNECT_MS).unref();
      });
      try {
        await client.connect();
        await client.query(`LISTEN ${channel}`);
        listening = client;
        onNotification();
      } catch (error) {
        onError(error);
        sockets.destroyAll();
      }
    };
    void connect();
    return {
      [Symbol.asyncDispose]: async () => {
        isClosed = true;
        clearTimeout(timer);
        if (listening) void listening.end();
        else sockets.destroyAll();
        await sockets.closed(CLOSE_TIMEOUT_MS);
      },
    };
  }

  /**
   * To be called when shutdown begins: once the server has been silent for 1.5 s, all statements
   * fail as in an outage. As long as it responds, they may take longer.
   */
  prepareClose(): void {
    this.#silence.start();
  }

  /** Resolves when all connections are closed, whether or not the server responds. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.prepareClose();
    await this.#pool.end();
    await this.#sockets.closed(CLOSE_TIMEOUT_MS);
  }

  #report(error: unknown): void {
    if (!this.#isClosing) this.#options.onError(error);
  }
}

function ignoreError(): void {
  // Named, so that it can be removed.
}

function release(client: PoolClient, isBroken = false): void {
  client.removeListener('error', ignoreError);
  client.release(isBroken);
}

/** A text with several statements, as pg-boss sends some, has one result for each. */
function rowsOf(results: QueryResult<Row> | readonly QueryResult<Row>[]): readonly Row[] {
  return [results].flat().flatMap(({ rows }) => rows);
}

function connectionOf({ url, name }: PostgresOptions, { create }: OpenSockets): ClientConfig {
  return {
    connectionString: url,
    stream: create,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: numbers,
  };
}

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A) of a server that cannot serve for now.
 * Includes 28, authorization: the user's password may be about to change.
 */
const OUTAGE_STATES = /^(?:08|28|53|57P|57014$|58|25006$|40001$|40P01$|55P03$|25P03$)/;
/** Codes of connections that failed or were lost. */
const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOENT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETDOWN',
  'EACCES',
]);
const LOST_MESSAGE =
  /connection (?:terminated|ended)|timeout|timed out|not queryable|socket hang up/i;

/** Whether an error means that the server cannot be reached, or cannot serve for now. */
export function isOutage(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return true;
  if (error instanceof AggregateError) return error.errors.every(isOutage);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    OUTAGE_STATES.test(code) || LOST.has(code) || (code === '' && LOST_MESSAGE.test(error.message))
  );
}

function unavailableOr(error: unknown): unknown {
  return isOutage(error) ? new DatabaseUnavailableError(error) : error;
}

/** Replaces U+0000, which PostgreSQL's text cannot contain. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
