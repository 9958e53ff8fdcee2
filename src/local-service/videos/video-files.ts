import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BlobInfo, Blobs, OpenBlob, OpenOptions, StoredBlob } from '../storage/blobs.ts';
import { codeOf } from '../storage-errors.ts';
import { videoIdPattern } from './video.ts';

export type FileKind = 'video' | 'poster';

/** One of the two files of an attempt to render a video. */
export interface VideoFile {
  readonly id: string;
  readonly kind: FileKind;
  /** Which attempt rendered it, from 1. */
  readonly attempt: number;
}

/** What the database stores about a finished video's file. */
export interface StoredVideo {
  readonly bytes: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
}

/** In the order in which they are stored: if the video exists, so does its poster. */
const kinds = ['poster', 'video'] as const;
const extensions: Readonly<Record<FileKind, string>> = { video: 'mp4', poster: 'jpg' };

/**
 * The files of videos. Finished ones are in a store. Those that are being rendered are in a folder
 * of this process, until the store has them.
 *
 * A finished file is named `<video>/<attempt>.mp4`, so that a late worker does not replace a file
 * of a later attempt.
 */
export class VideoFiles {
  readonly #blobs: Blobs;
  readonly #workFolder: string;

  /** @param workFolder for this process only; on the store's disk, files are moved, not copied */
  constructor(blobs: Blobs, workFolder: string) {
    mkdirSync(workFolder, { recursive: true, mode: 0o700 });
    this.#blobs = blobs;
    this.#workFolder = workFolder;
  }

  /** The path that the renderer gives a complete file. */
  workPath(id: string, kind: FileKind): string {
    return path.join(this.#workFolder, `${requireId(id)}.${extensions[kind]}`);
  }

  /** Whether the work folder contains the complete files of a video. */
  async isRendered(id: string): Promise<boolean> {
    for (const kind of kinds) {
      if ((await sizeOf(this.workPath(id, kind))) === undefined) return false;
    }
    return true;
  }

  /**
   * Moves rendered files to the store. Files that an interrupted call has already stored stay
   * there. Returns `undefined` unless both video and poster are in the store afterwards.
   *
   * @throws {StorageOutageError | BlobDamagedError} when the store cannot be used for now; retry later
   */
  async store(id: string, attempt: number, signal?: AbortSignal): Promise<StoredVideo | undefined> {
    let stored: readonly StoredBlob[];
    try {
      stored = await this.#put(id, attempt, kinds, signal);
    } catch (error) {
      // Most calls find both files, so they are looked for only now.
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

  /** Opens a finished file to read; `undefined` when it is missing. */
  async open(file: VideoFile, options?: OpenOptions): Promise<OpenBlob | undefined> {
    return this.#blobs.open(keyOf(file), options);
  }

  /** `undefined` when there is no such file. */
  async stat(file: VideoFile): Promise<BlobInfo | undefined> {
    return this.#blobs.stat(keyOf(file));
  }

  /** Durably deletes the files of all attempts; missing ones are ignored. */
  async remove(id: string): Promise<void> {
    await this.#blobs.delete(await this.#keysOfAttempts(id));
  }

  /**
   * Deletes the stored files of all attempts except this one. It lists the store, because an outage
   * can cost thousands of attempts, few of which have stored anything.
   */
  async removeAllBut(id: string, attempt: number): Promise<void> {
    const kept = new Set(kinds.map((kind) => keyOf({ id, kind, attempt })));
    const found = await this.#keysOfAttempts(id);
    await this.#blobs.delete(found.filter((key) => !kept.has(key)));
  }

  /** Deletes the stored files of one attempt, such as a superseded one. */
  async removeAttempt(id: string, attempt: number): Promise<void> {
    await this.#blobs.delete(kinds.map((kind) => keyOf({ id, kind, attempt })));
  }

  /** Deletes a video's files in the work folder. */
  async discard(id: string): Promise<void> {
    await Promise.all(kinds.map((kind) => rm(this.workPath(id, kind), { force: true })));
  }

  /** Deletes everything in the work folder except the complete files of these videos. */
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
