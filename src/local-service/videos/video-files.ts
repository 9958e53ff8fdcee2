import { createHash } from 'node:crypto';
import { constants, createReadStream, mkdirSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../durable-file.ts';
import { videoIdPattern } from './video.ts';

export type FileKind = 'video' | 'poster';

const extensions: Readonly<Record<FileKind, string>> = { video: 'mp4', poster: 'jpg' };

/** The folder of finished videos. Only files named by a valid identifier exist as far as it knows. */
export class VideoFiles {
  readonly #folder: string;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
  }

  pathOf(id: string, kind: FileKind): string {
    if (!videoIdPattern.test(id)) throw new RangeError('not the identifier of a video');
    return path.join(this.#folder, `${id}.${extensions[kind]}`);
  }

  /** Opens a file to read, following no symbolic link; `undefined` when it is not there. */
  async open(id: string, kind: FileKind): Promise<FileHandle | undefined> {
    try {
      return await open(this.pathOf(id, kind), constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Size and SHA-256 of a finished video; `undefined` unless video and poster are both there. */
  async inspect(id: string): Promise<{ bytes: number; sha256: string } | undefined> {
    await using poster = await this.open(id, 'poster');
    await using video = await this.open(id, 'video');
    if (!poster || !video) return undefined;
    const hash = createHash('sha256');
    const content = createReadStream('', { fd: video, autoClose: false });
    await pipeline(content, hash);
    return { bytes: content.bytesRead, sha256: hash.digest('hex') };
  }

  /** Deletes video and poster; either may be missing already. */
  async remove(id: string): Promise<void> {
    await Promise.all([
      rm(this.pathOf(id, 'video'), { force: true }),
      rm(this.pathOf(id, 'poster'), { force: true }),
    ]);
  }

  /** Makes new files and deletions survive a power cut. */
  sync(): Promise<void> {
    return syncFolder(this.#folder);
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ELOOP';
}
