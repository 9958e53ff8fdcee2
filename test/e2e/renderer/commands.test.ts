import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages, TALL } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

const row = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });
const WAITING = 'Behind the bar: Ana (2)';

it('shows notices beside the controls, not over them', async () => {
  const page = await pages.openScenario('first-bare');
  await page.getByRole('button', { name: 'Try it on this computer' }).click();
  await page.getByText('The sample is not installed here').waitFor();
  await page.getByLabel('Choose files').setInputFiles({
    name: 'one.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('title\nOne'),
  });
  // Playwright does not click covered elements.
  await page.getByRole('button', { name: 'Add 1 video' }).click();
});

describe('the palette', () => {
  it('finds commands by the beginnings of their words, and runs them', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pa ev');
    await page.getByRole('option', { name: /^Pause everything/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is sent, checked or downloaded.').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('finds videos and opens them', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('5');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('latte');
    await page.getByRole('option', { name: /Latte art for beginners \(3\)/ }).click();
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('heading', { name: 'Latte art for beginners (3)' })
      .waitFor();
  });

  it('says when nothing matches, and closes with Escape', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xyzzy');
    await page.getByText('Nothing found for “xyzzy”').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('row commands', () => {
  it('are in a context menu, opened by mouse or keyboard', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, WAITING).click({ button: 'right' });
    await page.getByRole('menuitem', { name: /^High priority/ }).click();
    await row(page, WAITING).getByText('high priority').waitFor();
    // A menu that closes returns the focus.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: /^Pause before this video/ }).click();
    await row(page, WAITING).getByText('pauses here').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name }) => name))
      .toEqual(['jobs.prioritise', 'queue.stopBefore']);
  });

  it('stay within a low window, where their menu scrolls', async () => {
    const page = await pages.openScenario('running', { viewport: { width: 640, height: 480 } });
    await page.getByLabel('Search titles').fill('Ana (2)');
    await row(page, WAITING).click({ button: 'right' });
    const menu = page.getByRole('menu');
    await menu.waitFor();
    const bottom = () => menu.evaluate((element) => element.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBeLessThanOrEqual(480);
    await menu.getByRole('menuitem', { name: /^Pause before this video/ }).click();
    await expect.poll(async () => (await commandsOf(page)).length).toBe(1);
  });

  it('have keyboard shortcuts', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, WAITING).click();
    await page.getByRole('grid').focus();
    const press = async (key: string, count: number): Promise<void> => {
      await page.keyboard.press(key);
      await expect.poll(async () => (await commandsOf(page)).length).toBe(count);
    };
    // After the rows of usual priority, out of view, and back.
    await press('-', 1);
    await row(page, WAITING).waitFor({ state: 'detached' });
    await press('=', 2);
    await row(page, WAITING).waitFor();
    await press('b', 3);
    // A row is moved once the list has been read after the previous move: other commands would run
    // first.
    await press('Alt+Home', 4);
    await press('Alt+End', 5);
    await press('h', 6);
    await press('Delete', 7);
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name, input }) => [name, input]))
      .toEqual([
        ['jobs.prioritise', { ids: ['job-18'], priority: -1 }],
        ['jobs.prioritise', { ids: ['job-18'], priority: 0 }],
        ['queue.stopBefore', { origin: 'https://video.example.com', id: 'job-18' }],
        ['jobs.move', { ids: ['job-18'], before: 'job-0' }],
        ['jobs.move', { ids: ['job-18'], before: null }],
        ['jobs.hold', { ids: ['job-18'] }],
        ['jobs.cancel', { ids: ['job-18'], onlyUnsent: true }],
      ]);
  });

  it('apply to rows that were never visible', async () => {
    const page = await pages.openScenario('many');
    await row(page, 'Grinder settings explained').click();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Shift+End');
    // All but the finished videos, whose batches are folded.
    await page.getByText('99,992 selected').waitFor();
  });
});

it('a video that was sent is abandoned only after a question', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.evaluate(() => {
    window.engine.change(['job-18'], { state: 'rendering' });
  });
  await row(page, WAITING).getByText('rendering', { exact: true }).waitFor();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: 'Cancel this video?' });
  await question.getByText('Otherwise it counts as spent').waitFor();
  expect(await commandsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel video' }).click();
  // The row itself soon leaves the list for its folded batch.
  await page
    .getByRole('region', { name: 'Details' })
    .getByText('Abandoned after it was sent. Spool no longer follows it.')
    .waitFor();
});

