import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceProcess, ServiceProgram } from '../../src/host/service-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The command line of a local service that answers no requests. A test ends its processes. */
export class ScriptedProgram {
  /** How many processes have started in total. */
  starts = 0;
  /** Whether the next processes never report that they are ready. */
  hangs = false;
  /** Whether the next processes end at once. */
  fails = false;
  /** Of the account. */
  limits: object = {};
  readonly #running = new Set<() => void>();
  readonly #caFile = path.join(temporaryFolder(), 'ca.pem');

  constructor() {
    writeFileSync(this.#caFile, '');
  }

  readonly program: ServiceProgram = ([command, ...args], _, onLine): ServiceProcess => {
    const { promise: exited, resolve } = Promise.withResolvers<number | null>();
    const end = (): void => {
      this.#running.delete(end);
      resolve(null);
    };
    const answer = (json: unknown): void => {
      onLine(JSON.stringify(json));
      resolve(0);
    };
    if (command === 'start') {
      this.starts += 1;
      this.#running.add(end);
      const url = `https://127.0.0.1:${args[args.indexOf('--port') + 1]}`;
      if (this.fails) end();
      else if (!this.hangs) onLine(JSON.stringify({ url, caFile: this.#caFile, rendersAtOnce: 2 }));
    } else if (command === 'account') {
      const quota = { limit: 100, countedFrom: '2026-01-01' };
      answer({ plan: 'starter', quota, keyName: null, limits: this.limits });
    } else answer({ key: 'svc_live_0123456789' });
    return {
      exited,
      errorOutput: () => (this.fails ? 'The database is damaged.' : ''),
      send: () => undefined,
      stop: end,
      kill: end,
    };
  };

  /** Whether a service is running or starting. */
  get runs(): boolean {
    return this.#running.size > 0;
  }

  get isStarting(): boolean {
    return this.hangs && this.#running.size > 0;
  }

  /** Ends the running process as a crash would. */
  crash(): void {
    for (const end of this.#running) end();
  }
}
