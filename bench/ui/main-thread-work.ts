/** The used fields of an event of a Chromium trace. */
export interface TraceEvent {
  readonly name: string;
  /** The beginning, in microseconds. */
  readonly ts: number;
  /** In microseconds. */
  readonly dur?: number;
  /** Processor time of the thread within `dur`, in microseconds. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
}

/**
 * The main thread's processor time for each frame, in milliseconds: its tasks from the beginning of
 * the frame to the beginning of the next.
 */
export function mainThreadWork(events: readonly TraceEvent[]): readonly number[] {
  const begins = events.filter(({ name }) => name === 'FireAnimationFrame');
  // The scrolled page has by far the most frames.
  const threads = Map.groupBy(begins, ({ pid, tid }) => `${pid} ${tid}`);
  const [busiest] = [...threads.values()].sort((one, other) => other.length - one.length);
  if (busiest?.[0] === undefined) return [];
  const { pid, tid } = busiest[0];
  const starts = busiest.map(({ ts }) => ts).sort((one, other) => one - other);
  const work = starts.map(() => 0);
  let frame = 0;
  const tasks = events
    .filter((event) => event.pid === pid && event.tid === tid && event.name === 'RunTask')
    .sort((one, other) => one.ts - other.ts);
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    // A frame's own task begins a little before the event that reports it.
    while (frame + 1 < starts.length && (starts[frame + 1] ?? 0) < ts + dur) frame += 1;
    work[frame] = (work[frame] ?? 0) + tdur / 1000;
  }
  return work.slice(1, -1);
}
