import type { ElementHandle, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { joinMessages, userMessage } from '../../../src/contract/user-message.ts';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import {
  showInOrder,
  TALL,
  useScenarioPages,
} from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

const row = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });
const details = (page: Page) => page.getByRole('region', { name: 'Details' });

/** Presses the pointer on one row and moves it over another, where it stays pressed. */
async function dragOver(page: Page, title: string, over: string): Promise<void> {
  await row(page, title).hover();
  await page.mouse.down();
  const { x, y } = (await row(page, over).boundingBox())!;
  await page.mouse.move(x + 100, y + 4, { steps: 5 });
}

/** Moves the pressed pointer to a row's upper edge until the drop marker above it is drawn. */
async function moveUntilDrawn(page: Page, target: Locator): Promise<void> {
  const { x, y } = (await target.boundingBox())!;
  await expect
    .poll(async () => {
      // A drag reacts to moves only.
      await page.mouse.move(x + 100, y + 3);
      await page.mouse.move(x + 100, y + 4);
      return target.and(page.locator('.gap-above')).count();
    })
    .toBe(1);
}

const areKept = (elements: readonly ElementHandle[]): Promise<boolean[]> =>
  Promise.all(elements.map((element) => element.evaluate(({ isConnected }) => isConnected)));

describe('the queue', () => {
  it('shows each row’s state, progress and next step', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    await expect
      .poll(() => row(page, 'Opening hours, summer').textContent())
      .toMatch(/saved.*ago.*18\.4 MB/s);
    await expect
      .poll(() => row(page, 'Latte art for beginners').textContent())
      .toMatch(/rendering.*%.*saved in/s);
    await expect
      .poll(() => row(page, 'The new house blend').textContent())
      .toMatch(/uncertain.*needs attention/s);
    await expect.poll(() => page.getByText('5 of 118 saved').count()).toBe(1);
  });

  it('archives finished batches by one key, and puts a video back from its details', async () => {
    const page = await pages.openScenario('finished');
    await row(page, 'A bag a month').waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => page.getByText('6 videos archived').count()).toBe(1);
    await expect.poll(() => row(page, 'A bag a month').count()).toBe(0);
    await expect
      .poll(() => page.getByRole('button', { name: 'Archive finished batches' }).count())
      .toBe(0);
    await page.getByRole('main').getByRole('button', { name: 'Add videos' }).nth(1).waitFor();

    await page.getByRole('searchbox').fill('a bag');
    await page.getByRole('button', { name: 'Search the archive' }).click();
    await row(page, 'A bag a month').click();
    await details(page).getByRole('button', { name: 'Put back' }).click();
    await expect.poll(() => row(page, 'A bag a month').count()).toBe(0);
    await page.getByText('All', { exact: true }).click();
    await expect.poll(() => row(page, 'A bag a month').count()).toBe(1);
  });

  it.each([
    ['en-GB', '2 videos have no file', '1 × The service refused the request · 1 × held'],
    [
      'de-DE',
      '2 Videos haben keine Datei',
      '1 × Der Dienst hat die Anfrage abgelehnt · 1 × zurückgestellt',
    ],
  ])('says why videos of a batch that has ended have no file: %s', async (locale, ...words) => {
    const page = await pages.openScenario('refused', { locale });
    const notice = page.locator('.notice').filter({ hasText: words[0] });
    await expect.poll(() => notice.textContent()).toContain(words[1]);
    await expect.poll(() => notice.textContent()).toContain('accent must be a colour');
  });

  it('lists all batches by name once they are finished, and goes on by keys', async () => {
    const page = await pages.openScenario('two-batches', TALL);
    await page.evaluate(() => {
      const ids = Array.from({ length: 12 }, (_, index) => `job-${index}`);
      window.engine.change(ids, { state: 'done', progress: null });
    });
    const names = () => page.getByRole('rowgroup').getByRole('row').allInnerTexts();
    await expect
      .poll(async () => (await names()).map((name) => name.trim().split('\n')[0]))
      .toEqual(['Finished', 'Launch week', 'Teasers']);
    // The filter keeps the focus.
    await page.getByText('Archived', { exact: true }).click();
    await page.getByText('Nothing archived yet').waitFor();
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor();
  });

  it('puts work first, and folds finished batches to a line that Clear archives', async () => {
    const page = await pages.openScenario('two-batches');
    const heading = (name: string | RegExp) => page.getByRole('row', { name });
    await heading(/^Now 4$/).waitFor();
    await heading(/^Next \d+$/).waitFor();
    // The finished batch is one line with its total; its rows appear by one click.
    const batch = heading(/Teasers 6 saved/);
    await batch.waitFor();
    expect(await row(page, 'Opening hours, summer').count()).toBe(0);
    await batch.click();
    await row(page, 'Opening hours, summer').waitFor();
    await batch.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('6 videos archived').waitFor();
    await expect.poll(() => batch.count()).toBe(0);
  });

  it('says once how many of a batch are saved', async () => {
    const page = await pages.openScenario('running');
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /^Launch week 5 saved/ }).waitFor();
    expect(await page.getByText('5 of 118 saved').count()).toBe(1);
  });

  it('has the actions on several videos in five buttons and a menu', async () => {
    const page = await pages.openScenario('running');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    const bar = page.locator('.bar').filter({ hasText: '111 selected' });
    await bar.getByRole('button', { name: 'More' }).click();
    const offered = page.getByRole('menuitem');
    for (const name of ['Verify', 'Rename', 'Archive', 'Remove', 'Move to the end'])
      await offered.filter({ hasText: name }).waitFor();
    await page.keyboard.press('Escape');
    await offered.first().waitFor({ state: 'detached' });
    const names = await bar.getByRole('button').allTextContents();
    const buttons = ['Edit', 'Hold', 'Release', 'Retry', 'Cancel', 'More', ''];
    expect(names.map((name) => name.trim())).toEqual(buttons);
  });

  it('removes several videos from the menu, not where Cancel was under the pointer', async () => {
    const page = await pages.openScenario('finished');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    const bar = page.locator('.bar').filter({ hasText: 'selected' });
    await bar.getByRole('button', { name: 'Archive' }).waitFor();
    expect(await bar.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).first().waitFor();
  });

  it('folds sections by keys, and passes headings when a selection is extended', async () => {
    const page = await pages.openScenario('two-batches');
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => row(page, 'Meet the roasters').count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await row(page, 'Meet the roasters').waitFor();
    // The last row of “Now”, then over the heading to the first row of “Next”.
    for (const key of ['ArrowDown', 'End', 'Home']) await page.keyboard.press(key);
    for (let line = 0; line < 4; line += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
  });

  it('shows a row with its videos as one line, which keys unfold and a command changes whole', async () => {
    const page = await pages.openScenario('rows');
    const line = page.getByRole('row', { name: /A bag a month 3 videos: 16:9, 9:16, 1:1/ });
    await line.click();
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowRight');
    const videos = page.getByRole('row', { name: 'A bag a month' });
    await expect.poll(() => videos.count()).toBe(3);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowLeft');
    await line.waitFor();
    const bar = page.locator('.bar').filter({ hasText: '3 selected' });
    await bar.getByRole('button', { name: 'Hold' }).click();
    await line.filter({ hasText: 'on hold' }).waitFor();
  });

  it('sorts by a column in both directions, and remembers order, columns and widths', async () => {
    const page = await pages.openScenario('running');
    const head = page.getByRole('columnheader', { name: 'Size' });
    const sizes = () => page.getByRole('row').nth(1).textContent();
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(sizes).toMatch(/73\.8 MB|saved/);
    await head.getByRole('button').click();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'When' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('columnheader', { name: 'When' }).count()).toBe(0);
    const state = page.getByRole('columnheader', { name: 'State', exact: true });
    const width = async () => (await state.boundingBox())?.width ?? 0;
    const before = await width();
    await state.getByRole('button').focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await expect.poll(width).toBe(before - 16);
    await page.reload();
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    expect(await page.getByRole('columnheader', { name: 'When' }).count()).toBe(0);
    expect(await width()).toBe(before - 16);
  });

  it('says nothing about files while videos of the batch are in work', async () => {
    const page = await pages.openScenario('running');
    await row(page, 'The new house blend').waitFor();
    await expect.poll(() => page.getByText('have no file').count()).toBe(0);
  });

  it.each([
    ['paused', /^paused$/, 'The queue is paused'],
    ['key', /^API key refused$/, 'The service refuses the API key'],
    ['quota', /^quota resets/, 'This month’s quota has no room for it'],
    ['unreachable', /^offline, retries in 2 min$/, 'The service does not answer'],
  ] as const)('says in every view why rows wait: %s', async (scene, words, sentence) => {
    const page = await pages.openScenario(scene, TALL);
    await showInOrder(page);
    const queued = page.getByRole('row').filter({ hasText: 'waiting' }).first();
    await queued.getByText(words).waitFor();
    await page.locator('main header').getByText(words).waitFor();
    await expect.poll(() => page.getByText('not this month').count()).toBe(0);
    await expect.poll(() => page.getByText('just now').count()).toBe(0);
    await queued.click();
    await details(page).getByText(sentence).waitFor();

    await page.getByRole('navigation').getByText('Timeline', { exact: true }).click();
    const planned = page.getByRole('row').filter({ hasText: 'waiting' }).first();
    await planned.getByText(words).waitFor();
  });

  it('keeps the notice of a refused key while the queue is paused', async () => {
    const page = await pages.openScenario('paused-key');
    await page.getByText('The service refuses the API key').first().waitFor();
    await page.getByRole('button', { name: 'Enter key' }).waitFor();
    await page.getByRole('contentinfo').getByText('Paused', { exact: true }).waitFor();
  });

  it('shows the batch column if there are several batches, and the file name in a wide window', async () => {
    const page = await pages.openScenario('many', { viewport: { width: 1600, height: 800 } });
    await showInOrder(page);
    const saved = row(page, 'Opening hours, summer');
    await saved.getByText('01 Opening hours, summer.mp4').waitFor();
    await saved.getByText('Launch week').waitFor();
    await page.getByRole('button', { name: 'Select a batch' }).click();
    await page.getByRole('menuitem', { name: /^Launch week/ }).click();
    await page.getByRole('columnheader', { name: 'Batch' }).waitFor({ state: 'detached' });
    const alone = await pages.openScenario('running');
    await expect.poll(() => alone.getByRole('columnheader', { name: 'Batch' }).count()).toBe(0);
  });

  it('shows the progress of unfinished batches in the page’s title', async () => {
    const page = await pages.openScenario('running');
    await expect.poll(() => page.title()).toMatch(/^5 of \d+ saved · Spool$/);
    await page.evaluate(() => {
      window.engine.change(['job-11'], { state: 'done', progress: null });
    });
    await expect.poll(() => page.title()).toMatch(/^6 of \d+ saved · Spool$/);
    const finished = await pages.openScenario('finished');
    await expect.poll(() => finished.title()).toBe('Spool');
  });

  it('updates rows as they change', async () => {
    const page = await pages.openScenario('running');
    await page.evaluate(() => {
      window.engine.change(['job-11'], { progress: { fraction: 0.987, estimated: false } });
    });
    await row(page, 'Gift cards are here').getByText('98 %').waitFor();
    await page.evaluate(() => {
      window.engine.change(['job-11'], { state: 'downloading', progress: null });
    });
    await row(page, 'Gift cards are here').getByText('downloading', { exact: true }).waitFor();
  });

  it('keeps at most 60 rows in the DOM, wherever it is scrolled to', async () => {
    const page = await pages.openScenario('many', { viewport: { width: 1440, height: 1700 } });
    await showInOrder(page);
    const grid = page.getByRole('grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100000');
    for (const share of [0, 0.5, 1]) {
      await grid.evaluate((scroller, to) => {
        scroller.scrollTop = to * scroller.scrollHeight;
      }, share);
      await page.waitForFunction(() => document.querySelectorAll('[role=row] svg').length > 20);
      await expect
        .poll(() => page.locator('[role=rowgroup] [role=row]').count())
        .toBeLessThanOrEqual(60);
    }
    await page.locator('[aria-rowindex="100000"]').waitFor();
  });

  it('reuses row elements while scrolling, and sorts them when scrolling ends', async () => {
    const page = await pages.openScenario('many');
    await page.locator('[aria-rowindex="2"] svg').waitFor();
    const body = page.getByRole('rowgroup');
    const before = await body.getByRole('row').elementHandles();
    await page.getByRole('grid').evaluate((grid) => {
      grid.scrollTop = 36 * 15;
    });
    await page.locator('[aria-rowindex="30"] svg').waitFor();
    expect(await areKept(before)).not.toContain(false);
    const indices = (): Promise<number[]> =>
      body
        .getByRole('row')
        .evaluateAll((rows) => rows.map((each) => Number(each.getAttribute('aria-rowindex'))));
    await expect
      .poll(async () => {
        const [first = 0, ...rest] = await indices();
        return first > 10 && rest.every((index, place) => index === first + place + 1);
      })
      .toBe(true);
  });

  it('shows what a search finds from its first row on, in the cells of the rows before', async () => {
    const page = await pages.openScenario('many');
    await showInOrder(page);
    const grid = page.getByRole('grid');
    await grid.evaluate((scroller) => {
      scroller.scrollTop = 36 * 5000;
    });
    const rows = page.getByRole('rowgroup').getByRole('row');
    await rows.last().locator('time').waitFor();
    const before = await rows.locator('.title').elementHandles();
    const words = await rows.locator('.title').allInnerTexts();
    await page.evaluate(() => {
      addEventListener('answer', window.engine.delay('jobs.list'), { once: true });
    });
    await page.getByRole('searchbox').fill('farm to cup');
    await page.locator('[role=grid][aria-busy=true]').waitFor();
    expect(await rows.locator('.title').allInnerTexts()).toEqual(words);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('h');
    expect(await commandsOf(page)).toEqual([]);
    await page.evaluate(() => dispatchEvent(new Event('answer')));
    await page.locator('[aria-rowindex="2"]').getByText('From farm to cup').waitFor();
    expect(await grid.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    expect(await areKept(before)).not.toContain(false);
  });

  it('reads the rows that a key jumps to into the cells of those before', async () => {
    const page = await pages.openScenario('many');
    await showInOrder(page);
    await page.getByRole('grid').evaluate((grid) => {
      grid.scrollTop = 36 * 1005;
    });
    const rows = page.getByRole('rowgroup').getByRole('row');
    await rows.last().locator('time').waitFor();
    const before = await rows.locator('.title, time').elementHandles();
    await page.evaluate(() => {
      const answer = window.engine.delay('jobs.list');
      addEventListener('answer', answer, { once: true });
    });
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await rows.last().and(page.locator('[aria-rowindex="100000"]')).waitFor();
    // Not the words of the rows before.
    expect(new Set(await rows.allInnerTexts())).toEqual(new Set(['Loading…']));
    await page.evaluate(() => dispatchEvent(new Event('answer')));
    await rows.last().getByText('From farm to cup, part one (6667)').waitFor();
    expect(before.length).toBeGreaterThan(30);
    expect(await areKept(before)).not.toContain(false);
  });

  it('can be used by keyboard alone', async () => {
    const page = await pages.openScenario('running');
    await page.getByRole('grid').focus();
    for (let press = 0; press < 19; press += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await details(page).getByRole('heading', { name: 'Behind the bar: Ana (2)' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await details(page).getByRole('heading', { name: 'A bag a month (2)' }).waitFor();
    await page.keyboard.press('h');
    await row(page, 'A bag a month (2)').getByText('held', { exact: true }).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name, input }) => [name, input]))
      .toEqual([
        ['jobs.hold', { ids: ['job-19'] }],
        ['jobs.move', { ids: ['job-19'], before: 'job-18' }],
      ]);
    await page.keyboard.press('Escape');
    await details(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('grid').evaluate((grid) => grid === document.activeElement))
      .toBe(true);
  });

  it('acts on several rows at once, and undoes it', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, 'Behind the bar: Ana (2)').click();
    // The details make the table narrower.
    await details(page).getByRole('heading', { name: 'Behind the bar: Ana (2)' }).waitFor();
    await row(page, 'The new house blend (2)').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
    // None of them was sent: that costs nothing, so there is no question.
    const log = page.getByRole('log');
    await log.getByText('3 videos cancelled', { exact: true }).waitFor();
    await row(page, 'Behind the bar: Ana (2)').getByText('cancelled').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+z');
    await log.getByText('Undone: 3 videos cancelled').waitFor();
    await row(page, 'Behind the bar: Ana (2)')
      .getByText('cancelled')
      .waitFor({ state: 'detached' });

    await page.keyboard.press('z');
    const history = page.getByRole('dialog', { name: 'Undo' });
    await history.getByText('3 videos cancelled').waitFor();
    await history.getByText('Undone', { exact: true }).waitFor();
  });

  it('selects all rows, including those that are not loaded', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('118 selected').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Hold' }).click();
    await page.getByText('94 videos held').waitFor();
    await expect.poll(() => page.getByText('could not be changed').count()).toBe(0);
  });

  it('asks only about the selected videos that a command applies to', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('118 selected').waitFor();
    await page.keyboard.press('r');
    const question = page.getByRole('dialog', { name: 'Retry 3 videos?' });
    await question.getByText('This costs up to 3 videos.').waitFor();
    await question.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3 videos queued again').waitFor();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([
        { name: 'jobs.retry', input: { ids: ['job-14', 'job-26', 'job-28'], payAgain: false } },
      ]);
  });

  it('says when a command applies to none of the selected videos', async () => {
    const page = await pages.openScenario('many');
    await showInOrder(page);
    await page.evaluate(() => {
      window.engine.change(['job-14', 'job-26', 'job-28'], { state: 'queued' });
    });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    // Their ids are read page by page, which takes a while on a slow engine.
    await page.getByText('99,999 selected').waitFor({ timeout: 120_000 });
    await page.keyboard.press('r');
    await page.getByText('“Retry” applies to none of the selected videos').waitFor();
    await expect.poll(() => commandsOf(page)).toEqual([]);
  });

  it('filters by “Needs attention”, and deselects rows that leave the list', async () => {
    const page = await pages.openScenario('running');
    await page.locator('label').filter({ hasText: 'Needs attention' }).click();
    await page.waitForFunction(
      () => document.querySelectorAll('[role=rowgroup] [role=row]').length === 4,
    );
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('4 selected').waitFor();
    await page.evaluate(() => {
      window.engine.change(['job-14', 'job-26'], { state: 'queued', failure: null });
    });
    await page.getByText('2 selected').waitFor();
    await page.evaluate(() => {
      window.engine.change(['job-5', 'job-27'], { state: 'queued', failure: null });
    });
    await page.getByText('Nothing needs attention').waitFor();
    await expect.poll(() => page.getByText(/\d selected/).count()).toBe(0);
    await page.keyboard.press('h');
    await expect.poll(() => commandsOf(page)).toEqual([]);
  });

  it('keeps the cursor on a row that is moved to either end', async () => {
    const page = await pages.openScenario('running', TALL);
    await showInOrder(page);
    const title = 'Behind the bar: Ana (2)';
    await row(page, title).click();
    const grid = page.getByRole('grid');
    await grid.focus();
    const cursor = (): Promise<[string | null, boolean]> =>
      grid.evaluate((table) => {
        const active = document.getElementById(table.getAttribute('aria-activedescendant') ?? '');
        const text = active?.textContent.includes('Behind the bar: Ana (2)') ?? false;
        return [active?.getAttribute('aria-rowindex') ?? null, text];
      });
    await page.keyboard.press('Alt+Home');
    await expect.poll(cursor).toEqual(['2', true]);
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(cursor).toEqual(['3', true]);
    await page.keyboard.press('Alt+End');
    await expect.poll(cursor).toEqual(['119', true]);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(cursor).toEqual(['118', true]);
  });

  it('moves a row by one position for each key press, however fast', async () => {
    const page = await pages.openScenario('running', TALL);
    await showInOrder(page);
    const title = 'Behind the bar: Ana (2)';
    await row(page, title).click();
    const place = (): Promise<string | null> => row(page, title).getAttribute('aria-rowindex');
    await expect.poll(place).toBe('20');
    const press = (key: string, times: number): Promise<void> =>
      page.getByRole('grid').evaluate(
        (grid, { key: pressed, times: count }) => {
          for (let nth = 0; nth < count; nth += 1) {
            grid.dispatchEvent(
              new KeyboardEvent('keydown', { key: pressed, altKey: true, bubbles: true }),
            );
          }
        },
        { key, times },
      );
    await press('ArrowUp', 6);
    await expect.poll(place).toBe('14');
    await press('ArrowDown', 3);
    await expect.poll(place).toBe('17');
  });

  it('moves rows by dragging', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, 'The new house blend (2)').dragTo(row(page, 'Behind the bar: Ana (2)'), {
      targetPosition: { x: 200, y: 4 },
    });
    await page.waitForFunction(() =>
      document.querySelector('[aria-rowindex="20"]')?.textContent.includes('house blend (2)'),
    );
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.move', input: { ids: ['job-20'], before: 'job-18' } }]);
  });

  it('shows no drop marker for a dragged row that was sent, and does not move it', async () => {
    const page = await pages.openScenario('running', TALL);
    await showInOrder(page);
    for (const title of ['Latte art for beginners', 'The new house blend', 'Meet the roasters']) {
      await dragOver(page, title, 'Behind the bar: Ana (2)');
      const drawn = page.locator('.gap-above, .gap-below, .moving');
      await expect.poll(() => drawn.count(), { message: title }).toBe(0);
      await page.mouse.up();
    }
    // A row that can be moved comes last, so that earlier commands would have arrived before its own.
    await row(page, 'The new house blend (2)').dragTo(row(page, 'Behind the bar: Ana (2)'), {
      targetPosition: { x: 200, y: 4 },
    });
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.move', input: { ids: ['job-20'], before: 'job-18' } }]);
  });

  it('drags only the selected rows that can be moved', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, 'Latte art for beginners').click();
    await row(page, 'Behind the bar: Ana (2)').click({ modifiers: ['Control'] });
    await row(page, 'The new house blend (2)').click({ modifiers: ['Control'] });
    await page.getByText('3 selected').waitFor();
    await row(page, 'The new house blend (2)').dragTo(row(page, 'Why we roast on Tuesdays (2)'), {
      targetPosition: { x: 200, y: 4 },
    });
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.move', input: { ids: ['job-18', 'job-20'], before: 'job-22' } }]);
  });

  it('moves the dragged row although the list changes meanwhile', async () => {
    const page = await pages.openScenario('running', TALL);
    await page.locator('label').filter({ hasText: 'Open' }).click();
    await row(page, 'Meet the roasters').waitFor({ state: 'detached' });
    const dragged = row(page, 'The new house blend (2)');
    const target = row(page, 'Behind the bar: Ana (2)');
    await dragOver(page, 'The new house blend (2)', 'Behind the bar: Ana (2)');
    await moveUntilDrawn(page, target);

    const place = async () => Number(await dragged.getAttribute('aria-rowindex'));
    const before = await place();
    await page.evaluate(() => {
      window.engine.change(['job-16', 'job-17'], { state: 'cancelled' });
    });
    await expect.poll(place).toBe(before - 2);
    await dragged.and(page.locator('.moving')).waitFor();

    await moveUntilDrawn(page, target);
    await page.mouse.up();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.move', input: { ids: ['job-20'], before: 'job-18' } }]);
  });

  it('drags saved files out of a list', async () => {
    const page = await pages.openScenario('shelf', TALL);
    await showInOrder(page);
    const isDraggable = (title: string) => row(page, title).getAttribute('draggable');
    await dragOver(page, 'Meet the roasters', 'Decaf, done properly');
    await page.mouse.up();
    await expect.poll(() => isDraggable('The new house blend')).toBe('false');
    await page.keyboard.press('3');
    await page.locator('label').filter({ hasText: 'List' }).click();
    await row(page, 'A bag a month').click();
    await row(page, 'Cold brew in six steps').click({ modifiers: ['Control'] });
    await expect.poll(() => isDraggable('The new house blend')).toBe('false');
    await dragOver(page, 'A bag a month', 'Decaf, done properly');
    await page.mouse.up();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([
        { name: 'computer.dragOut', input: { ids: ['job-1'] } },
        { name: 'computer.dragOut', input: { ids: ['job-4', 'job-2'] } },
      ]);
  });

  it('drags selected rows to the end', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    for (const key of ['End', 'ArrowUp', 'ArrowUp', 'Shift+ArrowUp']) {
      await page.getByRole('grid').press(key);
    }
    await page.getByText('2 selected').waitFor();
    // Once scrolling has ended, elements are not reused for other rows.
    await page.locator('[role="rowgroup"]:not(.moves)').waitFor();
    const last = row(page, 'Our first year in pictures (8)');
    const { height } = (await last.boundingBox())!;
    await row(page, 'From farm to cup, part two (8)').dragTo(last, {
      targetPosition: { x: 200, y: height - 4 },
    });
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.move', input: { ids: ['job-114', 'job-115'], before: null } }]);
  });

  it('retries all failed videos after one confirmation that states the cost', async () => {
    const page = await pages.openScenario('running');
    await page.locator('label').filter({ hasText: 'Needs attention' }).click();
    await page.getByRole('button', { name: 'Retry 2 videos' }).click();
    await page.getByRole('dialog').getByText('This costs up to 2 videos.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await page.getByText('2 videos queued again').waitFor();
  });

  it('focuses the search with a slash from anywhere', async () => {
    const page = await pages.openScenario('running');
    await page.getByLabel('Search titles').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('coffee');
    await page.getByText('No title contains “coffee”').waitFor();
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('ROASTERS');
    await row(page, 'Meet the roasters').waitFor();
    await expect.poll(() => page.locator('[role=rowgroup] [role=row]').count()).toBe(8);
  });

  // abuse.md 11
  it('plays a saved video above the queue, and the next one by an arrow key', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    await row(page, 'Opening hours, summer').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Play', exact: true }).click();
    await page.getByRole('dialog', { name: 'Opening hours, summer' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Meet the roasters' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Queue', exact: true }).waitFor();
  });

  it('shows HTML in a title as text', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    const title = '<img src=x onerror="document.title=1"><b>bold</b>';
    await page.evaluate((text) => {
      window.engine.change(['job-0'], { title: text });
    }, title);
    await row(page, title).click();
    await details(page).getByRole('heading', { name: title }).waitFor();
    await expect.poll(() => page.title()).toMatch(/ · Spool$/);
  });
});

