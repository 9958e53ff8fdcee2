import type { Awaitable } from '../awaitable.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { StoredVideo } from './video-files.ts';

/**
 * One attempt to render a video. Attempts of a video count from 1; only the latest one can store a
 * result, so that a worker that was thought dead cannot overwrite what another one made since.
 */
export interface RenderClaim {
  readonly id: string;
  readonly attempt: number;
}

/** A video that waits for a worker. */
export interface WaitingVideo {
  readonly id: string;
  /** Undefined when what is stored cannot be read, such as after another version has written it. */
  readonly storyboard: Storyboard | undefined;
  /** How often its rendering has failed before. */
  readonly failures: number;
}

/**
 * Throws when a video cannot be rendered for now. May be called more than once for a video.
 *
 * @param before the videos that are claimed together with it
 */
export type AdmitVideo = (video: WaitingVideo, before: readonly WaitingVideo[]) => void;

export interface RenderJob extends RenderClaim, WaitingVideo {}

/** A video whose rendering was interrupted by the end of the service. */
export interface InterruptedVideo extends RenderClaim {
  /** How often that has happened before. */
  readonly interruptions: number;
}

/** Why a video goes back to its old place in line. */
export type PutBackReason = 'stopped' | 'failed' | 'interrupted';

/**
 * The render jobs, as a worker sees them. A job is enqueued by the transaction that accepts its video
 * (`VideoRepository.accept`). What is written for an attempt that is no longer the current one has no
 * effect; the methods say so with `false`.
 */
export interface RenderJobs {
  /**
   * Claims the next videos for a new attempt each, in the order of the line.
   *
   * @param count how many at most; there may be fewer although more wait
   * @param admit called for each before anything is committed. When it throws, this video and those
   *   after it are not claimed; its error is thrown when that leaves none
   */
  take(count: number, admit: AdmitVideo): Awaitable<readonly RenderJob[]>;
  /**
   * Says that the attempt goes on, and how far it is: 0 to 1. Call it every few seconds, and stop
   * rendering when it answers `false`: the video was given to another worker.
   */
  report(claim: RenderClaim, progress: number): Awaitable<boolean>;
  /**
   * Stores how a rendering ended. The retention time of the video begins. Answers `true` again for the
   * attempt whose result is stored, since an answer can be lost with the connection.
   */
  finish(claim: RenderClaim, file: StoredVideo): Awaitable<boolean>;
  /** Gives up on a video, which gives its quota back. The reason is shown to the user. */
  fail(claim: RenderClaim, reason: string): Awaitable<boolean>;
  /** Puts a video back at its old place in line, and counts why it was not finished. */
  putBack(claim: RenderClaim, because: PutBackReason): Awaitable<boolean>;
  /** The videos that were being rendered when the service last ended, to be settled by this worker. */
  interrupted(): Awaitable<readonly InterruptedVideo[]>;
}
