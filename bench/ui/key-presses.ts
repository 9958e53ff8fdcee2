/** Presses keys in the queue's table, and measures the time until their effect is painted. */
import type { CDPSession, Page } from 'playwright-core';
import { percentile } from './scroll.ts';

/** The first round of presses fills the caches of the engine that is in the page, and is left out. */
const ROUNDS = 21;
/** Longer than the table waits after a scroll before it puts its elements in order. */
const PAUSE_MS = 400;

/** In the order in which they are pressed: each is pressed where the one before it led. */
const KEYS = [
  'ArrowDown',
  'PageDown',
  'End',
  'PageUp',
  'Home',
  'Control+a',
  'Escape',
  'l in search',
  'a in search',
  'Backspace in search',
  'Escape in search',
] as const;
type Key = (typeof KEYS)[number];

/** Of presses of one key. */
export interface KeyFigures {
  readonly key: Key;
  /** Milliseconds from the event until the rows that it leads to are painted. */
  readonly painted: readonly number[];
  /** Milliseconds of the main thread's work for it, with what follows within `PAUSE_MS`. */
  readonly work: readonly number[];
}

declare global {
  interface Window {
    /** Settles once the latest key press is painted, in milliseconds since its event. */
    painted: Promise<number>;
  }
}

/** Times each key press in the page: until a frame is painted in which no visible row is missing. */
function timeKeys(): void {
  const nextPaint = (): Promise<void> =>
    new Promise((resolve) => {
      requestAnimationFrame(() => {
        // A message arrives after the frame that the callback belongs to is painted.
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => {
          resolve();
        });
        port1.start();
        port2.postMessage(null);
      });
    });
  const isComplete = (): boolean => {
    if (document.querySelector('[role=grid][aria-busy=true]') !== null) return false;
    const rows = [...document.querySelectorAll('[role=rowgroup] [role=row]')];
    return rows.length > 0 && rows.every((row) => !/Loading…|^$/.test(row.textContent));
  };
  addEventListener(
    'keydown',
    ({ key, timeStamp }) => {
      if (key === 'Control') return;
      window.painted = (async () => {
        for (;;) {
          await nextPaint();
          const at = performance.now();
          if (isComplete()) return at - timeStamp;
        }
      })();
    },
    { capture: true },
  );
}

/** The main thread's processor time so far, in milliseconds. */
async function workSoFar(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
}

async function press(page: Page, key: Key): Promise<number> {
  const [pressed = key] = key.split(' ');
  const isInSearch = key.endsWith('search');
  await page
    .getByRole(isInSearch ? 'searchbox' : 'grid')
    .first()
    .focus();
  await page.keyboard.press(pressed);
  return page.evaluate(() => window.painted);
}

/** @param page shows the queue */
export async function pressKeys(page: Page): Promise<readonly KeyFigures[]> {
  await page.evaluate(timeKeys);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const figures = KEYS.map((key) => ({ key, painted: [] as number[], work: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { key, painted, work } of figures) {
      const before = await workSoFar(session);
      const duration = await press(page, key);
      await page.waitForTimeout(PAUSE_MS);
      if (round === 0) continue;
      painted.push(duration);
      work.push((await workSoFar(session)) - before);
    }
  }
  await session.detach();
  return figures;
}

/** Above lines of `keyLine`. */
export const KEY_HEADINGS = [
  `${''.padEnd(30)}   event to paint, ms         work, ms`,
  `${''.padEnd(30)}    p50    p95    max    p50    p95`,
].join('\n');

export function keyLine({ key, painted, work }: KeyFigures): string {
  const shown = (values: readonly number[], ...shares: readonly number[]): string =>
    shares.map((share) => percentile(values, share).toFixed(1).padStart(7)).join('');
  return `${key.padEnd(30)}${shown(painted, 0.5, 0.95, 1)}${shown(work, 0.5, 0.95)}`;
}
