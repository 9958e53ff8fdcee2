import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { commandsOf, stopClock } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';
import { encodeVideo } from '../../rigs/test-video.ts';

const pages = useScenarioPages();

async function openShelf(scene: 'shelf' | 'empty' | 'finished' | 'many' = 'shelf'): Promise<Page> {
  const page = await pages.openScenario(scene);
  await page.keyboard.press('3');
  await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor();
  return page;
}

const named = async (page: Page) =>
  (await commandsOf(page)).filter(({ name }) => name !== 'computer.abilities');

const focusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

describe('saved videos', () => {
  it('hide the label of the search field visually', async () => {
    const page = await openShelf();
    const label = page.getByRole('main').locator('label', { hasText: 'Search titles' });
    await expect.poll(async () => (await label.boundingBox())?.height).toBeLessThanOrEqual(1);
  });

  it('have their search field at the edge of the view, also below the title', async () => {
    for (const locale of ['en-GB', 'de-DE']) {
      const viewport = { width: 900, height: 700 };
      const page = await pages.openScenario('shelf', { locale, viewport });
      await page.keyboard.press('3');
      const search = page.getByRole('main').getByRole('searchbox');
      await search.waitFor();
      await expect
        .poll(() =>
          search.evaluate((input) => {
            const header = input.closest('header')?.getBoundingClientRect();
            const field = input.parentElement?.getBoundingClientRect();
            return Math.round((header?.right ?? 0) - (field?.right ?? 0));
          }),
        )
        .toBe(16);
    }
  });

  it('are under the name of their batch, and sorted by what is chosen', async () => {
    const page = await pages.openScenario('two-batches');
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Teasers 6 videos' }).waitFor();
    const titles = () =>
      page.getByRole('list', { name: 'Saved videos' }).locator('.title').allTextContents();
    await expect.poll(async () => (await titles())[0]).toBe('Opening hours, summer');
    await page.getByRole('button', { name: 'Order' }).click();
    await page.getByRole('menuitem', { name: 'Largest first' }).click();
    await expect.poll(async () => (await titles())[0]).toBe('Grinder settings explained');
    await expect.poll(() => page.getByRole('heading', { name: 'Teasers' }).count()).toBe(0);
  });

  it('play without sound while the pointer rests on one', async () => {
    const page = await openShelf();
    const card = page.getByRole('button', { name: 'Play Meet the roasters', exact: true });
    await card.hover();
    const video = card.locator('video');
    await video.waitFor({ state: 'attached' });
    expect(await video.evaluate((element: HTMLVideoElement) => element.muted)).toBe(true);
    await page.mouse.move(0, 0);
    await video.waitFor({ state: 'detached' });
  });

  it('follow each other in the player by arrow keys', async () => {
    const page = await openShelf();
    const card = page.getByRole('button', { name: 'Play Meet the roasters', exact: true });
    await card.focus();
    await page.keyboard.press('Space');
    await page.getByRole('dialog', { name: 'Meet the roasters' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Cold brew in six steps' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog', { name: 'Meet the roasters' }).waitFor();
  });

  it('are rendered again with a change in the form of a video that has their values', async () => {
    const page = await openShelf();
    await page.getByRole('button', { name: 'Actions for Meet the roasters' }).click();
    await page.getByRole('menuitem', { name: 'Render again with a change…' }).click();
    const form = page.getByRole('form');
    await expect
      .poll(() => form.getByRole('textbox').first().inputValue())
      .toBe('Meet the roasters');
  });

  it('are shown as posters, which stay while a video plays', async () => {
    const page = await openShelf();
    const shelf = page.getByRole('list', { name: 'Saved videos' });
    await page.waitForFunction(() => document.querySelector('img')?.naturalWidth === 284);
    const card = shelf.getByRole('button', { name: 'Play Meet the roasters', exact: true });
    await card.click();
    const player = page.getByRole('dialog', { name: 'Meet the roasters' });
    await expect.poll(() => player.locator('video').getAttribute('src')).toBe('/saved/job-1');
    expect(await card.locator('img').count()).toBe(1);
    await page.keyboard.press('Escape');
    await player.waitFor({ state: 'detached' });
    await expect
      .poll(() => card.evaluate((element) => element === document.activeElement))
      .toBe(true);
  });

  it.each([
    { shape: 'portrait', width: 360, height: 640 },
    { shape: 'landscape', width: 640, height: 360 },
  ])('play a $shape video large, uncropped and in its aspect ratio', async ({ width, height }) => {
    const file = encodeVideo(width, height);
    const page = await openShelf();
    await page.route('**/saved/**', (route) => route.fulfill({ path: file }));
    await page.getByRole('button', { name: 'Play Meet the roasters', exact: true }).click();
    const video = page.locator('video');
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.videoHeight))
      .toBe(height);
    await expect
      .poll(async () => {
        const { width: across, height: down } = (await video.boundingBox())!;
        return across / down;
      })
      .toBeCloseTo(width / height, 2);
    const shown = (await video.boundingBox())!;
    expect(Math.max(shown.width / 1280, shown.height / 800)).toBeGreaterThan(0.7);
    expect(shown.y).toBeGreaterThanOrEqual(0);
    expect(shown.y + shown.height).toBeLessThanOrEqual(800);
    expect(await video.getAttribute('controls')).not.toBeNull();
    // The player has the focus: Space pauses and plays.
    const isPaused = () => video.evaluate((element: HTMLVideoElement) => element.paused);
    await video.evaluate((element: HTMLVideoElement) => (element.loop = true));
    await video.evaluate((element: HTMLVideoElement) => element.play());
    await page.keyboard.press('Space');
    await expect.poll(isPaused).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(isPaused).toBe(false);
  });

  it('close the player when the file goes missing', async () => {
    const page = await openShelf();
    await page.getByRole('button', { name: 'Play Meet the roasters', exact: true }).click();
    const player = page.getByRole('dialog', { name: 'Meet the roasters' });
    await player.waitFor();
    await page.evaluate(() => {
      window.engine.change(['job-1'], { state: 'missing' });
    });
    await player.waitFor({ state: 'detached' });
  });

  it('can be browsed with the arrow keys', async () => {
    const page = await openShelf();
    await page.getByRole('button', { name: 'Play Opening hours, summer', exact: true }).focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press(key);
    }
    // The first of the second row.
    await expect.poll(() => focusedLabel(page)).toBe('Play A bag a month');
    await page.keyboard.press('End');
    await expect.poll(() => focusedLabel(page)).toBe('Play What “single origin” means');
  });

  it('can be shown in their folder, opened and downloaded again', async () => {
    const page = await openShelf();
    await page.getByRole('button', { name: 'Actions for Meet the roasters' }).click();
    await page.getByRole('menuitem', { name: /^Show in folder/ }).click();
    await page.getByText('A bag a month', { exact: true }).click();
    await page.keyboard.press('o');
    await page.getByRole('button', { name: 'The new house blend, file missing' }).click();
    await page.keyboard.press('r');
    await page.getByText('1 video queued to download again').waitFor();
    await expect
      .poll(async () => (await named(page)).map(({ name, input }) => [name, input]))
      .toEqual([
        ['computer.showFile', { id: 'job-1' }],
        ['computer.openFile', { id: 'job-4' }],
        ['jobs.downloadAgain', { ids: ['job-5'] }],
      ]);
  });

  it('stay in place while they are downloaded again, and cannot be played meanwhile', async () => {
    const page = await openShelf();
    await page.evaluate(() => {
      window.engine.change(['job-1'], { state: 'downloading', file: null, savedAt: null });
    });
    const card = page.getByRole('button', { name: 'Meet the roasters, downloading' });
    await card.waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Play Meet the roasters' }).count())
      .toBe(0);
    // The list is read again when the view is opened.
    await page.keyboard.press('1');
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await page.keyboard.press('3');
    await card.waitFor();
    await expect.poll(() => page.locator('main li').count()).toBe(15);
  });

  it('can be verified, and damaged ones are marked and can be filtered', async () => {
    const page = await openShelf();
    await stopClock(page);
    await page.getByRole('button', { name: 'Verify all' }).click();
    await page.getByRole('progressbar', { name: 'Verifying files' }).waitFor();
    await page.clock.resume();
    await page.getByText('1 of 15 files is missing or damaged').waitFor();
    await page.getByRole('button', { name: 'Meet the roasters, file damaged' }).waitFor();
    await page.locator('label').filter({ hasText: 'Missing or damaged' }).click();
    await page.waitForFunction(() => document.querySelectorAll('main li').length === 2);
  });

  it('can be renamed by a template with a preview, by keyboard alone', async () => {
    const page = await openShelf();
    await page.getByRole('button', { name: 'Play Meet the roasters', exact: true }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog', { name: 'Rename 15 files' });
    const names = dialog.getByLabel('Names', { exact: true });
    await expect.poll(() => names.inputValue()).toBe('{row} {title}');
    await names.fill('Clips/');
    await dialog.getByRole('button', { name: '{title}' }).click();
    await dialog
      .getByRole('listitem')
      .filter({ hasText: /02 Meet the roasters\.mp4\s*→\s*Clips\/Meet the roasters\.mp4/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByText('14 files renamed, 1 keeps its name').waitFor();
    await dialog.getByText('The new house blend Its file is missing.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedLabel(page)).toBe('Play Meet the roasters');
    const [renamed] = (await named(page)).filter(({ name }) => name === 'files.rename');
    expect(renamed?.input).toMatchObject({ nameTemplate: 'Clips/{title}' });
    await page.locator('label').filter({ hasText: 'List' }).click();
    await page.getByRole('row').filter({ hasText: 'Meet the roasters.mp4' }).waitFor();
  });

  it('can be shown as a list, which the page remembers', async () => {
    const page = await openShelf();
    await page.locator('label').filter({ hasText: 'List' }).click();
    const row = page.getByRole('row').filter({ hasText: 'The new house blend' });
    await row.getByText('file missing').waitFor();
    await page.reload();
    // Shortcuts work once the page shows a view.
    await page.locator('main h1').waitFor({ state: 'attached' });
    await page.keyboard.press('3');
    await row.waitFor();
  });

  it('show a hint while there are none', async () => {
    const page = await openShelf('empty');
    await page.getByText('Finished videos appear here').waitFor();
  });

  it('are in the archive once all are archived, where one can be rendered again', async () => {
    const page = await openShelf('finished');
    await page
      .getByRole('button', { name: /^Play / })
      .first()
      .focus();
    await page.keyboard.press('Control+A');
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('button', { name: 'Show the archive' }).click();
    await page.getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Render again with a change…' }).click();
    await expect.poll(() => page.getByLabel('Title').first().inputValue()).not.toBe('');
  });
});
