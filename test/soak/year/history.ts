import type { WorldTime } from './world-time.ts';

/** Lines that a failure shows: its cause is seldom earlier. */
const SHOWN_LINES = 60;
const KEPT_LINES = 400;

/** The events of a simulated year, for debugging a failure. */
export class History {
  readonly #time: WorldTime;
  readonly #startAt: number;
  readonly #setting: string[] = [];
  readonly #lines: string[] = [];

  constructor(time: WorldTime) {
    this.#time = time;
    this.#startAt = time.now;
  }

  /** Days since the year began, from 0. */
  get day(): number {
    return Math.floor((this.#time.now - this.#startAt) / 86_400_000);
  }

  /** Adds a fact that applies to the whole year. */
  set(what: string): void {
    this.#setting.push(what);
  }

  note(what: string): void {
    const at = new Date(this.#time.now).toISOString().replace('T', ' ').slice(0, 19);
    this.#lines.push(`${at}  ${what}`);
    if (this.#lines.length > 2 * KEPT_LINES) this.#lines.splice(0, KEPT_LINES);
  }

  /** The last lines; consecutive lines that differ only in time are merged. */
  shortened(): string {
    const shown: { line: string; times: number }[] = [];
    for (const line of this.#lines) {
      const last = shown.at(-1);
      if (last && withoutTime(last.line) === withoutTime(line)) last.times += 1;
      else shown.push({ line, times: 1 });
    }
    const lines = shown
      .slice(-SHOWN_LINES)
      .map(({ line, times }) => (times === 1 ? line : `${line}  (${times} times)`));
    return [...this.#setting, '', ...lines].join('\n');
  }
}

function withoutTime(line: string): string {
  return line.slice(19);
}
