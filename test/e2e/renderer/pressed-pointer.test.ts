import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import { commandsOf, stopClock } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages, TALL } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();
const TITLE = 'From farm to cup, part one';

const titleOf = (page: Page) => page.getByRole('grid').getByText(TITLE, { exact: true });

async function press(page: Page): Promise<{ x: number; y: number }> {
  const { x, y, width, height } = (await titleOf(page).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  return { x, y };
}

const selectedRow = (page: Page) => page.getByRole('row', { selected: true }).innerText();

interface BannerCase {
  readonly what: string;
  readonly scene?: ScenarioName;
  readonly change: (page: Page) => Promise<unknown>;
  readonly text: string;
  /** Whether the text is shown before the change, or after it. */
  readonly when: 'before' | 'after';
}

const BANNERS: readonly BannerCase[] = [
  {
    what: 'another process runs the queue',
    change: (page) =>
      page.evaluate(() =>
        window.engine.worker.set({ kind: 'elsewhere', pid: 4711, answers: true }),
      ),
    text: 'Another Spool is running this queue',
    when: 'after',
  },
  {
    what: 'the service answers again',
    scene: 'unreachable',
    change: (page) => page.evaluate(() => window.engine.client.service.tryNow()),
    text: 'The service cannot be reached',
    when: 'before',
  },
  {
    what: 'the connection is lost',
    async change(page) {
      await page.evaluate(() => {
        window.engine.connected = false;
      });
      // The page asks its host why; this later request is answered after that one.
      await page.evaluate(() => fetch('/', { method: 'HEAD' }));
    },
    text: 'Not connected to Spool',
    when: 'after',
  },
];

describe('a pressed row', () => {
  it.each(BANNERS)('stays in place and is opened although $what', async (banner) => {
    const { scene = 'running', change, text, when } = banner;
    const page = await pages.openScenario(scene, TALL);
    const notice = page.getByRole('status').getByText(text);
    const shown = { before: when === 'before' ? 1 : 0, after: when === 'after' ? 1 : 0 };
    await expect.poll(() => notice.count()).toBe(shown.before);
    const place = await press(page);
    await change(page);
    expect(await titleOf(page).boundingBox()).toMatchObject(place);
    await page.mouse.up();
    await expect.poll(() => selectedRow(page)).toContain(TITLE);
    await expect.poll(() => notice.count()).toBe(shown.after);
  });

  it.each([
    { what: 'leave the list', changedFirst: false },
    { what: 'that have left the list are taken out', changedFirst: true },
  ])('stays in place while rows above it $what', async ({ changedFirst }) => {
    const page = await pages.openScenario('running', TALL);
    await page.locator('label').filter({ hasText: 'Open' }).click();
    await expect
      .poll(() => page.getByRole('row').nth(1).innerText())
      .toMatch(/The new house blend/);
    await stopClock(page);
    const saveTwo = () =>
      page.evaluate(() => {
        window.engine.change(['job-6', 'job-7'], { state: 'done' });
      });
    // A list is read again some time after rows have left it.
    if (changedFirst) await saveTwo();
    const place = await press(page);
    if (!changedFirst) await saveTwo();
    await page.clock.runFor(1000);
    expect(await titleOf(page).boundingBox()).toMatchObject(place);
    await page.mouse.up();
    await page.clock.runFor(1000);
    await expect.poll(() => selectedRow(page)).toContain(TITLE);
    await expect.poll(async () => (await titleOf(page).boundingBox())?.y).toBe(place.y - 72);
  });

  it('is opened although scrolling ends meanwhile', async () => {
    const page = await pages.openScenario('running');
    await stopClock(page);
    await page.getByRole('grid').press('End');
    const title = page.getByText('From farm to cup, part two (8)', { exact: true });
    await title.waitFor();
    // In one call, and not by `hover`: between two calls an element may be reused for another row.
    const { x, y } = await title.evaluate((element) => element.getBoundingClientRect());
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    expect(await page.locator('[role="rowgroup"].moves').count()).toBe(1);
    await page.clock.runFor(1000);
    expect(await page.locator('[role="rowgroup"].moves').count()).toBe(0);
    await page.mouse.up();
    await page.clock.runFor(1000);
    await expect.poll(() => selectedRow(page)).toContain('From farm to cup, part two (8)');
  });

  it('is the one that is dragged, although the table scrolls before the pointer moves', async () => {
    const page = await pages.openScenario('running', TALL);
    const title = (name: string) => page.getByText(name, { exact: true });
    await title('The new house blend (2)').hover();
    const { y } = (await title('The new house blend (2)').boundingBox())!;
    await page.mouse.down();
    await page.getByRole('grid').evaluate((table) => table.scrollBy(0, 72));
    await expect
      .poll(async () => (await title('The new house blend (2)').boundingBox())?.y)
      .toBe(y - 72);
    const target = page.getByRole('row').filter({ has: title('Why we roast on Tuesdays (2)') });
    const place = (await target.boundingBox())!;
    await expect
      .poll(async () => {
        // A drag reacts to moves only.
        await page.mouse.move(place.x + 100, place.y + 3);
        await page.mouse.move(place.x + 100, place.y + 4);
        return target.and(page.locator('.gap-above')).count();
      })
      .toBe(1);
    await page.mouse.up();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.move', input: { ids: ['job-20'], before: 'job-22' } }]);
  });

  it('stops blocking updates after 10 s if the page receives no release', async () => {
    const page = await pages.openScenario('running', TALL);
    await stopClock(page);
    await titleOf(page).dispatchEvent('pointerdown');
    await page.evaluate(() =>
      window.engine.worker.set({ kind: 'elsewhere', pid: 1, answers: true }),
    );
    const notice = page.getByText('Another Spool is running this queue');
    await page.clock.runFor(9000);
    expect(await notice.count()).toBe(0);
    await page.clock.runFor(1000);
    await notice.waitFor();
  });
});

it('a pressed button of the details is clicked although its video changes state', async () => {
  const page = await pages.openScenario('running', TALL);
  await page.getByText('Behind the bar: Ana (2)', { exact: true }).click();
  const edit = page.getByRole('region').getByRole('button', { name: 'Edit' });
  await edit.hover();
  await page.mouse.down();
  await page.evaluate(() => {
    window.engine.change(['job-18'], { state: 'submitted' });
  });
  await page.mouse.up();
  await page.getByRole('dialog', { name: 'Edit before it is sent' }).waitFor();
  await expect.poll(() => edit.count()).toBe(0);
});
