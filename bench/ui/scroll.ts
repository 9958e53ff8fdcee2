/**
 * Scrolls a page's table continuously, and measures the time between frames and the main thread's
 * work for each.
 */
import type { Page } from 'playwright-core';
import { mainThreadWork, type TraceEvent } from './main-thread-work.ts';

const SECONDS = 5;
/** In pixels. */
export const ROW_HEIGHT = 36;
/** Rows per second: about the fastest that a person scrolls with a wheel. */
export const ROWS_A_SECOND = 240;

export interface Figures {
  /** Milliseconds between two frames. */
  readonly frames: readonly number[];
  /** Milliseconds of the main thread's work for each frame. */
  readonly work: readonly number[];
  /** The largest number of rows in the page. */
  readonly mostRows: number;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Scrolls for `SECONDS`; returns the time between frames, and the largest number of rows in the
 * page.
 */
function scroll(page: Page): Promise<{ frames: number[]; mostRows: number }> {
  return page.evaluate(
    async ({ seconds, pixelsASecond }) => {
      const scroller = document.querySelector('[role=grid]')!;
      const frames: number[] = [];
      let mostRows = 0;
      let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const begin = last;
      let direction = 1;
      while (last - begin < seconds * 1000) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        frames.push(now - last);
        const end = scroller.scrollHeight - scroller.clientHeight;
        if (scroller.scrollTop >= end - 1) direction = -1;
        if (scroller.scrollTop <= 0) direction = 1;
        scroller.scrollTop += (direction * (now - last) * pixelsASecond) / 1000;
        mostRows = Math.max(mostRows, document.querySelectorAll('[role=row]').length);
        last = now;
      }
      return { frames, mostRows };
    },
    { seconds: SECONDS, pixelsASecond: ROWS_A_SECOND * ROW_HEIGHT },
  );
}

export async function traceScroll(page: Page): Promise<Figures> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  );
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  });
  const { frames, mostRows } = await scroll(page);
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return { frames, mostRows, work: mainThreadWork(events) };
}

/** Above lines of `line`. */
export const HEADINGS = [
  `${''.padEnd(30)}   between frames, ms      work a frame, ms   frames`,
  `${''.padEnd(30)}    p50    p99    max       p50    p99    max`,
].join('\n');

export function line(name: string, all: readonly Figures[]): string {
  const frames = all.flatMap((figures) => figures.frames);
  const work = all.flatMap((figures) => figures.work);
  const shown = (values: readonly number[]): string =>
    [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1).padStart(7)).join('');
  return `${name.padEnd(30)}${shown(frames)}   ${shown(work)}${String(frames.length).padStart(9)}`;
}
