import type { Page } from 'playwright-core';
import { afterEach, expect } from 'vitest';
import { ScenarioPages } from './scenario-pages.ts';

/**
 * High enough that no row of the scenario `running` that tests use has to be scrolled to. A table
 * that scrolls reuses its row elements, so that an element may become another row.
 */
export const TALL = { viewport: { width: 1280, height: 1100 } };

/** One for all files of a worker. */
const pages = await ScenarioPages.open();

/** For the tests of a file. Each starts without pages, and fails if its pages complained. */
export function useScenarioPages(): Pick<ScenarioPages, 'openScenario'> {
  afterEach(async () => {
    expect(await pages.clear()).toEqual([]);
  });
  return { openScenario: (...scene) => pages.openScenario(...scene) };
}

/** Shows the rows of an English queue in the order of sending, without sections. */
export async function showInOrder(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitem', { name: 'In the order of sending' }).click();
  await page.getByRole('grid').waitFor();
}
