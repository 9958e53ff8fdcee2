import type { BatchPlan } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { ExitCode } from '../exit-codes.ts';

/** How a command tells its story: drawn live, in plain lines, or as JSON. */
export interface Display {
  /** Something a person may want to know; `--json` has no use for it. */
  say(sentence: string): void;
  failed(failure: Failure): void;
  /** What a batch would mean, before anything is sent. */
  planned(plan: BatchPlan, now: number): void;
  /** The same, row by row, for whoever asked for nothing else. */
  forecast(plan: BatchPlan, now: number): void;
  /** Where the batch stands; called as often as anything changes. */
  progressed(progress: BatchProgress): void;
  /** The last call; `progress` is missing when the command ended before its batch was queued. */
  ended(exitCode: ExitCode, progress?: BatchProgress): void;
}

/** Tells every display the same. */
export function together(displays: readonly Display[]): Display {
  return {
    say: (sentence) => displays.forEach((display) => display.say(sentence)),
    failed: (failure) => displays.forEach((display) => display.failed(failure)),
    planned: (plan, now) => displays.forEach((display) => display.planned(plan, now)),
    forecast: (plan, now) => displays.forEach((display) => display.forecast(plan, now)),
    progressed: (progress) => displays.forEach((display) => display.progressed(progress)),
    ended: (exitCode, progress) => displays.forEach((display) => display.ended(exitCode, progress)),
  };
}
