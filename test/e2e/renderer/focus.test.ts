import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages, TALL } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

interface Case {
  readonly what: string;
  readonly scene?: ScenarioName;
  readonly open: (page: Page) => Promise<unknown>;
  /** The name of the element that must have the focus. */
  readonly focused: string;
  /** Narrow windows show the details in a dialog. */
  readonly width?: number;
}

const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click();
const rowOf = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });

/** Goes to a view by its digit, then presses a button there. */
const inView = (digit: string, button: string) => async (page: Page) => {
  await page.keyboard.press(digit);
  await page.getByRole('main').getByRole('button', { name: button, exact: true }).click();
};

async function chooseAndPress(page: Page, title: string, key: string): Promise<void> {
  await rowOf(page, title).click();
  await page.keyboard.press(key);
}

async function openProfile(page: Page): Promise<void> {
  await page.keyboard.press('6');
  await page.getByRole('button', { name: 'View and edit' }).click();
}

/** A question before something is lost or spent has its safe answer focused. */
const DIALOGS: readonly Case[] = [
  { what: 'the key form', open: inView('5', 'Change key'), focused: 'Key' },
  {
    what: 'the question before a key is forgotten',
    open: inView('5', 'Delete key'),
    focused: 'Cancel',
  },
  { what: 'the keyboard shortcuts', open: (page) => page.keyboard.press('?'), focused: 'Close' },
  {
    what: 'the palette',
    open: (page) => page.keyboard.press('Control+k'),
    focused: 'Find a command or a video',
  },
  {
    what: 'the form of an unsent request',
    open: (page) => chooseAndPress(page, 'Behind the bar: Ana (2)', 'e'),
    focused: 'Title (required)',
  },
  {
    what: 'the question before a video is cancelled',
    open: askToCancel,
    focused: 'Keep',
  },
  {
    what: 'the question before failed videos are rendered again',
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Retry all that failed');
      await page.keyboard.press('Enter');
    },
    focused: 'Cancel',
  },
  {
    what: 'the form of new file names',
    scene: 'shelf',
    async open(page) {
      await page.keyboard.press('3');
      await page.getByRole('button', { name: 'Play Meet the roasters' }).focus();
      await page.keyboard.press('Control+a');
      await page.keyboard.press('F2');
    },
    focused: 'Names',
  },
  {
    what: 'the player',
    scene: 'shelf',
    async open(page) {
      await page.keyboard.press('3');
      await page.getByRole('button', { name: 'Play Meet the roasters' }).click();
    },
    focused: 'Play Meet the roasters',
  },
  {
    what: 'the question before the default profile',
    async open(page) {
      await openProfile(page);
      await page
        .getByLabel('Answer to a request for a video')
        .fill('{ "uuid": "r-77", "phase": "NEW" }');
      await page.getByRole('button', { name: 'Propose from the examples' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Reset to default' }).click();
    },
    focused: 'Cancel',
  },
  {
    what: 'the question before settings are replaced',
    async open(page) {
      await page.keyboard.press('6');
      await page.getByLabel('Settings file').setInputFiles({
        name: 'studio.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"version": 1, "theme": "dark"}'),
      });
    },
    focused: 'Cancel',
  },
  {
    what: 'the details of a narrow window',
    width: 900,
    open: (page) => rowOf(page, 'Behind the bar: Ana (2)').click(),
    focused: 'Close',
  },
];

const FORMS: readonly Case[] = [
  {
    what: 'the services of the first run',
    scene: 'first',
    open: press('Use my key'),
    focused: 'Search services',
  },
  {
    what: 'the key form of the first run',
    scene: 'first',
    async open(page) {
      await page.getByRole('button', { name: 'Use my key' }).click();
      await page.getByText('Video Generation Service', { exact: true }).first().click();
      await page.getByRole('button', { name: 'Use this service' }).click();
    },
    focused: 'Address',
  },
  {
    what: 'the form of one video',
    async open(page) {
      await page.keyboard.press('a');
      await page.getByRole('button', { name: 'Describe one video' }).click();
    },
    focused: 'Title (required)',
  },
  {
    what: 'the profile of a service',
    open: openProfile,
    focused: 'Answer to a request for a video',
  },
];

const focusedOf = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const name = element?.labels?.[0]?.textContent ?? element?.getAttribute('aria-label');
    return (name ?? element?.textContent ?? '').trim();
  });

/** A video that was sent, whose quota stays spent. */
async function askToCancel(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.engine.change(['job-18'], { state: 'rendering' });
  });
  // One that was not sent is cancelled without a question.
  const row = page.getByRole('row').filter({ hasText: 'Behind the bar: Ana (2)' });
  await row.getByText('rendering', { exact: true }).waitFor();
  await chooseAndPress(page, 'Behind the bar: Ana (2)', 'Delete');
}

