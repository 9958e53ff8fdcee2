import { copyFileSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../contract/failure.ts';
import { isShallowJson } from '../../contract/json-text.ts';
import { codeOf } from '../../engine/error-codes.ts';
import { userMessage } from '../../contract/user-message.ts';
import { FolderUnusableError } from '../../engine/engine-error.ts';
import { readRegularSync } from '../../engine/files/regular-file.ts';
import { replaceFileSync } from '../../engine/files/replace-file.ts';

/** The document version that this Spool writes. */
const VERSION = 1;

const documentSchema = z.looseObject({ version: z.int().positive() });

/** A JSON document with settings. Unknown fields of a newer Spool are kept. */
export type SettingsDocument = Readonly<Record<string, unknown>>;

export interface ReadSettings {
  readonly document: SettingsDocument;
  /** Why the document is empty although a file exists. */
  readonly trouble: Failure | null;
}

/** The settings file of a data folder. The writer must hold the folder's lock. */
export class SettingsFile {
  readonly #path: string;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch, for the name of a damaged file */
  constructor(dataDir: string, now: () => number) {
    this.#path = path.join(dataDir, 'settings.json');
    this.#now = now;
  }

  /** The document; an empty one if the file is missing or damaged. Changes nothing on disk. */
  peek(): SettingsDocument {
    try {
      return parseDocument(readRegularSync(this.#path)) ?? {};
    } catch {
      return {};
    }
  }

  /** Reads the document. A damaged file is renamed, never overwritten. */
  read(): ReadSettings {
    let text: string;
    try {
      text = readRegularSync(this.#path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { document: {}, trouble: null };
      throw new FolderUnusableError(path.dirname(this.#path), error);
    }
    const document = parseDocument(text);
    return document === null
      ? { document: {}, trouble: this.renameDamaged() }
      : { document, trouble: null };
  }

  /** Renames the present file to `settings.damaged-….json` and returns the message about it. */
  renameDamaged(): Failure {
    const { name, file } = this.#nameForDamaged();
    renameSync(this.#path, file);
    return damaged(name);
  }

  /**
   * Keeps the present file also as `settings.damaged-….json` and returns the message about it. The
   * file stays in force until it is replaced, which may fail.
   */
  keepDamaged(): Failure {
    const { name, file } = this.#nameForDamaged();
    try {
      // Takes no space on a full disk.
      linkSync(this.#path, file);
    } catch {
      // Some file systems have no hard links.
      copyFileSync(this.#path, file);
    }
    return damaged(name);
  }

  #nameForDamaged(): { name: string; file: string } {
    const name = `settings.damaged-${new Date(this.#now()).toISOString().replaceAll(':', '-')}.json`;
    return { name, file: path.join(path.dirname(this.#path), name) };
  }

  /** Durable when this returns; until then the previous file is unchanged. */
  write(document: SettingsDocument): void {
    const folder = path.dirname(this.#path);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFileSync(this.#path, formatDocument(document));
    } catch (error) {
      throw new FolderUnusableError(folder, error);
    }
  }
}

function damaged(name: string): Failure {
  return { code: 'value-invalid', ...userMessage('settings-damaged', { name }) };
}

/** Parses a settings document; `null` when the text is not one. */
export function parseDocument(text: string): SettingsDocument | null {
  try {
    const json: unknown = JSON.parse(text);
    return isShallowJson(json) ? documentSchema.parse(json) : null;
  } catch {
    return null;
  }
}

/** The text of the settings file, which is also the export format. */
export function formatDocument(document: SettingsDocument): string {
  return `${JSON.stringify({ version: VERSION, ...document }, null, 2)}\n`;
}
