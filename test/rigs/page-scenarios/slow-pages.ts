import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/**
 * Ways to make pages slow. Each of them reliably causes what otherwise happens only now and then:
 *
 * - `computer`: later scripts arrive late, and everything takes three times the processor time;
 * - `frames`: animations and frame callbacks take ten times as long, so that a dialog or a menu
 *   that was closed is still there for a while;
 * - `engine`: responses and events of the engine are late, and not in the order of the calls;
 * - `test`: the test waits before each step, when transient elements may have disappeared;
 * - `still`: the opposite: no animations.
 */
const WAYS = ['computer', 'frames', 'engine', 'test', 'still'] as const;
type Way = (typeof WAYS)[number];

const PLAYBACK_RATE = 0.1;
const FRAME_MS = 400;
const STEP_MS = 400;
/** How long a step may take: on a busy machine, slow pages need more than the usual 30 seconds. */
const PATIENCE_MS = 120_000;

const chosen: ReadonlySet<Way> = waysOf(process.env.SPOOL_SLOW_PAGES ?? '');

/** @param names separated by commas. `1` stands for those that make a page slow */
function waysOf(names: string): ReadonlySet<Way> {
  if (names === '1') return new Set(['computer', 'frames', 'engine']);
  return new Set(
    names
      .split(',')
      .filter((name) => name !== '')
      .map((name) => {
        const way = WAYS.find((each) => each === name);
        if (way === undefined)
          throw new Error(`SPOOL_SLOW_PAGES: ${name} is none of ${WAYS.join()}`);
        return way;
      }),
  );
}

/** Whether pages are as usual, and so may show several scenarios in one document. */
export const ARE_USUAL = chosen.size === 0;

/** The delay of the browser before each step of a test, in milliseconds. */
export const STEP_DELAY = chosen.has('test') ? STEP_MS : 0;

/** The query that makes the engine of a scenario page slow. */
export const LATE_ENGINE = chosen.has('engine') ? '&late' : '';

/** Slows a page down before it has requested anything. */
export async function slowDown(page: Page): Promise<void> {
  if (!ARE_USUAL) page.setDefaultTimeout(PATIENCE_MS);
  if (chosen.has('computer')) {
    await page.route('**/*.js', async (route) => {
      if (!route.request().url().includes('/index-')) await setTimeout(500);
      await route.continue();
    });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 3 });
  }
  if (chosen.has('frames')) {
    const session = await page.context().newCDPSession(page);
    await session.send('Animation.enable');
    await session.send('Animation.setPlaybackRate', { playbackRate: PLAYBACK_RATE });
    await page.addInitScript((late) => {
      const nextFrame = window.requestAnimationFrame.bind(window);
      const timers = new Map<number, number>();
      let last = 0;
      window.requestAnimationFrame = (callback) => {
        const id = (last += 1);
        const draw = (time: number): void => {
          if (timers.delete(id)) callback(time);
        };
        timers.set(
          id,
          window.setTimeout(() => nextFrame(draw), late),
        );
        return id;
      };
      window.cancelAnimationFrame = (id) => {
        window.clearTimeout(timers.get(id));
        timers.delete(id);
      };
    }, FRAME_MS);
  }
  if (chosen.has('still')) await page.emulateMedia({ reducedMotion: 'reduce' });
}