it('Escape in a view without a list keeps the selection of the queue', async () => {
  const page = await pages.openScenario('running');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.getByText('111 selected').waitFor();
  for (const [digit, view] of [
    ['2', 'Timeline'],
    ['5', 'Limits'],
  ] as const) {
    await page.keyboard.press(digit);
    await page.getByRole('heading', { level: 1, name: view }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('1');
    await page.getByText('111 selected').waitFor();
  }
});

it('several requests are edited in one form, and all of it is undone', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await row(page, 'The new house blend (2)').click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit 3 videos before they are sent' });
  expect(await form.getByLabel('Title (required)').getAttribute('placeholder')).toBe('various');
  await form.getByLabel('Length in seconds').fill('long');
  await form.getByRole('button', { name: 'Change' }).click();
  await form.getByText('“long” is not a number', { exact: false }).waitFor();
  await form.getByLabel('Length in seconds').fill('9');
  await form.getByLabel('In the column').selectOption('title');
  await form.getByLabel('Find', { exact: true }).fill('(2)');
  await form.getByLabel('Replace with').fill('(new)');
  await form.getByRole('button', { name: 'Change' }).click();
  const log = page.getByRole('log');
  await log.getByText('3 videos changed').waitFor();
  await row(page, 'The new house blend (new)').waitFor();
  await log.getByRole('button', { name: 'Undo' }).click();
  await row(page, 'The new house blend (2)').waitFor();
});

describe('a request that has not been sent', () => {
  it('is edited field by field, and not saved while a field is invalid', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, WAITING).click();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
    await form.getByLabel('Title (required)').fill('Behind the bar: Ben');
    await form.getByLabel('Length in seconds').fill('long');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('“long” is not a number', { exact: false }).waitFor();
    await form.getByLabel('Length in seconds').fill('9');
    await form.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Behind the bar: Ben').waitFor();
    const edits = (await commandsOf(page)).filter(({ name }) => name === 'jobs.edit');
    // Only what was changed.
    expect(edits.at(-1)?.input).toEqual({
      id: 'job-18',
      values: { title: 'Behind the bar: Ben', seconds: '9' },
    });
  });
});

describe('the frame beside an edited request', () => {
  it('is drawn as one types, and stores nothing', async () => {
    const page = await pages.openScenario('this-computer', TALL);
    await row(page, WAITING).click();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
    await form.getByRole('img', { name: 'A frame of “Behind the bar: Ana (2)”' }).waitFor();
    await form.getByLabel('Title (required)').fill('Behind the bar: Ben');
    await form.getByRole('img', { name: 'A frame of “Behind the bar: Ben”' }).waitFor();
    await form.getByLabel('Accent colour').first().fill('blue');
    await expect
      .poll(() => page.evaluate(() => window.engine.calls.at(-1)))
      .toMatchObject({
        name: 'preview.frame',
        input: { request: { theme: { accent: '#0000ff' } } },
      });
    // A value that is not allowed yet leaves the last frame.
    await form.getByLabel('Accent colour').first().fill('bluee');
    await form.getByRole('img', { name: 'A frame of “Behind the bar: Ben”' }).waitFor();
    expect(await commandsOf(page)).toEqual([]);
  });

  it('is of each selected video in turn, with what is written', async () => {
    const page = await pages.openScenario('this-computer', TALL);
    await row(page, WAITING).click();
    await row(page, 'The new house blend (2)').click({ modifiers: ['Shift'] });
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit 3 videos before they are sent' });
    await form.getByRole('img', { name: 'A frame of “Behind the bar: Ana (2)”' }).waitFor();
    await form.getByLabel('Accent colour').first().fill('blue');
    await form.getByText('1 of 3').waitFor();
    await form.getByRole('button', { name: 'Next video' }).click();
    await form.getByRole('img', { name: 'A frame of “A bag a month (2)”' }).waitFor();
    expect(await page.evaluate(() => window.engine.calls.at(-1))).toMatchObject({
      input: { request: { title: 'A bag a month (2)', theme: { accent: '#0000ff' } } },
    });
    await form.getByLabel('In the column').selectOption({ label: 'Title' });
    await form.getByLabel('Find', { exact: true }).fill('bag');
    await form.getByLabel('Replace with').fill('box');
    await form.getByRole('img', { name: 'A frame of “A box a month (2)”' }).waitFor();
  });

  it('is left out where the service is elsewhere; a left field shows its error', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, WAITING).click();
    await page.keyboard.press('e');
    const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
    await form.getByLabel('Accent colour').first().fill('bluee');
    await form.getByLabel('Title (required)').fill('Ben');
    await form.getByText('is not a colour').waitFor();
    expect(await form.getByText('Preview frame').count()).toBe(0);
    const names = await page.evaluate(() => window.engine.calls.map(({ name }) => name));
    expect(names).not.toContain('preview.frame');
  });
});

