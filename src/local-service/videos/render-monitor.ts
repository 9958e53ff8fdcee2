import type { Awaitable } from '../awaitable.ts';

/** What the API knows of renders, wherever they run. */
export interface RenderMonitor {
  /** Says that a video was put in line. */
  wake(): void;
  /** The part of a video's frames that is drawn and encoded: 0 to 1. */
  progressOf(id: string): Awaitable<number>;
  /** Why nothing is rendered for now, as a sentence; `undefined` when videos wait for others only. */
  waitingFor(): Awaitable<string | undefined>;
}
