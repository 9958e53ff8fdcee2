import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages, TALL } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

const WAITING = 'Behind the bar: Ana (2)';
const rowOf = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });

/** Runs no animation frames, as on a busy computer, until the page is reloaded. */
const holdFrames = (page: Page) =>
  page.evaluate(() => {
    window.requestAnimationFrame = () => 0;
  });

/** Delays scripts of a name until the returned function is called. */
async function holdScript(page: Page, name: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/${name}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Opens a scene with a script delayed until the returned function is called. */
async function playWithout(
  script: string,
  scene: 'running' | 'shelf',
  viewport = TALL.viewport,
): Promise<{ page: Page; release: () => void }> {
  let release = (): void => undefined;
  const page = await pages.openScenario(scene, { viewport }, async (opened) => {
    release = await holdScript(opened, script);
  });
  return { page, release };
}

/** Delays the engine's answers to calls of a name until the returned function is called. */
async function delayCalls(page: Page, name: string): Promise<() => Promise<boolean>> {
  await page.evaluate((delayed) => {
    addEventListener('release', window.engine.delay(delayed));
  }, name);
  return () => page.evaluate(() => dispatchEvent(new Event('release')));
}

/** Opens a scene whose scripts of a name are a 404 until the returned function is called. */
async function playWithFailing(script: string): Promise<{ page: Page; restore: () => void }> {
  let isGone = true;
  const page = await pages.openScenario('running', TALL, async (opened) => {
    await opened.route(`**/${script}-*.js*`, (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
  });
  return { page, restore: () => (isGone = false) };
}

const names = async (page: Page) => (await commandsOf(page)).map(({ name }) => name);

describe('before a frame is drawn', () => {
  it('the palette receives what was typed since its shortcut', async () => {
    const page = await pages.openScenario('running');
    await holdFrames(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xyzzy');
    await page.getByText('Nothing found for “xyzzy”').waitFor();
  });

  it('a question has its safe answer focused', async () => {
    const page = await pages.openScenario('running', TALL);
    await rowOf(page, WAITING).click();
    await page.evaluate(() => {
      window.engine.change(['job-18'], { state: 'rendering' });
    });
    await rowOf(page, WAITING).getByText('rendering', { exact: true }).waitFor();
    await holdFrames(page);
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[role=dialog][data-state=open]').count()).toBe(0);
    expect(await names(page)).toEqual([]);
  });

  it('a menu receives the keys that follow its shortcut', async () => {
    const page = await pages.openScenario('running', TALL);
    await rowOf(page, WAITING).click();
    await page.getByRole('grid').focus();
    await holdFrames(page);
    await page.keyboard.press('Shift+F10');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit before it is sent' }).waitFor();
  });

  it('a key after Escape is a shortcut again', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await holdFrames(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('3');
    // The palette is removed in the next frame, and until then hides the page from screen readers.
    await expect.poll(() => page.locator('h1').textContent()).toBe('Saved');
  });
});

describe('before its script is loaded', () => {
  it('the details of a narrow window take the focus when they open', async () => {
    const { page, release } = await playWithout('details-*', 'running', {
      width: 900,
      height: 1100,
    });
    await rowOf(page, WAITING).click();
    release();
    await expect.poll(() => page.getByRole('button', { name: 'Close' }).count()).toBe(1);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Close');
  });

  it('a form receives what was typed, in its first field', async () => {
    const { page, release } = await playWithout('rename-dialog', 'shelf');
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Play Meet the roasters' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('F2');
    await page.keyboard.type(' p2');
    release();
    await expect
      .poll(() => page.getByLabel('Names', { exact: true }).inputValue())
      .toBe('{row} {title} p2');
    expect(await names(page)).not.toContain('queue.pause');
  });

  it('a form inserts typed text where the caret was moved to', async () => {
    const { page, release } = await playWithout('rename-dialog', 'shelf');
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Play Meet the roasters' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('F2');
    for (const key of ['Home', 'a', 'b', 'ArrowLeft', '-', 'End', '?', 'ArrowRight', '!']) {
      await page.keyboard.press(key);
    }
    release();
    await expect
      .poll(() => page.getByLabel('Names', { exact: true }).inputValue())
      .toBe('a-b{row} {title}?!');
  });
});

describe('when its script cannot be loaded', () => {
  const UNAVAILABLE = 'This view could not be loaded';

  it('a dialog says so, and opens once the script can be loaded', async () => {
    const { page, restore } = await playWithFailing('keys-dialog');
    await page.keyboard.press('?');
    const notice = page.getByRole('log').getByText(UNAVAILABLE);
    await notice.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await notice.waitFor({ state: 'detached' });
    restore();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('a view says so in its place, and opens once the script can be loaded', async () => {
    const { page, restore } = await playWithFailing('timeline-view');
    await page.keyboard.press('2');
    await page.locator('main').getByText(UNAVAILABLE).waitFor();
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    restore();
    await page.keyboard.press('1');
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('2');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  });
});

describe('before the rows are read', () => {
  it('a command waits for the selection before it', async () => {
    const page = await pages.openScenario('shelf');
    await page.keyboard.press('3');
    await page.getByRole('button', { name: 'Play Meet the roasters' }).focus();
    const release = await delayCalls(page, 'jobs.list');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('F2');
    await page.keyboard.type(' p2');
    await release();
    await page.getByRole('dialog', { name: 'Rename 15 files' }).waitFor();
    await expect
      .poll(() => page.getByLabel('Names', { exact: true }).inputValue())
      .toBe('{row} {title} p2');
    expect(await names(page)).not.toContain('queue.pause');
  });

  it('the form of a request receives what was typed, in the fields that Tab selects', async () => {
    const page = await pages.openScenario('running', TALL);
    await rowOf(page, WAITING).click();
    const release = await delayCalls(page, 'jobs.show');
    await page.keyboard.press('e');
    await page.keyboard.type('p2');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Tab');
    await page.keyboard.type('u');
    await release();
    const form = page.getByRole('dialog', { name: 'Edit before it is sent' });
    await expect.poll(() => form.getByLabel('Title (required)').inputValue()).toBe(`${WAITING}p`);
    await expect
      .poll(() => form.getByLabel('Subtitle').inputValue())
      .toBe('Roasted on Tuesday, in your cup on Thursdayu');
    expect(await names(page)).toEqual([]);
  });

  it.each([
    { what: 'Escape', giveUp: (page: Page) => page.keyboard.press('Escape') },
    { what: 'a click', giveUp: (page: Page) => page.getByRole('heading', { level: 1 }).click() },
  ])('$what cancels the form and discards what was typed for it', async ({ giveUp }) => {
    const page = await pages.openScenario('running', TALL);
    await rowOf(page, WAITING).click();
    const release = await delayCalls(page, 'jobs.show');
    await page.keyboard.press('e');
    await page.keyboard.type('p2');
    await giveUp(page);
    await release();
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await names(page)).toEqual([]);
  });

  it('text typed for a form that fails to open runs no shortcut', async () => {
    const page = await pages.openScenario('running', TALL);
    await rowOf(page, WAITING).click();
    const release = await delayCalls(page, 'jobs.show');
    await page.keyboard.press('e');
    await page.keyboard.type('p2');
    await page.evaluate(() => (window.engine.connected = false));
    await release();
    await page.getByText('Spool could not be reached').waitFor();
    await page.keyboard.press('3');
    await page.getByRole('heading', { name: 'Saved', exact: true }).waitFor();
    expect(await names(page)).toEqual([]);
  });

  it('the profile receives what was typed, in its first example', async () => {
    const page = await pages.openScenario('running');
    const release = await delayCalls(page, 'profile.get');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('response mapping');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Response mapping' }).waitFor();
    await page.keyboard.type('p2');
    await release();
    await expect
      .poll(() => page.getByLabel('Answer to a request for a video').inputValue())
      .toBe('p2');
    expect(await names(page)).not.toContain('queue.pause');
  });
});