it('a file dropped on a form that takes none leaves the page behind it as it is', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  await form.getByLabel('Title (required)').evaluate((field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['title'], 'menu.csv'));
    const options = { dataTransfer, bubbles: true, cancelable: true };
    for (const type of ['dragenter', 'dragover', 'drop'])
      field.dispatchEvent(new DragEvent(type, options));
  });
  expect(await page.getByText('Drop to check').count()).toBe(0);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Queue');
});

it('empty fields of little importance are folded, and unfold with an error', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  await form.getByLabel('Title (required)').waitFor();
  const labels = await form.locator('label, .choice > span').allInnerTexts();
  const shown = labels.map((label) => label.split('\n')[0]).filter((label) => label !== '');
  expect(shown.slice(0, 5)).toEqual([
    'Title (required)',
    'Subtitle',
    'Accent colour',
    'Background colour',
    'Text colour',
  ]);
  const quote = form.getByLabel('Quote', { exact: true });
  await expect.poll(() => quote.isVisible()).toBe(false);
  await form.getByText(/^More fields \(\d+\)$/).click();
  await quote.fill('x'.repeat(501));
  await form.getByLabel('Title (required)').focus();
  await form.getByText(/501 characters|at most 500/).waitFor();
  await form.getByText(/^More fields/).click();
  await expect.poll(() => quote.isVisible()).toBe(false);
  await form.getByRole('button', { name: 'Save' }).click();
  await quote.waitFor();
});

it('details of one of several selected videos leave the actions to the bar for all', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('button', { name: 'Edit' }).waitFor();
  await row(page, 'The new house blend (2)').click({ modifiers: ['Shift'] });
  await details.getByText('Several videos are selected.', { exact: false }).waitFor();
  expect(await details.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('dialog', { name: 'Edit 3 videos before they are sent' }).waitFor();
});

it('a colour that is not chosen is shown as none', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  const text = form.getByLabel('Background colour').first();
  const swatch = form.getByLabel('Background colour').nth(1);
  await text.fill('');
  await expect.poll(() => text.getAttribute('placeholder')).toBe('none');
  const lookOf = () => swatch.evaluate((input) => getComputedStyle(input).borderStyle);
  await expect.poll(lookOf).toBe('dashed');
  await text.fill('#102030');
  await expect.poll(lookOf).toBe('solid');
});

it('an edited value that the profile does not allow is named at its field', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  await form.getByText(/^More fields/).click();
  await form.getByLabel('Frames per second').fill('240');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('“240” is not between 24 and 60.').waitFor();
  await form.getByLabel('Frames per second').fill('25');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
});

it('the template of a row’s request is edited as JSON, behind a disclosure', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  const json = form.getByLabel('Request template, JSON');
  await expect.poll(() => json.isVisible()).toBe(false);
  await form.getByText('Advanced').click();
  await json.fill('{ "prompt": ');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('This is not a JSON object').waitFor();
  await json.fill('{ "prompt": "{{title}}" }');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  await expect
    .poll(() => commandsOf(page))
    .toMatchObject([
      { name: 'jobs.edit', input: { id: 'job-18', template: { prompt: '{{title}}' } } },
    ]);
});

describe('a button or key that its own opposite replaces', () => {
  const names = async (page: Page) => (await commandsOf(page)).map(({ name }) => name);

  it('is not pressed by the second click of a double click', async () => {
    const page = await pages.openScenario('running', TALL);
    await page
      .getByRole('contentinfo')
      .getByRole('button', { name: 'Pause', exact: true })
      .dblclick();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect(await names(page)).toEqual(['queue.pause']);
    await row(page, WAITING).click();
    await page.getByRole('region').getByRole('button', { name: 'Hold' }).dblclick();
    await row(page, WAITING).getByText('held', { exact: true }).waitFor();
    expect(await names(page)).toEqual(['queue.pause', 'jobs.hold']);
  });

  it('is not pressed while it is held down', async () => {
    const page = await pages.openScenario('running', TALL);
    await row(page, WAITING).click();
    for (const key of ['p', 'h']) {
      for (let press = 0; press < 4; press += 1) await page.keyboard.down(key);
      await page.keyboard.up(key);
    }
    await row(page, WAITING).getByText('held', { exact: true }).waitFor();
    expect(await names(page)).toEqual(['queue.pause', 'jobs.hold']);
  });
});

it('an edited request is saved once, however often that is pressed', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  await form.getByLabel('Title (required)').fill('Behind the bar: Ben');
  await page.evaluate(() => {
    addEventListener('release', window.engine.delay('jobs.edit'), { once: true });
  });
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.evaluate(() => dispatchEvent(new Event('release')));
  await form.waitFor({ state: 'detached' });
  expect((await commandsOf(page)).map(({ name }) => name)).toEqual(['jobs.edit']);
});

