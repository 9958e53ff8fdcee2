import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { userMessage, type UserMessage } from '../contract/user-message.ts';
import type { Clock } from '../engine/clock.ts';
import { EngineError } from '../engine/engine-error.ts';
import { systemClock } from '../engine/system-clock.ts';
import type { Lifetime, ServiceProcess, ServiceProgram } from './service-program.ts';

/** Whose the account on this computer is. Nobody writes to it; the service wants an address. */
const OWNER = 'owner@this-computer.local';

/**
 * How long a command, a start and an end may take, on a computer that is busy with other things.
 */
const ANSWERS_WITHIN_MS = 60_000;
const STARTS_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 20_000;

const accountSchema = z.object({
  plan: z.string(),
  /** `countedFrom` is the billing or sign-up date, of which only the day of the month matters. */
  quota: z.object({ limit: z.int().nonnegative(), countedFrom: z.iso.date() }),
  keyName: z.string().nullable(),
});

export type LocalAccount = z.infer<typeof accountSchema>;

const createdKeySchema = z.object({ key: z.string().min(1) });

const readyLineSchema = z.object({ url: z.url(), caFile: z.string() });

/** The local service did not do what it was started for; its complaints are the detail. */
export class LocalServiceError extends EngineError {
  constructor(told: UserMessage, complaints: string) {
    const detail = complaints.trim();
    super({ code: 'service-unreachable', ...told, ...(detail === '' ? {} : { detail }) });
  }
}

export interface RunningLocalService {
  readonly url: string;
  /** PEM of the certificate that the client pins. */
  readonly ca: string;
  /** Resolves when the service's process is gone, whether it was stopped or fell over. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface LocalServiceOptions {
  readonly clock?: Clock | undefined;
  /** Gives up what is started or asked when it is aborted; a running service goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** The local service as the user uses it: started on demand, administered by its command line. */
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

  /** The user's account; opened on `plan` if there is none yet. */
  async account(plan: string): Promise<LocalAccount> {
    const options = ['--email', OWNER, '--plan', plan, '--if-missing'];
    return parsed(accountSchema, await this.#ask(['account', 'add', ...options]));
  }

  /**
   * Makes a new key in place of the one the account has, as an owner would who lost it: a key is
   * shown only once. It comes through a pipe, and its caller puts it where keys are kept.
   */
  async newKey({ keyName }: LocalAccount): Promise<string> {
    if (keyName !== null) await this.#ask(['key', 'revoke', '--account', OWNER]);
    const made = await this.#ask(['key', 'create', '--account', OWNER, '--name', 'Spool']);
    return parsed(createdKeySchema, made).key;
  }

  /** Starts the service and waits for the line that says where it is. */
  async start(port: number): Promise<RunningLocalService> {
    const options = ['--port', String(port), '--log-level', 'warn'];
    const ready = Promise.withResolvers<string | null>();
    const process = this.#run(['start', ...options], 'companion', ready.resolve);
    void process.exited.then(() => ready.resolve(null));
    const line = await this.#within(STARTS_WITHIN_MS, process, ready.promise, this.#signal);
    if (line === null)
      throw new LocalServiceError(userMessage('here-not-started'), process.complaints());
    const { url, caFile } = parsed(readyLineSchema, { code: 0, line, complaints: '' });
    return {
      url,
      ca: await readFile(caFile, 'utf8'),
      ended: process.exited.then(() => undefined),
      stop: () => this.#stop(process),
    };
  }

  /** At its safe point if it reaches that in time. Its database is whole whenever it is killed. */
  async #stop(process: ServiceProcess): Promise<void> {
    process.stop();
    await this.#within(ENDS_WITHIN_MS, process, process.exited).catch(() => undefined);
    await process.exited;
  }

  async #ask(args: readonly string[]): Promise<Answer> {
    let line = '';
    const process = this.#run(args, 'command', (answer) => {
      line = answer;
    });
    const code = await this.#within(ANSWERS_WITHIN_MS, process, process.exited, this.#signal);
    return { code, line, complaints: process.complaints() };
  }

  #run(
    args: readonly string[],
    lifetime: Lifetime,
    onLine: (line: string) => void,
  ): ServiceProcess {
    return this.#program([...args, '--data-dir', this.#dataDir], lifetime, onLine);
  }

  /** Kills a process that takes too long, and rejects when it has ended. */
  async #within<T>(
    ms: number,
    process: ServiceProcess,
    work: Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const done = new AbortController();
    const ends = AbortSignal.any([done.signal, ...(signal ? [signal] : [])]);
    const late = this.#clock.sleep(ms, ends).then(() => {
      throw new LocalServiceError(userMessage('here-too-slow'), process.complaints());
    });
    try {
      return await Promise.race([work, late]);
    } catch (error) {
      process.kill();
      await process.exited;
      throw error;
    } finally {
      done.abort();
    }
  }
}

interface Answer {
  readonly code: number | null;
  readonly line: string;
  readonly complaints: string;
}

function parsed<T>(schema: z.ZodType<T>, { code, line, complaints }: Answer): T {
  if (code !== 0) throw new LocalServiceError(userMessage('here-refused'), complaints);
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    // The answer itself is not quoted: it may hold a key.
    throw new LocalServiceError(userMessage('here-unreadable'), complaints);
  }
}
