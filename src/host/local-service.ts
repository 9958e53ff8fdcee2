import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { tell, type Told } from '../contract/told.ts';
import { EngineError } from '../engine/engine-error.ts';
import type { Lifetime, ServiceProcess, ServiceProgram } from './service-program.ts';

/** Whose the account on this computer is. Nobody writes to it; the service wants an address. */
const OWNER = 'owner@this-computer.local';

/** Enough to tell why the service ended. */
const KEPT_OUTPUT_CHARACTERS = 2000;

const accountSchema = z.object({
  plan: z.string(),
  quota: z.object({ limit: z.int().nonnegative(), resetAt: z.iso.datetime() }),
  keyName: z.string().nullable(),
});

export type LocalAccount = z.infer<typeof accountSchema>;

const createdKeySchema = z.object({ key: z.string().min(1) });

const readyLineSchema = z.object({ url: z.url(), caFile: z.string() });

/** The local service did not do what it was started for; its own last words are the detail. */
export class LocalServiceError extends EngineError {
  constructor(told: Told, words: string) {
    const detail = words.trim().slice(-KEPT_OUTPUT_CHARACTERS);
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

/** The local service as its owner uses it: started on demand, administered by its command line. */
export class LocalService {
  readonly #program: ServiceProgram;
  readonly #dataDir: string;

  /** @param dataDir absolute path of the folder in which the service keeps its data */
  constructor(program: ServiceProgram, dataDir: string) {
    this.#program = program;
    this.#dataDir = dataDir;
  }

  /** The owner's account; opened on `plan` if there is none yet. */
  async account(plan: string): Promise<LocalAccount> {
    const shown = await this.#ask(['account', 'show', '--account', OWNER]);
    if (shown.code === 0) return parsed(accountSchema, shown);
    return parsed(
      accountSchema,
      await this.#ask(['account', 'add', '--email', OWNER, '--plan', plan]),
    );
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
    const process = this.#run(['start', ...options], 'companion');
    const words = lastWords(process);
    for await (const line of createInterface({ input: process.stdout })) {
      const { url, caFile } = parsed(readyLineSchema, { code: 0, output: line, words: '' });
      return {
        url,
        ca: await readFile(caFile, 'utf8'),
        ended: process.exited.then(() => undefined),
        async stop() {
          process.end();
          await process.exited;
        },
      };
    }
    await process.exited;
    throw new LocalServiceError(tell('here-not-started'), words());
  }

  async #ask(args: readonly string[]): Promise<Answer> {
    const process = this.#run(args, 'command');
    const [output, words, code] = await Promise.all([
      text(process.stdout),
      text(process.stderr),
      process.exited,
    ]);
    return { code, output, words };
  }

  #run(args: readonly string[], lifetime: Lifetime): ServiceProcess {
    return this.#program([...args, '--data-dir', this.#dataDir], lifetime);
  }
}

interface Answer {
  readonly code: number | null;
  readonly output: string;
  readonly words: string;
}

function parsed<T>(schema: z.ZodType<T>, { code, output, words }: Answer): T {
  if (code !== 0) throw new LocalServiceError(tell('here-refused'), words);
  try {
    return schema.parse(JSON.parse(output));
  } catch {
    // The answer itself is not quoted: it may hold a key.
    throw new LocalServiceError(tell('here-unreadable'), words);
  }
}

/** Reads a process's complaints as they come, so that it never waits for a full pipe. */
function lastWords({ stderr }: ServiceProcess): () => string {
  let kept = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    kept = (kept + chunk).slice(-KEPT_OUTPUT_CHARACTERS);
  });
  return () => kept;
}
