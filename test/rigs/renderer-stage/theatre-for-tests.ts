import { afterEach, expect } from 'vitest';
import { Theatre } from './stage-theatre.ts';

/**
 * High enough that no row of the scene `running` that tests use has to be scrolled to. A table that
 * scrolls fills its rows anew, so that what was found to be pressed is another row by then.
 */
export const TALL = { viewport: { width: 1280, height: 1100 } };

/** One for all files of a worker, as long as that lives. */
const theatre = await Theatre.open();

/** For the tests of a file. Each finds it empty, and fails when its pages complained of anything. */
export function openTheatre(): Pick<Theatre, 'play'> {
  afterEach(async () => {
    expect(await theatre.clear()).toEqual([]);
  });
  return { play: (...scene) => theatre.play(...scene) };
}
