import { afterEach, expect } from 'vitest';
import { ScenarioPages } from './scenario-pages.ts';

/**
 * High enough that no row of the scene `running` that tests use has to be scrolled to. A table that
 * scrolls reuses its rows, so that an element found before is another row by then.
 */
export const TALL = { viewport: { width: 1280, height: 1100 } };

/** One for all files of a worker, as long as that lives. */
const pages = await ScenarioPages.open();

/**
 * For the tests of a file. Each finds it empty, and fails when its pages complained of anything.
 */
export function useScenarioPages(): Pick<ScenarioPages, 'openScenario'> {
  afterEach(async () => {
    expect(await pages.clear()).toEqual([]);
  });
  return { openScenario: (...scene) => pages.openScenario(...scene) };
}
