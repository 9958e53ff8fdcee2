import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFileSync } from '../engine/files/replace-file.ts';
import { windowPlaceSchema } from './window-place.ts';

const windowStateSchema = z.object({
  place: windowPlaceSchema.nullable().default(null),
  /** Set while the app runs; still set at the next start if the app crashed. */
  running: z.boolean().default(false),
});

type Values = z.infer<typeof windowStateSchema>;

/**
 * State of this computer's desktop, independent of the queue. If lost or damaged, defaults apply.
 */
export class WindowState {
  readonly #file: string;
  #values: Values;

  /** @param file absolute path of a JSON file, which need not exist */
  constructor(file: string) {
    this.#file = file;
    this.#values = read(file);
  }

  get values(): Values {
    return this.#values;
  }

  /** Ignores errors: with a full disk the app keeps working, and the next start uses old values. */
  update(change: Partial<Values>): void {
    this.#values = { ...this.#values, ...change };
    try {
      replaceFileSync(this.#file, `${JSON.stringify(this.#values)}\n`);
    } catch {
      // The state in memory holds for this run.
    }
  }
}

function read(file: string): Values {
  try {
    return windowStateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return windowStateSchema.parse({});
  }
}