it('cuts a search to the length that the engine accepts', async () => {
  const page = await pages.openScenario('running');
  for (const [digit, view] of [
    ['3', 'Saved'],
    ['4', 'Activity'],
    ['1', 'Queue'],
  ] as const) {
    await page.keyboard.press(digit);
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
    const search = page.getByLabel('Search titles');
    await search.fill('x'.repeat(201));
    expect((await search.inputValue()).length, view).toBe(200);
    await search.fill('');
    await search.blur();
  }
});

it('says when the path of a file could not be copied', async () => {
  const page = await pages.openScenario('running');
  await showInOrder(page);
  await page.evaluate(() => {
    const refuse = () => Promise.reject(new DOMException('', 'NotAllowedError'));
    Object.assign(navigator.clipboard, { writeText: refuse });
  });
  await row(page, 'Meet the roasters').click();
  await details(page).getByRole('button', { name: 'Copy path' }).click();
  await page.getByText('The path could not be copied').waitFor();
  await page.evaluate(() => Reflect.deleteProperty(navigator.clipboard, 'writeText'));
});

describe('an uncertain video', () => {
  it('offers choices, and does nothing until one is confirmed', async () => {
    const page = await pages.openScenario('running');
    await row(page, 'The new house blend').click();
    const confirm = details(page).getByRole('button', { name: 'Confirm' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await details(page).getByText('It was accepted', { exact: true }).click();
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await details(page).getByLabel('Video identifier').fill(' vid_77 ');
    await confirm.click();
    await row(page, 'The new house blend').getByText('accepted', { exact: true }).waitFor();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([
        {
          name: 'jobs.resolve',
          input: { id: 'job-5', attempts: 1, as: 'accepted', remoteId: 'vid_77' },
        },
      ]);
  });

  it('is sent again once, however often that is confirmed', async () => {
    const page = await pages.openScenario('running');
    await row(page, 'The new house blend').click();
    await details(page).getByText('Resend', { exact: true }).click();
    await page.evaluate(() => {
      addEventListener('release', window.engine.delay('jobs.resolve'), { once: true });
    });
    await details(page).getByRole('button', { name: 'Confirm' }).dblclick();
    await page.evaluate(() => dispatchEvent(new Event('release')));
    await row(page, 'The new house blend').getByText('waiting', { exact: true }).waitFor();
    expect((await commandsOf(page)).map(({ name }) => name)).toEqual(['jobs.resolve']);
    await expect.poll(() => page.getByRole('log').innerText()).toBe('');
  });
});

describe('a rendered video that could not be saved', () => {
  it('is downloaded again without a question, because that is free', async () => {
    const page = await pages.openScenario('running', TALL);
    await page.evaluate(
      (failure) => {
        window.engine.change(['job-14'], { failure });
      },
      { code: 'download-failed' as const, ...userMessage('target-busy') },
    );
    await row(page, 'What “single origin” means').click();
    await details(page).getByRole('button', { name: 'Download again' }).click();
    await page.getByText('1 video queued again').waitFor();
  });
});

describe('the question before a retry', () => {
  const title = 'What “single origin” means';
  const failures = {
    download: { code: 'download-failed' as const, ...userMessage('target-busy') },
    expired: { code: 'video-expired' as const, ...userMessage('video-deleted-there') },
  };
  const fail = (page: Page, id: string, what: keyof typeof failures): Promise<void> =>
    page.evaluate(([job, failure]) => window.engine.change([job], { failure }), [
      id,
      failures[what],
    ] as const);
  const retryAll = async (page: Page): Promise<Locator> => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('118 selected').waitFor();
    await page.keyboard.press('r');
    return page.getByRole('dialog', { name: 'Retry 3 videos?' });
  };

  it('is not asked about a download, which is free', async () => {
    const page = await pages.openScenario('running', TALL);
    await fail(page, 'job-14', 'download');
    await row(page, title).click();
    await page.keyboard.press('r');
    await page.getByText('1 video queued again').waitFor();
    await row(page, title).getByText('ready', { exact: true }).waitFor();
    expect(await page.getByRole('dialog', { name: /Retry/ }).count()).toBe(0);
  });

  it('distinguishes free actions from those that cost', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    await fail(page, 'job-14', 'download');
    const question = await retryAll(page);
    await question.getByText('1 video is downloaded again, which is free.').waitFor();
    await question.getByText('This costs up to 2 videos.').waitFor();
  });

  it('pays again for a deleted video only if the user selects it', async () => {
    const page = await pages.openScenario('running');
    await showInOrder(page);
    await fail(page, 'job-14', 'expired');
    const question = await retryAll(page);
    await question.getByText('This costs up to 2 videos.').waitFor();
    const again = question.getByLabel('Render 1 video again that the service does not deliver');
    expect(await again.isChecked()).toBe(false);
    await question.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3 videos queued again').waitFor();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([
        { name: 'jobs.retry', input: { ids: ['job-14', 'job-26', 'job-28'], payAgain: false } },
      ]);

    await page.reload();
    await row(page, title).waitFor();
    await fail(page, 'job-14', 'expired');
    const second = await retryAll(page);
    await second.getByText('Render 1 video again that the service does not deliver').click();
    await second.getByText('This costs up to 3 videos.').waitFor();
    await second.getByRole('button', { name: 'Retry' }).click();
    const input = { ids: ['job-14', 'job-26', 'job-28'], payAgain: true };
    await expect.poll(() => commandsOf(page)).toEqual([{ name: 'jobs.retry', input }]);
  });

  it('leaves the free choice of checking again for one deleted video', async () => {
    const page = await pages.openScenario('running', TALL);
    await fail(page, 'job-14', 'expired');
    await row(page, title).click();
    await details(page).getByText('The service has deleted this video').first().waitFor();
    await details(page).getByRole('button', { name: 'Render again' }).click();
    const question = page.getByRole('dialog', { name: 'Retry 1 video?' });
    await question.getByText('This costs 1 video, if the service accepts').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await details(page).getByRole('button', { name: 'Check again' }).click();
    await page.getByText('1 video queued again').waitFor();
    await expect
      .poll(() => commandsOf(page))
      .toEqual([{ name: 'jobs.retry', input: { ids: ['job-14'], payAgain: false } }]);
  });
});

