import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobInfo, Blobs, OpenBlob, OpenOptions, StoredBlob } from '../storage/blobs.ts';
import { codeOf } from '../storage-errors.ts';
import { videoIdPattern } from './video.ts';

export type FileKind = 'video' | 'poster';

/** One of the two files that an attempt to render a video leaves. */
export interface VideoFile {
  readonly id: string;
  readonly kind: FileKind;
  /** Which attempt rendered it, from 1. */
  readonly attempt: number;
}

/** What a finished video is recorded with. */
export interface StoredVideo {
  readonly bytes: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
}

/** Where attempts were not counted yet, the file is of this one. */
const FIRST_ATTEMPT = 1;

/** In the order in which they are stored: where the video is, its poster is too. */
const kinds = ['poster', 'video'] as const;
const extensions: Readonly<Record<FileKind, string>> = { video: 'mp4', poster: 'jpg' };

/**
 * The files of videos: the finished ones in a store, and those that are being rendered in a folder
 * of this process. A video that was rendered stays in that folder until the store has it.
 *
 * A finished file is named `<video>/<attempt>.mp4`, so that a late worker replaces no file of a
 * later attempt. Versions that counted no attempts stored `<video>.mp4`, which is still found.
 */
export class VideoFiles {
  readonly #blobs: Blobs;
  readonly #workFolder: string;

  /** @param workFolder of this process alone; best on the disk of the store if that is a folder */
  constructor(blobs: Blobs, workFolder: string) {
    mkdirSync(workFolder, { recursive: true, mode: 0o700 });
    this.#blobs = blobs;
    this.#workFolder = workFolder;
  }

  /** Where the renderer puts a complete file. */
  workPath(id: string, kind: FileKind): string {
    return path.join(this.#workFolder, `${requireId(id)}.${extensions[kind]}`);
  }

  /** Whether a video was rendered here and only has to be stored. */
  async isRendered(id: string): Promise<boolean> {
    for (const kind of kinds) {
      if ((await sizeOf(this.workPath(id, kind))) === undefined) return false;
    }
    return true;
  }

  /**
   * Moves what was rendered to the store. Files that an interrupted call has stored already stay
   * there. `undefined` unless video and poster are both in the store afterwards.
   *
   * @throws {StorageOutageError | BlobDamagedError} when the store cannot be used for now; call it again later
   */
  async store(id: string, attempt: number, signal?: AbortSignal): Promise<StoredVideo | undefined> {
    let stored: readonly StoredBlob[];
    try {
      stored = await this.#put(id, attempt, kinds, signal);
    } catch (error) {
      // Most calls find both files, so that it is not looked for them first.
      if (codeOf(error) !== 'ENOENT') throw error;
      const found = await Promise.all(kinds.map((kind) => sizeOf(this.workPath(id, kind))));
      const rendered = kinds.filter((_, index) => found[index] !== undefined);
      stored = await this.#put(id, attempt, rendered, signal);
    }
    const ofKind = (kind: FileKind): StoredBlob | undefined =>
      stored.find(({ key }) => key === keyOf({ id, kind, attempt }));
    const hasPoster =
      ofKind('poster') !== undefined ||
      (await this.stat({ id, kind: 'poster', attempt })) !== undefined;
    const video = ofKind('video');
    const file = video
      ? { bytes: video.size, sha256: video.sha256 }
      : await this.#hashOfStored(id, attempt);
    return hasPoster ? file : undefined;
  }

  #put(
    id: string,
    attempt: number,
    rendered: readonly FileKind[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StoredBlob[]> {
    return this.#blobs.put(
      rendered.map((kind) => ({
        key: keyOf({ id, kind, attempt }),
        file: this.workPath(id, kind),
      })),
      signal,
    );
  }

  /** Opens a finished file to read; `undefined` when it is not there. */
  async open(file: VideoFile, options?: OpenOptions): Promise<OpenBlob | undefined> {
    for (const key of keysOf(file)) {
      const opened = await this.#blobs.open(key, options);
      if (opened) return opened;
    }
    return undefined;
  }

  /** `undefined` when there is no such file. */
  async stat(file: VideoFile): Promise<BlobInfo | undefined> {
    for (const key of keysOf(file)) {
      const info = await this.#blobs.stat(key);
      if (info) return info;
    }
    return undefined;
  }

  /** Durably deletes the files of all attempts; some may be missing already. */
  async remove(id: string): Promise<void> {
    const keys = kinds.map((kind) => oldKeyOf(id, kind));
    await this.#blobs.delete([...keys, ...(await this.#keysOfAttempts(id))]);
  }

  /**
   * Deletes what other attempts than this one have stored. It asks the store what there is: an
   * outage can cost a video thousands of attempts, of which few have stored anything.
   */
  async removeAllBut(id: string, attempt: number): Promise<void> {
    const kept = new Set(kinds.map((kind) => keyOf({ id, kind, attempt })));
    const found = await this.#keysOfAttempts(id);
    await this.#blobs.delete(found.filter((key) => !kept.has(key)));
  }

  /** Deletes what one attempt has stored, such as that of a worker that was replaced meanwhile. */
  async removeAttempt(id: string, attempt: number): Promise<void> {
    await this.#blobs.delete(kinds.map((kind) => keyOf({ id, kind, attempt })));
  }

  /** Deletes what was rendered of a video that is not to be stored. */
  async discard(id: string): Promise<void> {
    await Promise.all(kinds.map((kind) => rm(this.workPath(id, kind), { force: true })));
  }

  /** Deletes everything that an earlier process left, complete or not, except of these videos. */
  async discardAllBut(ids: readonly string[]): Promise<void> {
    const kept = new Set(
      ids.flatMap((id) => kinds.map((kind) => path.basename(this.workPath(id, kind)))),
    );
    for (const name of await readdir(this.#workFolder)) {
      if (!kept.has(name)) await rm(path.join(this.#workFolder, name), { force: true });
    }
  }

  async #keysOfAttempts(id: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of this.#blobs.list(`${requireId(id)}/`)) keys.push(key);
    return keys;
  }

  async #hashOfStored(id: string, attempt: number): Promise<StoredVideo | undefined> {
    const video = await this.open({ id, kind: 'video', attempt });
    if (!video) return undefined;
    const hash = createHash('sha256');
    await pipeline(video.content, hash);
    return { bytes: video.size, sha256: hash.digest('hex') };
  }
}

function keyOf({ id, kind, attempt }: VideoFile): string {
  return `${requireId(id)}/${attempt}.${extensions[kind]}`;
}

/** As versions named files that counted no attempts. */
function oldKeyOf(id: string, kind: FileKind): string {
  return `${requireId(id)}.${extensions[kind]}`;
}

function keysOf(file: VideoFile): readonly string[] {
  const key = keyOf(file);
  return file.attempt > FIRST_ATTEMPT ? [key] : [key, oldKeyOf(file.id, file.kind)];
}

function requireId(id: string): string {
  if (!videoIdPattern.test(id)) throw new RangeError('not the identifier of a video');
  return id;
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
