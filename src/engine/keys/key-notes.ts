import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readRegularSync } from '../files/regular-file.ts';
import { replaceFileSync } from '../files/replace-file.ts';
import { keyLabelSchema } from '../../contract/key-label.ts';

const keyNoteSchema = z.object({
  /** When the key was entered, in milliseconds since the epoch. */
  since: z.number().nullable(),
  label: keyLabelSchema.nullable(),
});

/** Metadata of a key. */
export type KeyNote = z.infer<typeof keyNoteSchema>;

export const NO_NOTE: KeyNote = { since: null, label: null };

const fileSchema = z.record(z.string(), keyNoteSchema);

/**
 * Metadata of keys, by the origin that each was entered for: in a file of the data folder, because
 * a key may be entered on the command line while no engine runs. It contains no key.
 */
export class KeyNotes {
  readonly #file: string;

  constructor(dataDir: string) {
    this.#file = path.join(dataDir, 'keys.json');
  }

  read(origin: string): KeyNote {
    return this.#all()[origin] ?? NO_NOTE;
  }

  write(origin: string, note: KeyNote): void {
    this.#replace({ ...this.#all(), [origin]: note });
  }

  remove(origin: string): void {
    const others = Object.entries(this.#all()).filter(([each]) => each !== origin);
    this.#replace(Object.fromEntries(others));
  }

  /** A key works without metadata, so a damaged file counts as empty. */
  #all(): Readonly<Record<string, KeyNote>> {
    try {
      return fileSchema.parse(JSON.parse(readRegularSync(this.#file)));
    } catch {
      return {};
    }
  }

  #replace(notes: Readonly<Record<string, KeyNote>>): void {
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      replaceFileSync(this.#file, `${JSON.stringify(notes)}\n`);
    } catch {
      // On a full disk the metadata is kept for this run, and the key is used all the same.
    }
  }
}
