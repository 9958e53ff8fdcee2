import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { stopClock } from '../../rigs/page-scenarios/scenario-pages.ts';
import {
  showInOrder,
  TALL,
  useScenarioPages,
} from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

/** How often the page has made a call to its engine. */
const callCount = (page: Page, name: string): Promise<number> =>
  page.evaluate(
    (wanted) => window.engine.calls.filter((call) => call.name === wanted).length,
    name,
  );

/** Saves a video of the scene `running` and waits until the page shows that. */
async function saveOne(page: Page, id: string, title: RegExp): Promise<void> {
  await page.evaluate((job) => {
    window.engine.change([job], { state: 'done', progress: null });
  }, id);
  await expect.poll(() => page.title()).toMatch(title);
}

describe('opening a view', () => {
  it('reads its data again each time', async () => {
    const page = await pages.openScenario('running');
    const views = [
      ['2', ['jobs.list']],
      ['3', ['jobs.list']],
      ['4', ['activity.list']],
      ['5', ['quota.days']],
      ['6', ['settings.get', 'profile.get']],
      ['1', ['jobs.list']],
    ] as const;
    for (const visit of [1, 2]) {
      for (const [key, calls] of views) {
        await page.evaluate(() => window.engine.calls.splice(0));
        await page.keyboard.press(key);
        for (const call of calls) {
          await expect
            .poll(() => callCount(page, call), { message: `${key}, ${visit}` })
            .toBeGreaterThan(0);
        }
      }
    }
  });

  it('reads the response mapping again when its editor opens', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('6');
    const edit = page.locator('#settings-answers').getByRole('button');
    await edit.waitFor();
    await expect.poll(() => callCount(page, 'profile.get')).toBe(1);
    await edit.click();
    await expect.poll(() => callCount(page, 'profile.get')).toBe(2);
  });

  it('shows what changed while another view was open', async () => {
    const page = await pages.openScenario('running', TALL);
    await showInOrder(page);
    const row = page.getByRole('row').filter({ hasText: 'Gift cards are here' }).first();
    await row.getByText(/^rendering/).waitFor();
    await page.keyboard.press('5');
    await saveOne(page, 'job-11', /^6 of /);
    await page.keyboard.press('1');
    await row.getByText(/^saved/).waitFor();
  });
});

describe('a view that stays open', () => {
  it('is not read again with each update', async () => {
    const page = await pages.openScenario('running');
    for (const [key, call, job] of [
      ['1', 'jobs.list', 11],
      ['5', 'quota.days', 12],
      ['6', 'settings.get', 13],
    ] as const) {
      // From a view whose data the next one does not read.
      await page.keyboard.press('4');
      await page.evaluate(() => window.engine.calls.splice(0));
      await page.keyboard.press(key);
      await expect.poll(() => callCount(page, call)).toBeGreaterThan(0);
      await saveOne(page, `job-${job}`, new RegExp(`^${job - 5} of `));
      const before = await callCount(page, call);
      await page.evaluate((id) => {
        window.engine.change([id], { attempts: 2 });
        window.engine.change([id], { attempts: 3 });
      }, `job-${job}`);
      await page.evaluate(() =>
        window.engine.client.key.label({ origin: 'https://video.example.com', label: 'Studio' }),
      );
      expect(await callCount(page, call), key).toBe(before);
    }
    expect(await callCount(page, 'profile.get')).toBe(1);
  });

  it('reads the response mapping of another service', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('6');
    await page.locator('#settings-answers').getByRole('button').waitFor();
    await expect.poll(() => callCount(page, 'profile.get')).toBe(1);
    // A change by another window.
    await page.evaluate(() =>
      window.engine.client.settings.set({
        service: { kind: 'remote', baseUrl: 'https://other.example.com', ca: null },
      }),
    );
    await expect.poll(() => callCount(page, 'profile.get')).toBe(2);
  });

  it('stops reading once it is closed: activity', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('4');
    await page.getByRole('grid').waitFor();
    await stopClock(page);
    await saveOne(page, 'job-11', /^6 of /);
    const before = await callCount(page, 'activity.list');
    await page.clock.runFor(10_000);
    await expect.poll(() => callCount(page, 'activity.list')).toBeGreaterThan(before);

    const after = await callCount(page, 'activity.list');
    await saveOne(page, 'job-12', /^7 of /);
    await page.keyboard.press('1');
    await page.getByRole('heading', { name: 'Activity' }).waitFor({ state: 'detached' });
    await page.clock.runFor(10_000);
    expect(await callCount(page, 'activity.list')).toBe(after);
  });
});

it('details move between a pane and a sheet with the width of the window', async () => {
  const page = await pages.openScenario('running');
  await page.getByText('Latte art for beginners', { exact: true }).click();
  await page.getByRole('region', { name: 'Details' }).waitFor();
  await page.setViewportSize({ width: 1099, height: 800 });
  await page.getByRole('dialog', { name: 'Details' }).waitFor();
  await expect.poll(() => page.getByRole('region', { name: 'Details' }).count()).toBe(0);
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.getByRole('region', { name: 'Details' }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

it('a message that follows the last one too soon is announced later', async () => {
  const page = await pages.openScenario('running');
  const message = page.locator('p[role=status]');
  await saveOne(page, 'job-6', /^6 of /);
  await expect.poll(() => message.textContent()).toMatch(/^6 of 118/);
  await saveOne(page, 'job-7', /^7 of /);
  expect(await message.textContent()).toMatch(/^6 of 118/);
  await page.evaluate(() => {
    window.now += 30_000;
  });
  await expect.poll(() => message.textContent()).toMatch(/^7 of 118/);
});

describe('editing a request', () => {
  const EDIT = { name: 'Edit before it is sent' };

  it('starts with the job’s values each time', async () => {
    const page = await pages.openScenario('running', TALL);
    const form = page.getByRole('dialog', EDIT);
    const title = form.getByLabel('Title (required)');
    await page.getByText('Behind the bar: Ana (2)', { exact: true }).click();
    await page.keyboard.press('e');
    await form.getByLabel('Length in seconds').fill('long');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('“long” is not a number', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    await page.getByText('A bag a month (2)', { exact: true }).first().click();
    await page.keyboard.press('e');
    await expect.poll(() => title.inputValue()).toBe('A bag a month (2)');
    await expect.poll(() => form.getByLabel('Length in seconds').inputValue()).toBe('12');
    await expect.poll(() => form.getByText('“long”').count()).toBe(0);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });

    // The page accepts mouse and keyboard again.
    await page.getByText('Behind the bar: Ana (2)', { exact: true }).click();
    await page.keyboard.press('e');
    await expect.poll(() => title.inputValue()).toBe('Behind the bar: Ana (2)');
  });
});
