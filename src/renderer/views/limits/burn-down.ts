import type { QuotaDays } from '../../../contract/quota-days.ts';
import type { PlannedSends } from '../../state/cycle-state.svelte.ts';

/** How much of the quota is left at a moment, in milliseconds since the epoch. */
export interface LeftAt {
  readonly at: number;
  readonly left: number;
}

/** What was left, from the start of the cycle to `now`. Never below 0. */
export function leftSoFar(cycle: QuotaDays, now: number): readonly LeftAt[] {
  const steps = [
    ...cycle.days.map(({ charged, held }, index) => ({
      at: Math.min(now, cycle.days[index + 1]?.from ?? now),
      amount: charged + held,
      isStep: false,
    })),
    ...cycle.corrections.map(({ at, difference }) => ({ at, amount: difference, isStep: true })),
  ].toSorted((a, b) => a.at - b.at);

  const points = [{ at: cycle.cycle.start, left: cycle.limit }];
  let left = cycle.limit;
  for (const { at, amount, isStep } of steps) {
    // Use within a day is drawn as a slope, a correction as a step.
    if (isStep) points.push({ at, left });
    left -= amount;
    points.push({ at, left });
  }
  const { refusedAt } = cycle;
  if (refusedAt !== null) {
    // A refusal by the service overrides this count.
    const before = points.filter(({ at }) => at <= refusedAt);
    const last = before.at(-1)?.left ?? cycle.limit;
    points.splice(0, points.length, ...before, { at: refusedAt, left: last });
    points.push({ at: refusedAt, left: 0 }, { at: now, left: 0 });
  }
  return points.map((point) => ({ ...point, left: Math.max(0, point.left) }));
}

/**
 * What will be left: one step down for each planned request, until the cycle ends, the quota is
 * used up or the known requests end.
 */
export function leftFromNow(
  left: number,
  { at: sends, isCut }: PlannedSends,
  now: number,
  end: number,
): readonly LeftAt[] {
  const points: LeftAt[] = [{ at: now, left }];
  let remaining = left;
  for (const send of sends) {
    const at = Math.max(now, send);
    if (at >= end || remaining === 0) break;
    remaining -= 1;
    points.push({ at, left: remaining });
  }
  // A list that is cut after the end of the cycle has all of its requests.
  const endsEarly = remaining === 0 || (isCut && !sends.some((send) => send >= end));
  return endsEarly ? points : [...points, { at: end, left: remaining }];
}

/** The forecast of a cycle, as figures for one sentence. */
export type Outlook =
  | { readonly kind: 'used-up' }
  /** The queue uses the last video at `at`, and `takes` in all. */
  | { readonly kind: 'runs-out'; readonly at: number; readonly takes: number }
  /** The queue uses `takes` videos until the cycle ends, and `left` remain. */
  | { readonly kind: 'lasts'; readonly takes: number; readonly left: number }
  /** The queue is longer than the known requests. */
  | { readonly kind: 'open' };

export function outlookOf(forecast: readonly LeftAt[], end: number): Outlook {
  const [first] = forecast;
  const last = forecast.at(-1);
  if (first === undefined || last === undefined || first.left === 0) return { kind: 'used-up' };
  const runsOut = forecast.find(({ left }) => left === 0);
  if (runsOut !== undefined) return { kind: 'runs-out', at: runsOut.at, takes: first.left };
  return last.at < end
    ? { kind: 'open' }
    : { kind: 'lasts', takes: first.left - last.left, left: last.left };
}

/** The plotting area, in pixels from the chart's top left corner. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Turns moments and counts of a cycle into pixels. */
export class Scale {
  readonly #frame: Frame;
  readonly #start: number;
  readonly #end: number;
  readonly #max: number;

  /** @param max the count at the frame's top; raised to 1 if lower */
  constructor(frame: Frame, { start, end }: QuotaDays['cycle'], max: number) {
    this.#frame = frame;
    this.#start = start;
    this.#end = Math.max(end, start + 1);
    this.#max = Math.max(1, max);
  }

  x(at: number): number {
    const { left, right } = this.#frame;
    const share = (at - this.#start) / (this.#end - this.#start);
    return left + Math.min(1, Math.max(0, share)) * (right - left);
  }

  y(count: number): number {
    const { top, bottom } = this.#frame;
    return bottom - Math.min(1, Math.max(0, count / this.#max)) * (bottom - top);
  }

  /** An SVG path around the area below `line`. */
  area(points: readonly LeftAt[]): string {
    const [first] = points;
    if (first === undefined) return '';
    const { bottom } = this.#frame;
    return `${this.line(points)}V${bottom}H${round(this.x(first.at))}Z`;
  }

  /** An SVG path through points. */
  line(points: readonly LeftAt[]): string {
    return points
      .map(
        ({ at, left }, index) =>
          `${index === 0 ? 'M' : 'L'}${round(this.x(at))} ${round(this.y(left))}`,
      )
      .join('');
  }

  /** As `line`, with each count constant until the next point. */
  stairs(points: readonly LeftAt[]): string {
    const [first, ...others] = points;
    if (first === undefined) return '';
    const start = `M${round(this.x(first.at))} ${round(this.y(first.left))}`;
    return others.reduce(
      (path, { at, left }) => `${path}H${round(this.x(at))}V${round(this.y(left))}`,
      start,
    );
  }
}

/** Starts of days, far enough apart for their labels. @param spacing in pixels */
export function dayMarks(
  { start, end }: QuotaDays['cycle'],
  width: number,
  spacing: number,
): readonly number[] {
  const DAY = 24 * 3_600_000;
  const days = Math.max(1, Math.round((end - start) / DAY));
  const maxMarks = Math.max(1, Math.floor(width / spacing));
  const step = [1, 2, 5, 7, 14].find((candidate) => days / candidate <= maxMarks) ?? days;
  const marks: number[] = [];
  const first = new Date(start);
  // By the calendar, and each from the first day, so that a day of 23 hours moves no mark: in some
  // zones it has no midnight.
  for (let day = first.getDate(); ; day += step) {
    const mark = new Date(first.getFullYear(), first.getMonth(), day).getTime();
    if (mark >= end) return marks;
    marks.push(Math.max(start, mark));
  }
}

/** The midnight after a moment, or the cycle's end if that is sooner. */
export function endOfDay(at: number, end: number): number {
  return Math.min(end, new Date(at).setHours(24, 0, 0, 0));
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