describe('a cancelled video', () => {
  it('is cancelled from its details without a question, and comes back by undo', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, 'Behind the bar: Ana (2)').click();
    await details(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('1 video cancelled').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+z');
    await details(page).getByText('waiting', { exact: true }).waitFor();
  });

  it('can be rendered again from its details', async () => {
    const page = await pages.openScenario('running', TALL);
    const title = 'What “single origin” means';
    // In sections, its line would disappear soon after: finished videos are folded.
    await showInOrder(page);
    await page.evaluate(() => {
      window.engine.change(['job-14'], { state: 'cancelled', failure: null });
    });
    await row(page, title).getByText('cancelled', { exact: true }).waitFor();
    await row(page, title).click();
    await details(page).getByRole('button', { name: 'Retry' }).click();
    await page
      .getByRole('dialog')
      .getByText('This costs 1 video, if the service accepts')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await row(page, title).getByText('waiting', { exact: true }).waitFor();
  });
});

describe('a failed video', () => {
  it('shows the reason and its consequence, and offers a retry', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, 'What “single origin” means').click();
    await details(page).getByText('The service could not render this video').waitFor();
    await details(page)
      .getByText(/The other videos continue/)
      .waitFor();
    await details(page)
      .getByText(/asset_unreachable/)
      .waitFor();
    await details(page).getByRole('button', { name: 'Retry' }).click();
    await page
      .getByRole('dialog')
      .getByText('This costs 1 video, if the service accepts')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await row(page, 'What “single origin” means').getByText('waiting', { exact: true }).waitFor();
  });
});

