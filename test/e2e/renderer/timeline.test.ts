import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

/** Where a video's bar begins and ends, in pixels from the left. */
async function wayOf(page: Page, title: string): Promise<{ from: number; to: number }> {
  const row = page
    .getByRole('row')
    .filter({ has: page.getByText(title, { exact: true }) })
    .locator('.way');
  const box = await row.boundingBox();
  return { from: box?.x ?? NaN, to: (box?.x ?? NaN) + (box?.width ?? NaN) };
}

/** Opens the timeline with an axis of three hours. */
async function openTimeline(page: Page): Promise<void> {
  await page.keyboard.press('2');
  await page.locator('label').filter({ hasText: '3 h' }).click();
}

const nowOf = async (page: Page): Promise<number> =>
  (await page.locator('.background .now').boundingBox())?.x ?? NaN;

it('fits the axis to what is planned', async () => {
  const page = await pages.openScenario('running');
  await page.keyboard.press('2');
  await page.getByText('Latte art for beginners', { exact: true }).waitFor();
  // The last video is saved in 27 hours: a day further, which three hours do not show.
  const dayOf = (text: string) => page.getByRole('grid').locator('.axis').getByText(text);
  await dayOf('Thu 19').waitFor();
  await page.locator('label').filter({ hasText: '3 h' }).click();
  await expect.poll(() => dayOf('Thu 19').count()).toBe(0);
});

it('draws each video from its request to its file, over hours and days', async () => {
  const page = await pages.openScenario('running');
  await openTimeline(page);
  const rendering = 'Latte art for beginners';
  await page.getByText(rendering, { exact: true }).waitFor();
  const [now, under, coming] = [
    await nowOf(page),
    await wayOf(page, rendering),
    await wayOf(page, 'Behind the bar: Ana (2)'),
  ];
  expect(under.from).toBeLessThan(now);
  expect(under.to).toBeGreaterThan(now);
  await page.getByRole('row', { name: new RegExp(`rendering ${rendering}`) }).waitFor();
  expect(coming.from).toBeGreaterThan(now + 100);
  await page.locator('label').filter({ hasText: '1 day' }).click();
  await expect
    .poll(async () => (await wayOf(page, 'Behind the bar: Ana (2)')).from)
    .toBeLessThan(coming.from - 100);
  await page
    .getByRole('row')
    .filter({ hasText: 'From farm to cup, part two (2)' })
    .getByText('on hold')
    .waitFor();
});

it('draws the limit’s window, and resets within the visible range', async () => {
  const page = await pages.openScenario('running');
  await openTimeline(page);
  const legend = page.getByRole('main').locator('header');
  await legend.getByText('requests available again').waitFor();
  await expect.poll(() => page.locator('.background .reset').count()).toBe(1);
  const [window, reset] = [
    await page.locator('.background .window').boundingBox(),
    await page.locator('.background .reset').boundingBox(),
  ];
  expect(Math.abs((window?.x ?? 0) + (window?.width ?? 0) - (reset?.x ?? 0))).toBeLessThan(2);
  await expect.poll(() => legend.getByText('quota resets').count()).toBe(0);
});

it('names a moment once at which the limit and the quota both reset', async () => {
  const page = await pages.openScenario('limits-together');
  await openTimeline(page);
  await page.getByText('Latte art for beginners', { exact: true }).waitFor();
  await expect.poll(() => page.locator('.background .reset').count()).toBe(2);
  await expect.poll(() => page.locator('.axis .reset').count()).toBe(1);
});

it('moves a bar when its forecast changes', async () => {
  const page = await pages.openScenario('running');
  await openTimeline(page);
  const title = 'Behind the bar: Ana (2)';
  await page.getByText(title, { exact: true }).waitFor();
  const before = await wayOf(page, title);
  await page.evaluate(() => {
    const later = window.now + 90 * 60_000;
    window.engine.change(['job-18'], {
      forecast: { sendAt: later, readyAt: later + 120_000, savedAt: later + 180_000 },
    });
  });
  await expect.poll(async () => (await wayOf(page, title)).from).toBeGreaterThan(before.from + 50);
});

it('opens the details of a video by keyboard', async () => {
  const page = await pages.openScenario('running');
  await openTimeline(page);
  await page.getByRole('row').getByText('The new house blend', { exact: true }).waitFor();
  await page.getByRole('grid', { name: 'Plan, one line per video' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page
    .getByRole('region', { name: 'Details' })
    .getByRole('heading', { name: 'The new house blend' })
    .waitFor();
});

it('offers to add videos while nothing is planned', async () => {
  const page = await pages.openScenario('empty');
  await page.keyboard.press('2');
  await page.getByText('Nothing is planned').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Add videos' }).click();
  await page.getByText('Drop a spreadsheet').waitFor();
});
