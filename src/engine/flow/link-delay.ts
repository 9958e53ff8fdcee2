import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';

/** When this many videos in a row have no link, the service is late, not one video. */
const MIN_VIDEOS = 3;
const FIRST_MS = 5000;
/** No service is known to take longer: a link that came later was delayed by something else. */
const MAX_MS = 600_000;
/** A video of this age without a link is late on its own if another had its link at a lower age. */
const SLOW_MS = 300_000;
/** Shortens the delay with each link, to find out whether a shorter one is enough. */
const TRIED_SHORTER = 0.97;
/** The same until a link came late enough to confirm the delay. */
const GUESS_SHORTER = 0.5;

const NOTE = 'link-delay';

const learnedSchema = z.object({
  delayMs: z.number().min(0).max(MAX_MS),
  /** No link has confirmed the delay. */
  isGuess: z.boolean(),
});

interface ReadyVideo {
  /** By the monotonic clock. */
  readonly since: number;
  isEarly: boolean;
  /** Its age when it last had no link yet. */
  earlyAge: number;
  /** Others had their link long before, so its delay says nothing about the service. */
  isSlow: boolean;
  /** Its link is requested at once: how long it has been finished is not known. */
  isDue: boolean;
}

/**
 * Learns how long after “done” a service has links. Some services say “done” minutes early, and
 * only 30 links an hour may be requested (service-api.md §8.1): ten videos with several requests
 * each use all of them up. The delay is stored, because learning it again after each start would
 * cost an hour's links.
 *
 * It learns from links that come late, at first from two of them in a row. Until one comes, three
 * videos without any link make a guess that grows with them, if none of them waits much longer than
 * the others. One video, or several beside others that have links, change nothing: each has its own
 * wait (`JobRow.nextTryAt`).
 */
export class LinkDelay {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #notes: Pick<KeyValueStore, 'read' | 'write'>;
  readonly #ready = new Map<number, ReadyVideo>();
  /** Videos without a link since the last link that was received. */
  readonly #early = new Set<number>();
  #delayMs: number;
  /** The age of the last video that got a link after it had none; 0 when it got one at once. */
  #lateMs = 0;
  #isGuess: boolean;

  constructor(clock: Pick<Clock, 'monotonic'>, notes: Pick<KeyValueStore, 'read' | 'write'>) {
    this.#clock = clock;
    this.#notes = notes;
    const learned = notes.read(NOTE, learnedSchema);
    this.#delayMs = learned?.delayMs ?? 0;
    this.#isGuess = learned?.isGuess ?? false;
  }

  /** Whether any link is requested later than it could be. */
  get delays(): boolean {
    return this.#delayMs > 0;
  }

  /** The service says that the video is finished. */
  becameReady(jobId: number): void {
    this.#find(jobId);
  }

  /** Milliseconds until a job's link should be requested; 0 is now. */
  left(jobId: number): number {
    const video = this.#find(jobId);
    return video.isDue ? 0 : Math.max(0, Math.ceil(this.#delayMs - this.#ageOf(video)));
  }

  /**
   * The service says that there is no link yet. A video that waits much longer than others is
   * ignored.
   */
  tooEarly(jobId: number): void {
    const video = this.#find(jobId);
    const age = this.#ageOf(video);
    video.isEarly = true;
    video.isDue = false;
    video.earlyAge = age;
    if (video.isSlow) return;
    const others = [...this.#early].filter((id) => id !== jobId);
    const longest = Math.max(...others.map((id) => this.#ready.get(id)?.earlyAge ?? 0));
    this.#early.add(jobId);
    if (this.#early.size < MIN_VIDEOS || age > 2 * Math.max(FIRST_MS, longest)) return;
    const guess = Math.min(MAX_MS, Math.max(FIRST_MS, 2 * age));
    if (guess <= this.#delayMs) return;
    this.#learn(guess, true);
  }

  /**
   * The service gave a link. A video that took much longer than the others is ignored, unless the
   * one before it did so, too.
   */
  given(jobId: number): void {
    const video = this.#find(jobId);
    const age = this.#ageOf(video);
    const lateMs = video.isEarly && !video.isDue && age <= MAX_MS ? age : 0;
    const knownMs = lateMs <= 2 * this.#delayMs ? lateMs : Math.min(lateMs, this.#lateMs);
    if (knownMs > 0 && (knownMs === lateMs || knownMs > this.#delayMs)) {
      this.#learn(Math.ceil(knownMs), false);
    } else {
      const shorter = this.#isGuess ? GUESS_SHORTER : TRIED_SHORTER;
      const enoughMs = video.isDue ? this.#delayMs : Math.min(this.#delayMs, age);
      this.#learn(Math.ceil(enoughMs * shorter), this.#isGuess);
    }
    this.#lateMs = lateMs;
    this.forget(jobId);
    for (const id of this.#early) this.#markSlow(id, age);
    this.#early.clear();
  }

  /** The job needs no link any more. */
  forget(jobId: number): void {
    this.#ready.delete(jobId);
  }

  /** The computer woke up, or the user retries: videos may have their links by now. */
  tryNow(): void {
    for (const video of this.#ready.values()) video.isDue = true;
    this.#early.clear();
  }

  #learn(delayMs: number, isGuess: boolean): void {
    if (delayMs === this.#delayMs && isGuess === this.#isGuess) return;
    this.#delayMs = delayMs;
    this.#isGuess = isGuess;
    this.#notes.write(NOTE, { delayMs, isGuess });
  }

  /** @param givenAge age of another video that got its link */
  #markSlow(jobId: number, givenAge: number): void {
    const video = this.#ready.get(jobId);
    if (video && video.earlyAge >= Math.max(SLOW_MS, givenAge)) video.isSlow = true;
  }

  #find(jobId: number): ReadyVideo {
    let video = this.#ready.get(jobId);
    if (!video) {
      const since = this.#clock.monotonic();
      video = { since, isEarly: false, earlyAge: 0, isSlow: false, isDue: false };
      this.#ready.set(jobId, video);
    }
    return video;
  }

  #ageOf({ since }: ReadyVideo): number {
    return this.#clock.monotonic() - since;
  }
}
