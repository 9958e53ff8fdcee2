import type { Awaitable } from '../awaitable.ts';
import type { Storyboard } from '../rendering/storyboard.ts';
import type { StoredVideo } from './video-files.ts';

/**
 * One attempt to render a video. Attempts of a video count from 1. Only the latest one can store a
 * result, so a worker that was wrongly considered lost cannot overwrite the result of another one.
 */
export interface RenderClaim {
  readonly id: string;
  readonly attempt: number;
}

/** A video that waits for a worker. */
export interface WaitingVideo {
  readonly id: string;
  /** `undefined` when it cannot be parsed, for example because another version has written it. */
  readonly storyboard: Storyboard | undefined;
  /** How often its rendering has failed. */
  readonly failures: number;
}

/**
 * Throws when a video cannot be rendered for now. May be called several times for a video.
 *
 * @param before the videos that are claimed together with it
 */
export type AdmitVideo = (video: WaitingVideo, before: readonly WaitingVideo[]) => void;

export interface RenderJob extends RenderClaim, WaitingVideo {}

/** A video that was being rendered when the service ended. */
export interface InterruptedVideo extends RenderClaim {
  /** How often its rendering was interrupted before. */
  readonly interruptions: number;
}

/** Why a video is queued again. */
export type RequeueReason = 'stopped' | 'failed' | 'interrupted';

/**
 * The render jobs for a worker. The transaction that accepts a video also enqueues its job
 * (`VideoRepository.accept`). For an attempt that is no longer the current one, the methods have no
 * effect and return `false`.
 */
export interface RenderJobs {
  /**
   * Claims the next queued videos in order, each for a new attempt.
   *
   * @param count maximum number of videos; fewer may be returned although more are queued
   * @param admit called for each video before anything is committed. When it throws, this video and
   *   those after it are not claimed; if none is left, its error is thrown
   */
  take(count: number, admit: AdmitVideo): Awaitable<readonly RenderJob[]>;
  /**
   * Reports the progress of an attempt, 0 to 1. Call it every few seconds, and stop rendering when
   * it returns `false`: another worker has the video.
   */
  report(claim: RenderClaim, progress: number): Awaitable<boolean>;
  /**
   * Stores the result of an attempt; the video's retention time begins. A repeated call for the
   * stored attempt returns `true` again, since a response can be lost with the connection.
   */
  finish(claim: RenderClaim, file: StoredVideo): Awaitable<boolean>;
  /** Marks a video as failed, which releases its quota. The user sees the reason. */
  fail(claim: RenderClaim, reason: string): Awaitable<boolean>;
  /** Queues a video again in its old position, and counts a failure or interruption. */
  requeue(claim: RenderClaim, because: RequeueReason): Awaitable<boolean>;
  /**
   * The videos that were being rendered when the service last ended; this worker must settle them.
   */
  interrupted(): Awaitable<readonly InterruptedVideo[]>;
}
