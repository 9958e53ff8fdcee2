import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { userMessage } from '../../../src/contract/user-message.ts';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();
const FAILURE = 'The service answers slowly today.';

/** Makes the engine report a failure, which the page shows as a notice. */
const report = (page: Page) =>
  page.evaluate(
    (failure) => {
      window.engine.sendPageRequest({ kind: 'tell', failure });
    },
    { code: 'service-unreachable', ...userMessage('verbatim', { text: FAILURE }) } as const,
  );

async function pressAddButton(page: Page): Promise<void> {
  const { x, y, width, height } = (await page
    .getByRole('button', { name: 'Add 1 video' })
    .boundingBox())!;
  // Near the lower edge: if the button moved by a few pixels, the click would miss it.
  await page.mouse.move(x + width / 2, y + height - 4);
  await page.mouse.down();
}

const addedBatches = async (page: Page) =>
  (await commandsOf(page)).filter(({ name }) => name === 'batches.add').length;

async function checkFile(page: Page): Promise<void> {
  await page.keyboard.press('a');
  await page.getByLabel('Choose files').setInputFiles({
    name: 'one.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('title\nOne'),
  });
  await page.getByRole('button', { name: 'Add 1 video' }).waitFor();
}

describe('a pressed button', () => {
  it('is clicked although a notice appears meanwhile', async () => {
    const page = await pages.openScenario('running');
    await checkFile(page);
    await pressAddButton(page);
    await report(page);
    // By then the page has been laid out: what would move has moved.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    await page.mouse.up();
    await expect.poll(() => addedBatches(page)).toBe(1);
    await page.getByText(FAILURE).waitFor();
  });

  it('is clicked although a notice disappears meanwhile', async () => {
    const page = await pages.openScenario('running');
    await checkFile(page);
    await report(page);
    const notice = page.getByText(FAILURE);
    await notice.waitFor();
    await pressAddButton(page);
    await page.getByRole('button', { name: 'Dismiss' }).evaluate((button: HTMLElement) => {
      button.click();
    });
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    await page.mouse.up();
    await expect.poll(() => addedBatches(page)).toBe(1);
    await expect.poll(() => notice.count()).toBe(0);
  });
});

/** Controls whose visible part is partly behind a notice. */
const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    function visiblePart(element: Element): DOMRect {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflow === 'visible') continue;
        const frame = box.getBoundingClientRect();
        [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
        [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
      }
      return new DOMRect(left, top, right - left, bottom - top);
    }
    const notice = (element: Element | null) => element?.closest('[role="log"]') ?? null;
    return [...document.querySelectorAll('button, a, input, select, textarea, [role="row"]')]
      .filter((control) => notice(control) === null)
      .filter((control) => {
        const { left, top, right, bottom, width, height } = visiblePart(control);
        if (width <= 2 || height <= 2) return false;
        const corners = [left + 1, right - 1].flatMap((x) => [
          [x, top + 1] as const,
          [x, bottom - 1] as const,
        ]);
        return corners.some(([x, y]) => notice(document.elementFromPoint(x, y)) !== null);
      })
      .map((control) => control.textContent || control.outerHTML);
  });

/** In the order of their keys. */
const VIEWS = ['Queue', 'Timeline', 'Saved', 'Activity', 'Limits', 'Settings'];

it.each([
  { width: 1280, height: 800 },
  { width: 640, height: 480 },
])('notices cover no control of any view, at $width by $height', async (viewport) => {
  const page = await pages.openScenario('running', { viewport });
  await report(page);
  await report(page);
  await report(page);
  await expect.poll(() => page.getByText(FAILURE).count()).toBe(3);
  for (const [index, name] of [...VIEWS, 'Queue'].entries()) {
    const key = String((index % VIEWS.length) + 1);
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    expect(await coveredControls(page), key).toEqual([]);
  }
  await checkFile(page);
  expect(await coveredControls(page)).toEqual([]);
});

describe('a notice beside an open dialog', () => {
  it('is in front of the scrim, covers no button of the dialog and does not close it', async () => {
    const page = await pages.openScenario('running', { viewport: { width: 900, height: 560 } });
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.waitFor();
    await report(page);
    const notice = page.getByText(FAILURE);
    await notice.waitFor();
    await expect
      .poll(() =>
        notice.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }),
      )
      .toBe(true);
    const place = (await page.getByRole('log').boundingBox())!;
    await expect
      .poll(async () => {
        const { y, height } = (await dialog.boundingBox())!;
        return y + height;
      })
      .toBeLessThanOrEqual(place.y);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => notice.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});

/** Whether a click in the middle of an element reaches it. */
const isInFront = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect();
  const front = document.elementFromPoint(x + width / 2, y + height / 2);
  return element.contains(front);
};

it('a notice is behind a menu that is open, and behind the scrim of a dialog', async () => {
  const page = await pages.openScenario('running', { viewport: { width: 900, height: 560 } });
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Test key' }).click();
  const notice = page.getByRole('log').getByText('The service accepts the key');
  await notice.waitFor();
  await expect.poll(() => notice.evaluate(isInFront)).toBe(true);

  await page.getByRole('button', { name: 'What to pause' }).click();
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  for (const item of await items.all())
    await expect.poll(() => item.evaluate(isInFront)).toBe(true);
  await page.keyboard.press('Escape');

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  expect(await notice.evaluate(isInFront)).toBe(false);
});

it('a later notice about the key replaces the earlier one', async () => {
  const page = await pages.openScenario('key');
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Test key' }).click();
  const log = page.getByRole('log');
  // A notice of a failure stays until it is dismissed.
  await log.getByText('The service refuses this key').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Enter key' }).click();
  await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
  await page.keyboard.press('Enter');
  await log.getByText('The service accepts the key').waitFor();
  await expect.poll(() => log.getByText('The service refuses this key').count()).toBe(0);
});
