import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFileSync } from '../engine/replace-file.ts';
import { windowPlaceSchema } from './window-place.ts';

const windowStateSchema = z.object({
  place: windowPlaceSchema.nullable().default(null),
  /** Whether a run began and has not come to its end. */
  running: z.boolean().default(false),
});

type Noted = z.infer<typeof windowStateSchema>;

/** What belongs to this computer's desktop and to no queue. Lost or damaged, it begins anew. */
export class WindowState {
  readonly #file: string;
  #noted: Noted;

  /** @param file absolute path of a JSON file, which need not exist */
  constructor(file: string) {
    this.#file = file;
    this.#noted = read(file);
  }

  get noted(): Noted {
    return this.#noted;
  }

  /** A desktop whose disk is full keeps working; it opens next time as it did before. */
  note(change: Partial<Noted>): void {
    this.#noted = { ...this.#noted, ...change };
    try {
      replaceFileSync(this.#file, `${JSON.stringify(this.#noted)}\n`);
    } catch {
      // What could not be kept still holds for this run.
    }
  }
}

function read(file: string): Noted {
  try {
    return windowStateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return windowStateSchema.parse({});
  }
}
