import type { Awaitable } from '../awaitable.ts';

/** The state of renders for the API, in this process or others. */
export interface RenderMonitor {
  /** To be called when a video was queued. */
  wake(): void;
  /** Share of a video's frames that is drawn and encoded, 0 to 1. */
  progressOf(id: string): Awaitable<number>;
  /** Why nothing is rendered for now, as a sentence; `undefined` without an outage. */
  waitingFor(): Awaitable<string | undefined>;
}
