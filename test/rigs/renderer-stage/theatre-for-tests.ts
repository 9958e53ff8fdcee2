import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { Theatre } from './stage-theatre.ts';

/**
 * High enough that no row of the scene `running` that tests use has to be scrolled to. A table that
 * scrolls fills its rows anew, so that what was found to be pressed is another row by then.
 */
export const TALL = { viewport: { width: 1280, height: 1100 } };

/**
 * A theatre for the tests of a file. Each finds it empty, and fails when its pages complained of
 * anything.
 */
export function openTheatre(): Pick<Theatre, 'play'> {
  let theatre: Theatre;
  beforeAll(async () => {
    theatre = await Theatre.open();
  });
  afterEach(async () => {
    expect(await theatre.clear()).toEqual([]);
  });
  afterAll(() => theatre.close());
  return { play: (...scene) => theatre.play(...scene) };
}
