import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Failure } from '../../contract/failure.ts';
import { isShallowJson } from '../../contract/json.ts';
import { codeOf } from '../../engine/code-of.ts';
import { userMessage } from '../../contract/user-message.ts';
import { FolderUnusableError } from '../../engine/engine-error.ts';
import { replaceFileSync } from '../../engine/replace-file.ts';

/** The version of the document that this Spool writes. */
const VERSION = 1;

const documentSchema = z.looseObject({ version: z.int().positive() });

/** A JSON document with settings; whatever a newer Spool wrote into it stays in it. */
export type SettingsDocument = Readonly<Record<string, unknown>>;

export interface ReadSettings {
  readonly document: SettingsDocument;
  /** Why there is nothing in it although there was a file. */
  readonly trouble: Failure | null;
}

/** The settings' file in a data folder. Whoever writes it holds the folder's lock. */
export class SettingsFile {
  readonly #path: string;
  readonly #now: () => number;

  /** @param now milliseconds since the epoch, for the name of a file that is set aside */
  constructor(dataDir: string, now: () => number) {
    this.#path = path.join(dataDir, 'settings.json');
    this.#now = now;
  }

  /** The document as it is; an empty one where there is none that makes sense. Changes nothing. */
  peek(): SettingsDocument {
    try {
      return parsedDocument(readFileSync(this.#path, 'utf8')) ?? {};
    } catch {
      return {};
    }
  }

  /** A file that makes no sense is set aside, never overwritten. */
  read(): ReadSettings {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { document: {}, trouble: null };
      throw new FolderUnusableError(path.dirname(this.#path), error);
    }
    const document = parsedDocument(text);
    return document === null
      ? { document: {}, trouble: this.setAside() }
      : { document, trouble: null };
  }

  /** Puts the present file out of the way and says so. */
  setAside(): Failure {
    const name = `settings.damaged-${new Date(this.#now()).toISOString().replaceAll(':', '-')}.json`;
    renameSync(this.#path, path.join(path.dirname(this.#path), name));
    return {
      code: 'value-invalid',
      ...userMessage('settings-damaged', { name }),
    };
  }

  /** On disk, whole, when this returns; before that, the file is as it was. */
  write(document: SettingsDocument): void {
    const folder = path.dirname(this.#path);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFileSync(this.#path, documentText(document));
    } catch (error) {
      throw new FolderUnusableError(folder, error);
    }
  }
}

/** The document that a text is; `null` when it is none. */
export function parsedDocument(text: string): SettingsDocument | null {
  try {
    const json: unknown = JSON.parse(text);
    return isShallowJson(json) ? documentSchema.parse(json) : null;
  } catch {
    return null;
  }
}

/** As it stands in the file, and as it is exported. */
export function documentText(document: SettingsDocument): string {
  return `${JSON.stringify({ version: VERSION, ...document }, null, 2)}\n`;
}
