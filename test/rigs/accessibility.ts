import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CONTRAST = 'color-contrast';

/**
 * The violations that axe finds on a page, one line each. Light and dark themes have the same
 * elements: all rules are checked in the page's current theme, and in the other one only contrast.
 * The page then keeps the other theme, since switching takes as long as measuring.
 *
 * @param part selector of the part that no other test shows: contrast, which takes most of the
 * time,
 *   is measured only there, and everything else on the whole page
 * @param inBoth whether contrast is measured in the other theme too
 */
export async function accessibilityViolations(
  page: Page,
  part = 'body',
  inBoth = true,
): Promise<string[]> {
  // Evaluated by the debugger, to which the page's script policy does not apply.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const colours = await page.evaluate(
    ([rule, selector]) => {
      const { axe } = window as unknown as { axe: Pick<typeof import('axe-core'), 'configure'> };
      axe.configure({ rules: [{ id: rule, selector }] });
      return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    },
    [CONTRAST, `${part}, ${part} *`] as const,
  );
  // Open menus and dialogs are in no landmark; axe makes an exception for dialogs only.
  const everything = await violationsOf(page, {
    rules: { region: { enabled: part !== '[role=menu]' } },
  });
  const violations = everything.map((each) => `${colours}: ${each}`);
  if (!inBoth) return violations;
  const others = colours === 'dark' ? 'light' : 'dark';
  await changeColours(page, others);
  const contrast = await violationsOf(page, { runOnly: [CONTRAST] });
  return [...violations, ...contrast.map((each) => `${others}: ${each}`)];
}

/** Waits until the colour transition between the light and dark themes has ended. */
async function changeColours(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
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
