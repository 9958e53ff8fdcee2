import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import type { Clock } from '../engine/clock.ts';
import { EngineError } from '../engine/engine-error.ts';
import { systemClock } from '../engine/system-clock.ts';
import type { Lifetime, ServiceProcess, ServiceProgram } from './service-program.ts';

/**
 * The account's email address on this computer. No mail is sent; the service requires an address.
 */
const ACCOUNT_EMAIL = 'owner@this-computer.local';

/** Limits for a command, a start and a stop, in milliseconds, generous for a busy computer. */
const COMMAND_TIMEOUT_MS = 60_000;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

const accountSchema = z.object({
  plan: z.string(),
  /** `limit` is `null` for an account without one. Of `countedFrom`, only the day of the month matters. */
  quota: z.object({ limit: z.int().nonnegative().nullable(), countedFrom: z.iso.date() }),
  keyName: z.string().nullable(),
  /** Of endpoints on which the account has its own. */
  limits: z.partialRecord(
    z.enum(['generate', 'status', 'download']),
    z.object({ requests: z.int().positive(), windowSeconds: z.int().positive() }),
  ),
});

export type LocalAccount = z.infer<typeof accountSchema>;

const createdKeySchema = z.object({ key: z.string().min(1) });

const readyLineSchema = z.object({
  url: z.url(),
  caFile: z.string(),
  rendersAtOnce: z.int().positive(),
});

/** A command of the local service failed; its error output is the detail. */
export class LocalServiceError extends EngineError {
  constructor(message: UserMessage, errorOutput: string) {
    const detail = errorOutput.trim();
    super({ code: 'service-unreachable', ...message, ...(detail === '' ? {} : { detail }) });
  }
}

export interface RunningLocalService {
  readonly url: string;
  /** PEM of the certificate that the client pins. */
  readonly ca: string;
  /** How many videos it can render at a time. */
  readonly rendersAtOnce: number;
  /**
   * Changes that, 0 to `rendersAtOnce`; those that are being rendered finish. It starts with 0.
   */
  renderAtOnce(count: number): void;
  /** Resolves when the service's process has exited, stopped or crashed. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface LocalServiceOptions {
  readonly clock?: Clock | undefined;
  /** Aborts a start or a command; a running service continues. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The local service as its user controls it: started on demand, administered by its command line.
 */
export class LocalService {
  readonly #program: ServiceProgram;
  readonly #dataDir: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal | undefined;

  /** @param dataDir absolute path of the folder in which the service keeps its data */
  constructor(
    program: ServiceProgram,
    dataDir: string,
    { clock = systemClock, signal }: LocalServiceOptions = {},
  ) {
    this.#program = program;
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** The user's account, on this plan; created if there is none yet. */
  async account(plan: string): Promise<LocalAccount> {
    const account = await this.accountAsItIs(plan);
    if (account.plan === plan) return account;
    const change = ['--account', ACCOUNT_EMAIL, '--plan', plan];
    return parseOutput(accountSchema, await this.#runCommand(['account', 'plan', ...change]));
  }

  /** The user's account on whichever plan it is; created on this one if there is none yet. */
  async accountAsItIs(plan: string): Promise<LocalAccount> {
    const options = ['--email', ACCOUNT_EMAIL, '--plan', plan, '--if-missing'];
    return parseOutput(accountSchema, await this.#runCommand(['account', 'add', ...options]));
  }

  /**
   * Replaces the account's key, as a user would who lost it: a key is shown only once. The key
   * arrives through a pipe; the caller stores it in the key store.
   */
  async newKey({ keyName }: LocalAccount): Promise<string> {
    if (keyName !== null) await this.#runCommand(['key', 'revoke', '--account', ACCOUNT_EMAIL]);
    const created = await this.#runCommand([
      'key',
      'create',
      '--account',
      ACCOUNT_EMAIL,
      '--name',
      'Spool',
    ]);
    return parseOutput(createdKeySchema, created).key;
  }

  /** Starts the service and waits for its ready line, which contains its address. */
  async start(port: number): Promise<RunningLocalService> {
    const options = ['--port', String(port), '--log-level', 'warn', '--paused'];
    const ready = Promise.withResolvers<string | null>();
    const process = this.#spawn(['start', ...options], 'companion', ready.resolve);
    void process.exited.then(() => ready.resolve(null));
    const line = await this.#withTimeout(START_TIMEOUT_MS, process, ready.promise, this.#signal);
    if (line === null)
      throw new LocalServiceError(userMessage('here-not-started'), process.errorOutput());
    try {
      const { url, caFile, rendersAtOnce } = parseOutput(readyLineSchema, {
        code: 0,
        line,
        errorOutput: '',
      });
      return {
        url,
        ca: await readFile(caFile, 'utf8'),
        rendersAtOnce,
        renderAtOnce: (count) => process.send(JSON.stringify({ rendersAtOnce: count })),
        ended: process.exited.then(() => undefined),
        stop: () => this.#stop(process),
      };
    } catch (error) {
      // It would keep the port and the lock of its folder.
      await this.#stop(process);
      throw error;
    }
  }

  /**
   * Stops at the safe point if it is reached in time. A kill at any time leaves the database
   * intact.
   */
  async #stop(process: ServiceProcess): Promise<void> {
    process.stop();
    await this.#withTimeout(STOP_TIMEOUT_MS, process, process.exited).catch(() => undefined);
    await process.exited;
  }

  async #runCommand(args: readonly string[]): Promise<CommandOutput> {
    let line = '';
    const process = this.#spawn(args, 'command', (answer) => {
      line = answer;
    });
    const code = await this.#withTimeout(COMMAND_TIMEOUT_MS, process, process.exited, this.#signal);
    return { code, line, errorOutput: process.errorOutput() };
  }

  #spawn(
    args: readonly string[],
    lifetime: Lifetime,
    onLine: (line: string) => void,
  ): ServiceProcess {
    return this.#program([...args, '--data-dir', this.#dataDir], lifetime, onLine);
  }

  /** Kills a process that exceeds its time limit, and rejects after its exit. */
  async #withTimeout<T>(
    ms: number,
    process: ServiceProcess,
    work: Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const done = new AbortController();
    const stopTimer = AbortSignal.any([done.signal, ...(signal ? [signal] : [])]);
    const timeout = this.#clock.sleep(ms, stopTimer).then(() => {
      throw new LocalServiceError(userMessage('here-too-slow'), process.errorOutput());
    });
    try {
      return await Promise.race([work, timeout]);
    } catch (error) {
      process.kill();
      await process.exited;
      throw error;
    } finally {
      done.abort();
    }
  }
}

interface CommandOutput {
  readonly code: number | null;
  readonly line: string;
  readonly errorOutput: string;
}

function parseOutput<T>(schema: z.ZodType<T>, { code, line, errorOutput }: CommandOutput): T {
  if (code !== 0) throw new LocalServiceError(userMessage('here-refused'), errorOutput);
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    // The answer itself is not quoted: it may contain a key.
    throw new LocalServiceError(userMessage('here-unreadable'), errorOutput);
  }
}
