import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CONTRAST = 'color-contrast';

/**
 * What axe finds on a page, one line a violation. Light and dark colours have the same elements, so
 * dark ones are only checked for contrast.
 *
 * @param part selector of what no other test shows: contrast, which takes most of the time, is
 * measured
 *   there alone, and everything else on the whole page
 */
export async function accessibilityFaults(page: Page, part = 'body'): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy on scripts does not concern.
  await page.evaluate(AXE);
  await page.evaluate(
    ([rule, selector]) => {
      const { axe } = window as unknown as { axe: Pick<typeof import('axe-core'), 'configure'> };
      axe.configure({ rules: [{ id: rule, selector }] });
    },
    [CONTRAST, `${part}, ${part} *`] as const,
  );
  // An open menu is in no landmark, as an open dialog is in none; axe knows that of dialogs alone.
  const light = await violationsOf(page, {
    rules: { region: { enabled: part !== '[role=menu]' } },
  });
  await changeColours(page, 'dark');
  const dark = await violationsOf(page, { runOnly: [CONTRAST] });
  await changeColours(page, null);
  return [...light, ...dark.map((fault) => `dark: ${fault}`)];
}

/** Waits until the colour transition between the light and dark themes has ended. */
async function changeColours(page: Page, colorScheme: 'dark' | null): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(() => {
    for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
  });
}

async function violationsOf(page: Page, options: RunOptions): Promise<string[]> {
  const results = await page.evaluate(
    (how) => {
      const { axe } = window as unknown as {
        axe: { run(context: Document, how: RunOptions): Promise<AxeResults> };
      };
      return axe.run(document, how);
    },
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  );
  return results.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}
