import { expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { ARE_USUAL } from '../../rigs/page-scenarios/slow-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

/** These tests run in order: each looks at what the one before has left. */
const pages = useScenarioPages();

const documentOf = (page: Page) => page.evaluate(() => performance.timeOrigin);

let former: number;

it('shows a scenario', async () => {
  const page = await pages.openScenario('running');
  former = await documentOf(page);
  await page.getByRole('row').nth(1).click();
  await page.keyboard.press('6');
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.keyboard.press('Control+K');
  await page.getByRole('dialog').waitFor();
  await page.evaluate(() => {
    window.now += 3_600_000;
  });
});

it('shows another scenario without anything of the first, in the same document', async () => {
  const page = await pages.openScenario('empty');
  // Slow pages get a new one each.
  expect((await documentOf(page)) === former).toBe(ARE_USUAL);
  expect(await page.locator('html').getAttribute('data-theme')).toBe('system');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('row').count()).toBe(0);
  expect(await page.locator('body').getAttribute('style')).toBeNull();
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  await page.keyboard.press('Tab');
  const first = 'a, button, input, [tabindex="0"]';
  const isFirst = await page
    .locator(first)
    .first()
    .evaluate((it) => it === document.activeElement);
  expect(isFirst).toBe(true);
  await page.reload();
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  expect(await page.getByRole('row').count()).toBe(0);
  await page.evaluate(() => {
    Notification.requestPermission = () => Promise.resolve('denied');
  });
  former = await documentOf(page);
});

it('opens a new document after a test that changed what the app does not own', async () => {
  const page = await pages.openScenario('running');
  expect(await documentOf(page)).not.toBe(former);
  expect(await page.evaluate(() => Notification.requestPermission())).not.toBe('denied');
});