it('what is typed while an edited request is saved can be saved too', async () => {
  const page = await pages.openScenario('running', TALL);
  await row(page, WAITING).click();
  await page.keyboard.press('e');
  const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
  const title = form.getByLabel('Title (required)');
  await title.fill('Behind the bar: Ben');
  await page.evaluate(() => {
    addEventListener('release', window.engine.delay('jobs.edit'), { once: true });
    addEventListener('submit', () => (document.documentElement.dataset.submitted = ''));
  });
  await page.keyboard.press('Enter');
  // A busy page may take the text before the key.
  await page.locator('html[data-submitted]').waitFor({ state: 'attached' });
  await title.fill('Behind the bar: Bea');
  await page.evaluate(() => dispatchEvent(new Event('release')));
  await page.getByText('1 video changed').waitFor();
  expect(await title.inputValue()).toBe('Behind the bar: Bea');
  await page.keyboard.press('Enter');
  await form.waitFor({ state: 'detached' });
  await row(page, 'Behind the bar: Bea').waitFor();
});

describe('uncertain videos', () => {
  it('are listed after one click', async () => {
    const page = await pages.openScenario('running');
    await page.getByText('1 video is uncertain').waitFor();
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.waitForFunction(
      () => document.querySelectorAll('[role=rowgroup] [role=row]').length === 1,
    );
    await row(page, 'The new house blend').click();
    await page.getByText('Was it accepted?').waitFor();
  });

  it('give way to the previous filters once the last one is decided', async () => {
    const page = await pages.openScenario('many');
    await page.getByRole('button', { name: 'Select a batch' }).click();
    await page.getByRole('menuitem', { name: /^Launch week/ }).click();
    await page.locator('label').filter({ hasText: 'Saved' }).click();
    await page.getByLabel('Search titles').fill('cold brew');
    await row(page, 'Cold brew in six steps').waitFor();
    await page.getByRole('button', { name: 'Decide' }).click();
    await row(page, 'The new house blend').click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('It was accepted', { exact: true }).click();
    await details.getByLabel('Video identifier').fill('vid_77');
    await details.getByRole('button', { name: 'Confirm' }).click();
    await row(page, 'Cold brew in six steps').waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Saved' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel('Search titles').inputValue()).toBe('cold brew');
    await page.getByRole('button', { name: 'Select a batch' }).getByText('Launch week').waitFor();
  });
});

it('shows an added batch, whatever the queue was filtered by', async () => {
  const page = await pages.openScenario('running');
  await page.locator('label').filter({ hasText: 'Needs attention' }).click();
  await page.getByLabel('Search titles').fill('latte');
  await page.getByText('No title contains “latte”').waitFor();
  await page.getByRole('button', { name: 'Add videos' }).click();
  await page.getByLabel('Choose files').setInputFiles({
    name: 'one.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('title\nOne'),
  });
  await page.getByRole('button', { name: 'Add 1 video' }).click();
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3');
  await row(page, 'One').waitFor();
});

it('a screen reader announces progress, but not every step', async () => {
  const page = await pages.openScenario('running');
  const news = page.locator('p[role=status]');
  await expect.poll(() => news.textContent()).toBe('');
  await page.evaluate(() => {
    window.engine.change(['job-6'], { state: 'done' });
  });
  await page.getByText('6 of 118 videos are saved, 4 need attention').waitFor();
  await page.evaluate(() => {
    for (const id of ['job-7', 'job-8']) window.engine.change([id], { state: 'done' });
  });
  await page.getByText('8 of 118 saved').waitFor();
  await expect.poll(() => news.textContent()).toBe('6 of 118 videos are saved, 4 need attention');
});

it('the page accepts clicks after a menu is closed', async () => {
  const page = await pages.openScenario('running');
  await page.getByRole('button', { name: 'Select a state' }).click();
  await page.getByRole('menuitem', { name: 'All states' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Latte art for beginners', { exact: true }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
});

it('the palette finds every action that a menu has', async () => {
  const page = await pages.openScenario('finished');
  const labels = new Set<string>();
  const collect = async (): Promise<void> => {
    const items = page.getByRole('menu').locator('[role^=menuitem] .text');
    await items.first().waitFor();
    for (const label of await items.allTextContents()) labels.add(label);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'Columns' }).click();
  await collect();
  await page.getByText('Meet the roasters', { exact: true }).click({ button: 'right' });
  await collect();
  await page.keyboard.press('3');
  await page.getByRole('button', { name: 'Order' }).click();
  await collect();
  expect(labels.size).toBeGreaterThan(20);
  // The video stays selected, so that its actions are possible.
  await page.keyboard.press('1');
  await row(page, 'Meet the roasters').click();
  for (const label of labels) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(label.replace(/[…:(),]/g, ''));
    await page.getByRole('option').filter({ hasText: label }).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
  }
});