describe('a refused video', () => {
  const send = (page: Page) => details(page).getByRole('button', { name: 'Send', exact: true });
  const openRefused = async (page: Page): Promise<void> => {
    await page
      .getByRole('row')
      .filter({ has: page.getByText('refused', { exact: true }) })
      .click();
  };

  it('is sent with a change of the field that the service names', async () => {
    const page = await pages.openScenario('running', TALL);
    await openRefused(page);
    const field = details(page).getByRole('textbox', { name: 'Accent colour' }).first();
    expect(await field.inputValue()).toBe('#e08a2c');
    await details(page).getByText('must be a colour such as #1f2937', { exact: true }).waitFor();
    await details(page).getByText('This costs 1 video, if the service accepts.').waitFor();
    await field.fill('bluee');
    await field.blur();
    await details(page).getByText('“bluee” is not a colour').waitFor();
    await field.fill('#1f2937');
    await send(page).click();

    await details(page).getByText('waiting', { exact: true }).waitFor();
    const commands = await commandsOf(page);
    const edit = commands.find(({ name }) => name === 'jobs.edit');
    expect(edit).toMatchObject({ input: { values: { accent: '#1f2937' } } });
    expect(commands.filter(({ name }) => name === 'jobs.retry')).toHaveLength(1);
  });

  it('can be edited as a whole, and be sent unchanged after a question', async () => {
    const page = await pages.openScenario('running', TALL);
    await openRefused(page);
    await details(page).getByRole('button', { name: 'Send the same again…' }).click();
    await page.getByRole('dialog').getByText('This costs 1 video').waitFor();
    await page.keyboard.press('Escape');
    await details(page).getByRole('button', { name: 'Edit everything…' }).click();
    const form = page.getByRole('dialog', { name: 'Edit and send' });
    await form.getByLabel('Subtitle').fill('New');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.waitFor({ state: 'detached' });
    await details(page).getByText('waiting', { exact: true }).waitFor();
  });

  it('says what a refusal of its content costs, and asks before the same is sent', async () => {
    const page = await pages.openScenario('running', TALL);
    const [message, cost] = [userMessage('content-refused'), userMessage('refusal-maybe-paid')];
    await page.evaluate(
      (failure) => {
        window.engine.change(['job-26'], { failure });
      },
      {
        code: 'content-refused' as const,
        ...joinMessages(message, cost),
        detail: 'Your prompt was flagged.',
        fields: [{ path: 'scenes[0].subtitle', detail: null }],
        refusal: { when: 'before-render' as const, paid: 'unknown' as const },
      },
    );
    await openRefused(page);
    await details(page).getByText('The service refused the content').waitFor();
    await details(page).getByText('it counts as spent. Change the text').waitFor();
    await details(page).getByText('Your prompt was flagged.', { exact: true }).waitFor();
    await details(page).getByLabel('Subtitle').waitFor();
    await details(page).getByRole('button', { name: 'Send the same again…' }).click();
    await page.getByRole('dialog').getByText('It may be refused again').waitFor();
  });
});

