import type { Clock } from '../clock.ts';

/** When so many videos in a row have no link, the service is late, and not one video. */
const TELLING_VIDEOS = 3;
const FIRST_MS = 5000;
const LONGEST_MS = 600_000;
/** Shortens the delay with each link, to find out whether a shorter one is enough. */
const TRIED_SHORTER = 0.97;

interface ReadyVideo {
  /** By the monotonic clock. */
  readonly since: number;
  isEarly: boolean;
  /** How old it was when there was no link yet, last. */
  earlyAge: number;
}

/**
 * Learns how long after “done” a service has links. Some services say “done” minutes early, and
 * only 30 links an hour may be requested (service-api.md §8.1): ten videos that each try use all of
 * them up. In memory only.
 */
export class LinkDelay {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ready = new Map<number, ReadyVideo>();
  /** Videos without a link since the last one that was given. */
  readonly #early = new Set<number>();
  #delayMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The service says that the video is finished. */
  becameReady(jobId: number): void {
    this.#find(jobId);
  }

  /** Milliseconds until a job's link should be requested; 0 is now. */
  left(jobId: number): number {
    return Math.max(0, Math.ceil(this.#delayMs - this.#ageOf(this.#find(jobId))));
  }

  /** The service says that there is no link yet. One that waits for much longer tells of itself. */
  tooEarly(jobId: number): void {
    const video = this.#find(jobId);
    const age = this.#ageOf(video);
    const others = [...this.#early].filter((id) => id !== jobId);
    const longest = Math.max(...others.map((id) => this.#ready.get(id)?.earlyAge ?? 0));
    video.isEarly = true;
    video.earlyAge = age;
    this.#early.add(jobId);
    if (this.#early.size < TELLING_VIDEOS) return;
    if (age > 2 * Math.max(FIRST_MS, this.#delayMs, longest)) return;
    const doubled = Math.max(FIRST_MS, 2 * age);
    this.#delayMs = Math.min(LONGEST_MS, Math.max(this.#delayMs, doubled));
  }

  /** The service gave a link. A video that took much longer than the others is not learned from. */
  given(jobId: number): void {
    const video = this.#find(jobId);
    const age = this.#ageOf(video);
    const isTelling = video.isEarly && age <= 2 * this.#delayMs;
    this.#delayMs = Math.ceil(isTelling ? age : Math.min(this.#delayMs, age) * TRIED_SHORTER);
    this.#early.clear();
    this.forget(jobId);
  }

  /** The job needs no link any more. */
  forget(jobId: number): void {
    this.#ready.delete(jobId);
  }

  /** The user wants links to be requested now. */
  tryNow(): void {
    this.#delayMs = 0;
    this.#early.clear();
  }

  #find(jobId: number): ReadyVideo {
    let video = this.#ready.get(jobId);
    if (!video) {
      video = { since: this.#clock.monotonic(), isEarly: false, earlyAge: 0 };
      this.#ready.set(jobId, video);
    }
    return video;
  }

  #ageOf({ since }: ReadyVideo): number {
    return this.#clock.monotonic() - since;
  }
}
