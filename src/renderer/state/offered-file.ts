import type { BatchFile } from '../../contract/batch.ts';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { OpenedFile } from '../../contract/computer.ts';
import type { Failure } from '../../contract/failure.ts';

/** Why a file or a batch cannot be checked or added. */
export type AddProblem =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | {
      readonly kind:
        | ('lost' | 'too-large' | 'too-large-together' | 'unreadable')
        /** A browser does not say which folder a picture is in. */
        | 'picture-without-folder';
    };

export type ReadFile =
  | { readonly kind: 'file'; readonly file: BatchFile }
  | { readonly kind: 'problem'; readonly problem: AddProblem };

/** A file that was dropped, chosen or opened, or pasted text. Not read before it is checked. */
export interface OfferedFile {
  /** Equal when the same file is offered again. */
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  /** Does not reject. */
  readonly read: () => Promise<ReadFile>;
  /**
   * The file once another program has saved it again; `null` while it has not, and at the first look
   * at what it saved, which may be a part. Does not reject. Left out where that is not known.
   */
  readonly newVersion?: () => Promise<OfferedFile | null>;
}

/** The part of the browser's handle of a dropped file that is used; not every browser has one. */
export interface FileHandle {
  getFile(): Promise<File>;
}

/** A file that the browser can look at again. */
export function handledFile(file: File, handle: FileHandle, key = file.name): OfferedFile {
  let last = file;
  return {
    ...offeredFile(file, key),
    async newVersion() {
      try {
        const now = await handle.getFile();
        // While it is written, it has a part of its rows.
        const isWritten = isSameVersion(now, last);
        last = now;
        return isWritten && !isSameVersion(now, file) ? handledFile(now, handle, key) : null;
      } catch {
        // It is gone, or just being saved.
        return null;
      }
    },
  };
}

function isSameVersion(one: File, other: File): boolean {
  return one.lastModified === other.lastModified && one.size === other.size;
}

/** @param key identifies the file; by default, its name */
export function offeredFile(file: File, key = file.name): OfferedFile {
  const { name, size } = file;
  return { key, name, bytes: size, read: () => readFile(file) };
}

/** Makes a file of the text, since browsers keep files out of the page's memory. */
export function offeredText(name: string, text: string, key = name): OfferedFile {
  const kept = new File([text], name);
  const offered = offeredFile(kept, key);
  return {
    ...offered,
    async read() {
      const found = await offered.read();
      if (found.kind === 'problem') return found;
      return { kind: 'file', file: { name, content: await kept.text() } };
    },
  };
}

/** A file that the system opened with the app. */
export function openedFile(opened: OpenedFile): OfferedFile {
  const { path, name } = opened;
  if ('base64' in opened) {
    const { folder } = opened;
    const offered = offeredFile(new File([bytesOf(opened.base64)], name), path);
    return {
      ...offered,
      async read() {
        const found = await offered.read();
        return found.kind === 'problem' ? found : { kind: 'file', file: { ...found.file, folder } };
      },
    };
  }
  const problem = { kind: 'failure', failure: opened.failure } as const;
  return { key: path, name, bytes: 0, read: () => Promise.resolve({ kind: 'problem', problem }) };
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

async function readFile(file: File): Promise<ReadFile> {
  if (file.type.startsWith('image/')) {
    return { kind: 'problem', problem: { kind: 'picture-without-folder' } };
  }
  if (file.size > MAX_BATCH_BYTES) return { kind: 'problem', problem: { kind: 'too-large' } };
  try {
    // Copied, so that what is added is what was checked, whatever happens to the file.
    const content = new Blob([await file.arrayBuffer()]);
    return { kind: 'file', file: { name: file.name, content } };
  } catch {
    // A folder, or a file that was changed or deleted since it was dropped.
    return { kind: 'problem', problem: { kind: 'unreadable' } };
  }
}