describe('the card of a batch that has ended', () => {
  it('says what was saved, how long it took and what it cost, and plays all', async () => {
    const page = await pages.openScenario('finished');
    await row(page, 'Meet the roasters').click({ modifiers: ['ControlOrMeta'] });
    const card = page.getByRole('region', { name: 'Launch week is finished' });
    await card.getByText('6 saved · 1 h 1 min · 6 of your quota').waitFor();
    expect(await card.locator('img').count()).toBe(6);
    await card.getByRole('button', { name: 'Play all' }).click();
    await page.getByRole('dialog', { name: 'Opening hours, summer' }).waitFor();
    await page.locator('video').dispatchEvent('ended');
    await page.getByRole('dialog', { name: 'Meet the roasters' }).waitFor();
    // Afterwards, the queue is as it was.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Play all' }).waitFor();
    await page.locator('.row.selected').getByText('Meet the roasters').waitFor();
  });

  it('says that videos of this computer are free, and stays dismissed', async () => {
    const page = await pages.openScenario('here');
    const card = page.getByRole('region', { name: 'Launch week is finished' });
    await card.getByText(/· free$/).waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await card.waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'Meet the roasters').waitFor();
    expect(await card.count()).toBe(0);
  });

  it('clears the batch away', async () => {
    const page = await pages.openScenario('finished');
    const card = page.getByRole('region', { name: 'Launch week is finished' });
    await card.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('6 videos archived').waitFor();
    await card.waitFor({ state: 'detached' });
  });
});
