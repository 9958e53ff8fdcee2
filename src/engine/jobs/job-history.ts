/** What a job's details list: its steps as they are stored, without what only repeats. */
import { z } from 'zod';
import type { HistoryEntry } from '../../contract/job.ts';
import { JOB_STATES } from '../../contract/job-states.ts';
import { eventOf } from './job-events.ts';
import type { JobRow } from './job-row.ts';
import { messageColumns, messageIn } from './stored-values.ts';
import type { SqlRow } from './transactions.ts';

const historyRowSchema = z.object({
  at: z.number(),
  from_state: z.enum(JOB_STATES),
  to_state: z.enum(JOB_STATES),
  ...messageColumns,
});

type HistoryRow = z.infer<typeof historyRowSchema>;

/**
 * The entries of a job's history, oldest first. The first one says how the job was added.
 * @param rows of the table `history`, oldest first
 */
export function historyOf(job: JobRow, rows: readonly SqlRow[]): HistoryEntry[] {
  const steps = rows.map((row) => historyRowSchema.parse(row));
  const arrival = { from: null, to: steps[0]?.from_state ?? job.state, note: null };
  const entries = [
    { at: job.addedAt, ...arrival, event: 'added' as const },
    ...withoutRepeats(steps).flatMap(({ at, from_state: from, to_state: to, ...message }) => {
      const note = messageIn(message);
      const event = eventOf(from, to, note);
      return event === null ? [] : [{ at, from, to, event, note }];
    }),
  ];
  // A cancelled job that waited is put back on hold, and released by the same command.
  return entries.filter(({ event, at }, index) => {
    const before = entries[index - 1];
    return event !== 'released' || before?.event !== 'restored' || before.at !== at;
  });
}

/** Numbers of steps that lead back to the first state: a send that is put back, then a download. */
const CYCLE_LENGTHS = [3, 2];

/** Removes each cycle of steps that only repeats the one before it, such as a retry. */
function withoutRepeats(steps: readonly HistoryRow[]): HistoryRow[] {
  const kept: HistoryRow[] = [];
  for (const step of steps) {
    kept.push(step);
    const repeated = CYCLE_LENGTHS.find((length) => endsInRepeat(kept, length));
    if (repeated !== undefined) kept.length -= repeated;
  }
  return kept;
}

function endsInRepeat(steps: readonly HistoryRow[], length: number): boolean {
  if (steps.length < 2 * length) return false;
  const last = steps.slice(-length);
  const before = steps.slice(-2 * length, -length);
  return last.every((step, index) => {
    const earlier = before[index];
    return (
      step.from_state === earlier?.from_state &&
      step.to_state === earlier.to_state &&
      step.note === earlier.note
    );
  });
}
