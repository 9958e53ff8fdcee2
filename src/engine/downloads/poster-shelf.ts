import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../clock.ts';

/** Makes a JPEG of one picture of a video file. `null`, or an error: no poster can be made. */
export type PosterMaker = (video: string) => Promise<Buffer | null>;

/** A decoder that takes longer is not waited for. */
const LONGEST_MS = 20_000;

/** A saved video, as far as its poster goes. */
export interface PosterSubject {
  /** Absolute. */
  readonly path: string;
  /** Of its bytes, in hex: two files that are alike have one poster. */
  readonly sha256: string;
}

/**
 * Posters of saved videos, each made when it is first asked for and kept as a file. They are made
 * one after the other: a list that is scrolled asks for many, and rendering needs the processor.
 */
export class PosterShelf {
  readonly #folder: string;
  readonly #make: PosterMaker;
  readonly #clock: Clock;
  readonly #underWay = new Map<string, Promise<string | null>>();
  /** Videos that no poster could be made of in this run. */
  readonly #hopeless = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  /** @param folder absolute; made when the first poster is */
  constructor(folder: string, make: PosterMaker, clock: Clock) {
    this.#folder = folder;
    this.#make = make;
    this.#clock = clock;
  }

  /** Where a video's poster lies; `null` when none can be had. Never rejects. */
  async of({ path: video, sha256 }: PosterSubject): Promise<string | null> {
    const file = path.join(this.#folder, `${sha256}.jpg`);
    if (await isThere(file)) return file;
    if (this.#hopeless.has(sha256) || !(await isThere(video))) return null;
    let making = this.#underWay.get(sha256);
    if (!making) {
      making = this.#last.then(() => this.#tryToMake(video, sha256, file));
      this.#last = making;
      this.#underWay.set(sha256, making);
      void making.finally(() => this.#underWay.delete(sha256));
    }
    return making;
  }

  async #tryToMake(video: string, sha256: string, file: string): Promise<string | null> {
    const timer = new AbortController();
    const tooLong = this.#clock.sleep(LONGEST_MS, timer.signal).then(
      () => null,
      () => null,
    );
    try {
      const poster = await Promise.race([this.#make(video), tooLong]);
      if (poster) {
        await this.#keep(poster, file);
        return file;
      }
    } catch {
      // A codec that is not known here, or a full disk: the video itself is none the worse.
    } finally {
      timer.abort();
    }
    this.#hopeless.add(sha256);
    return null;
  }

  async #keep(poster: Buffer, file: string): Promise<void> {
    const fresh = `${file}.new`;
    await mkdir(this.#folder, { recursive: true });
    try {
      await writeFile(fresh, poster);
      await rename(fresh, file);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  }
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() ?? false;
}
