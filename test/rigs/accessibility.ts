import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page by day, and in its colours by night; a line a fault. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy on scripts does not concern.
  await page.evaluate(AXE);
  const byDay = await violationsOf(page, {});
  await changeColours(page, 'dark');
  const byNight = await violationsOf(page, { runOnly: ['color-contrast'] });
  await changeColours(page, null);
  return [...byDay, ...byNight.map((fault) => `by night: ${fault}`)];
}

/** Colours that are still on their way from day to night are nobody's fault. */
async function changeColours(page: Page, colorScheme: 'dark' | null): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  });
}

async function violationsOf(page: Page, options: RunOptions): Promise<string[]> {
  const results = await page.evaluate(
    (how) =>
      (window as unknown as { axe: { run(how: RunOptions): Promise<AxeResults> } }).axe.run(how),
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  );
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}
