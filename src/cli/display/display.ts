import type { BatchIssue } from '../../contract/batch-issue.ts';
import type { BatchPlan } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { RowAccount } from '../left-out-rows.ts';
import type { ExitCode } from '../exit-codes.ts';

/** The output of a command: redrawn in place, as plain lines, or as JSON. */
export interface Display {
  /** A note for people; `--json` omits it. */
  note(sentence: string): void;
  /** Everything that is wrong; people read the first of many and a count. */
  failed(failures: readonly (Failure & Partial<BatchIssue>)[]): void;
  /** What a batch will do, before anything is sent. */
  planned(plan: BatchPlan, now: number): void;
  /** The same row by row, for `--dry-run`. */
  forecast(plan: BatchPlan, now: number): void;
  /** What became of every row of a batch, if some were left out. */
  accounted(account: RowAccount): void;
  /** The progress of the batches; called after each change. */
  progressed(progress: BatchProgress): void;
  /** The last call; `progress` is missing when the command ended before its batch was queued. */
  ended(exitCode: ExitCode, progress?: BatchProgress): void;
}

/** Forwards each call to all displays. */
export function combineDisplays(displays: readonly Display[]): Display {
  return {
    note: (sentence) => displays.forEach((display) => display.note(sentence)),
    failed: (failures) => displays.forEach((display) => display.failed(failures)),
    planned: (plan, now) => displays.forEach((display) => display.planned(plan, now)),
    forecast: (plan, now) => displays.forEach((display) => display.forecast(plan, now)),
    accounted: (account) => displays.forEach((display) => display.accounted(account)),
    progressed: (progress) => displays.forEach((display) => display.progressed(progress)),
    ended: (exitCode, progress) => displays.forEach((display) => display.ended(exitCode, progress)),
  };
}
