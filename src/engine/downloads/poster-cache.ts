import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, type Clock } from '../clock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { renameOver } from '../files/replace-file.ts';
import { Serial } from '../serial.ts';

export type PosterOutcome =
  | { readonly kind: 'made'; readonly jpeg: Buffer }
  | { readonly kind: 'impossible' }
  /** The file took more memory or time than a video does, or crashed the decoder. */
  | { readonly kind: 'killed' };

/**
 * Makes a JPEG of one frame of the video file at an absolute path. It decodes untrusted bytes, so
 * it does that in another process. Rejects when aborted, after it has stopped decoding.
 */
export type PosterMaker = (video: string, signal: AbortSignal) => Promise<PosterOutcome>;

/**
 * A decoder that takes longer is aborted. Its limit of processor time ends most of them sooner;
 * this one ends a decoder that waits for something.
 */
const MAX_MS = 120_000;

/** A saved video, as its poster needs it. */
export interface PosterSubject {
  /** Absolute. */
  readonly path: string;
  /** Of its bytes, in hex: two equal files have one poster. */
  readonly sha256: string;
}

export interface PosterCacheParts {
  /** Absolute; made when the first poster is. */
  readonly folder: string;
  readonly make: PosterMaker;
  /** Whether the disk of the folder has more free space than must stay free. */
  readonly hasRoom: () => Promise<boolean>;
  readonly clock: Clock;
  /** Ends the making of posters. */
  readonly stop: AbortSignal;
}

/**
 * Posters of saved videos, each made when it is first requested and kept as a file. They are made
 * one after the other, in the order of the requests: a list that is scrolled requests many, and
 * rendering needs the processor.
 */
export class PosterCache {
  readonly #parts: PosterCacheParts;
  readonly #pending = new Map<string, Promise<string | null>>();
  /** Videos of which no poster could be made in this run. */
  readonly #impossible = new Set<string>();
  readonly #queue = new Serial();

  constructor(parts: PosterCacheParts) {
    this.#parts = parts;
  }

  /** The path of a video's poster; `null` when there is none. Never rejects. */
  of(subject: PosterSubject): Promise<string | null> {
    const { sha256 } = subject;
    const known = this.#pending.get(sha256);
    if (known) return known;
    if (this.#impossible.has(sha256)) return Promise.resolve(null);
    const found = isFile(this.#posterFile(sha256));
    // Queued now, in order; a poster that exists does not wait for its turn.
    const turn = this.#queue.run(async () => ((await found) ? null : this.#tryToMake(subject)));
    const poster = found.then((isThere) => (isThere ? this.#posterFile(sha256) : turn));
    this.#pending.set(sha256, poster);
    void poster.finally(() => this.#pending.delete(sha256));
    return poster;
  }

  async #tryToMake({ path: video, sha256 }: PosterSubject): Promise<string | null> {
    if (this.#parts.stop.aborted || !(await this.#parts.hasRoom())) return null;
    if (!(await isFile(video)) || (await isFile(this.#killerMark(sha256)))) return null;
    try {
      const outcome = await this.#makeInTime(video);
      switch (outcome.kind) {
        case 'made':
          await this.#write(this.#posterFile(sha256), outcome.jpeg);
          return this.#posterFile(sha256);
        case 'killed':
          await this.#write(this.#killerMark(sha256), '');
          break;
        case 'impossible':
          break;
      }
    } catch {
      // Too slow for now, or a full disk: the video itself is intact.
    }
    this.#impossible.add(sha256);
    return null;
  }

  async #makeInTime(video: string): Promise<PosterOutcome> {
    const late = new AbortController();
    using _timer = after(this.#parts.clock, MAX_MS, () => late.abort());
    return await this.#parts.make(video, AbortSignal.any([late.signal, this.#parts.stop]));
  }

  #posterFile(sha256: string): string {
    return path.join(this.#parts.folder, `${sha256}.jpg`);
  }

  /** The path of the mark of a video that crashed its decoder. The mark outlives a restart. */
  #killerMark(sha256: string): string {
    return path.join(this.#parts.folder, `${sha256}.killed-decoder`);
  }

  async #write(file: string, content: Buffer | string): Promise<void> {
    const temporary = `${file}.new`;
    await makeFolder(this.#parts.folder, 0o700);
    try {
      await writeFile(temporary, content, { mode: 0o600, flush: true });
      await renameOver(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

async function isFile(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}