async function play({ scene = 'running', width, open }: Case): Promise<Page> {
  const viewport = { ...TALL.viewport, ...(width === undefined ? {} : { width }) };
  const page = await pages.openScenario(scene, { viewport });
  await open(page);
  return page;
}

const pauses = async (page: Page) =>
  (await commandsOf(page)).filter(({ name }) => name === 'queue.pause');

describe('opens with its first field or its safe answer focused, and keeps the keyboard:', () => {
  it.each(DIALOGS)('$what', async (dialog) => {
    const page = await play(dialog);
    // While one dialog opens another, both may be in the page.
    const opened = page.locator('[role=dialog]:not([data-state=closed])');
    await opened.waitFor();
    await expect.poll(() => focusedOf(page)).toBe(dialog.focused);
    await page.keyboard.type('p2');
    await expect.poll(() => opened.count()).toBe(1);
    expect(await pauses(page)).toEqual([]);
  });

  it.each(FORMS)('$what', async (form) => {
    const page = await play(form);
    await expect.poll(() => focusedOf(page)).toBe(form.focused);
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    // In a form, letters are not shortcuts even when no field has the focus.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.type('p2');
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading);
    expect(await pauses(page)).toEqual([]);
  });
});

it('focus is in the view that a key has opened, and on the heading of a first video', async () => {
  const page = await pages.openScenario('running');
  const isInView = () =>
    page.evaluate(() => document.activeElement === document.querySelector('main'));
  await page.keyboard.press('5');
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  await expect.poll(isInView).toBe(true);
  await page.keyboard.press('Tab');
  await expect.poll(() => focusedOf(page)).not.toBe('');
  const inMain = () =>
    page.evaluate(() => document.activeElement?.closest('main')?.tagName ?? null);
  expect(await inMain()).toBe('MAIN');

  const first = await pages.openScenario('first');
  await first.getByRole('button', { name: 'Try it on this computer' }).press('Enter');
  await first.getByRole('list').getByText('Meet the roasters').waitFor();
  await expect.poll(() => focusedOf(first)).toBe('Rendering your first video');
});

it('focus stays in a question while the window becomes narrow', async () => {
  const page = await pages.openScenario('running', TALL);
  await askToCancel(page);
  await page.getByRole('dialog', { name: 'Cancel this video?' }).waitFor();
  await page.getByRole('region', { name: 'Details' }).waitFor();
  await page.setViewportSize({ width: 900, height: 1100 });
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(900);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  expect(await focusedOf(page)).toBe('Keep');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Details' }).waitFor();
  expect(await commandsOf(page)).toEqual([]);
});

it('focus stays on the button that holds a video and puts it back', async () => {
  const page = await pages.openScenario('running', TALL);
  await page.getByRole('grid').getByText('Behind the bar: Ana (2)', { exact: true }).click();
  const details = page.getByRole('region', { name: 'Details' });
  await details.getByRole('button', { name: 'Hold' }).press('Enter');
  await details.getByRole('button', { name: 'Release' }).waitFor();
  expect(await focusedOf(page)).toBe('Release');
  await page.keyboard.press('Enter');
  await details.getByRole('button', { name: 'Hold' }).waitFor();
  expect(await focusedOf(page)).toBe('Hold');
});

it('focus stays on the button that pauses and resumes', async () => {
  const page = await pages.openScenario('several-services');
  await page.getByRole('button', { name: 'Pause Video service' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resume Video service' }).waitFor();
  expect(await focusedOf(page)).toBe('Resume Video service');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Pause Video service' }).waitFor();
  expect(await focusedOf(page)).toBe('Pause Video service');
});

it('focus moves from a removed menu button to the button beside it', async () => {
  const page = await pages.openScenario('running');
  await page.getByRole('button', { name: 'What to pause' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Pause everything' }).press('Enter');
  await page.getByRole('button', { name: 'Resume' }).waitFor();
  await page.getByRole('button', { name: 'What to pause' }).waitFor({ state: 'detached' });
  await expect.poll(() => focusedOf(page)).toBe('Resume');
});

it('letters are not shortcuts on a button of a form', async () => {
  const page = await pages.openScenario('running');
  await page.keyboard.press('5');
  const field = page.getByLabel('Used this month, by the service’s count');
  await field.fill('12');
  await page.keyboard.press('Tab');
  await page.keyboard.type('p2');
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  expect(await pauses(page)).toEqual([]);
});
