import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeRenderer } from '../../integration/local-service/rig.ts';
import { accessibilityViolations } from '../../rigs/accessibility.ts';
import { launchBrowser } from '../../rigs/browser.ts';
import { RENDER_TIMEOUT_MS } from '../../rigs/render-timeout.ts';
import { RED_PIXEL } from '../../rigs/storyboards.ts';
import { StudioRig } from '../../rigs/studio/studio-rig.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

const redPixel = Buffer.from(RED_PIXEL.slice(RED_PIXEL.indexOf(',') + 1), 'base64');

/** Submits a video of one title scene with the form, and waits until it is accepted. */
async function make(rig: StudioRig, page: Page, title: string): Promise<void> {
  await page.goto(`${rig.service.studioUrl}/studio/new`);
  await page.getByLabel('Name').fill(title);
  await page.getByRole('button', { name: 'Remove scene 2' }).click();
  await page.getByLabel('Title', { exact: true }).fill(title);
  await page.getByRole('button', { name: 'Make video' }).first().click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}

const hasFocus = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element === document.activeElement);

describe('the studio', () => {
  test('renders a video of a title and an uploaded picture, plays it and offers its download', async () => {
    const rig = await StudioRig.start(browser);
    const page = await rig.signUp();
    await page.getByRole('link', { name: 'New video' }).click();
    await page.getByLabel('Name').fill('Launch week');
    await page.getByLabel('Title', { exact: true }).fill('Hello');
    await page.getByRole('button', { name: 'Remove scene 2' }).click();
    await page.getByRole('button', { name: 'Picture', exact: true }).click();
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'red.gif', mimeType: 'image/gif', buffer: redPixel });
    await page.getByLabel('Resolution').selectOption('480p');
    await page.getByRole('radio', { name: 'Square' }).check();
    await page.getByLabel('Length in seconds').fill('1,5');
    await page.getByLabel('Music').selectOption('None');
    await page.getByRole('button', { name: 'Make video' }).first().click();

    // The page's script adds the player when the video is done.
    const video = page.locator('video');
    await video.waitFor({ timeout: RENDER_TIMEOUT_MS });
    await page.getByText('Done · 0:02').waitFor();
    const played = await video.evaluate(async (element: HTMLVideoElement) => {
      element.muted = true;
      await element.play();
      await new Promise((resolve) => element.addEventListener('ended', resolve, { once: true }));
      return { width: element.videoWidth, height: element.videoHeight, end: element.duration };
    });
    expect(played).toMatchObject({ width: 480, height: 480 });
    expect(played.end).toBeCloseTo(1.5, 1);

    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('Launch week.mp4');
    const bytes = await readFile(await saved.path());
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');

    await page.getByRole('link', { name: 'Studio', exact: true }).first().click();
    await page.getByText('2 of 3 videos left').waitFor();
    const still = page.locator('.entry img');
    await expect
      .poll(() => still.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(rig.complaints).toEqual([]);
  });

  test('shows live progress, and announces when a video has failed', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await StudioRig.start(browser, renderer);
    const page = await rig.signUp();
    await make(rig, page, 'Slow');
    const rendering = await renderer.next();
    rendering.progress(42, 100);
    await page.getByText('Rendering, 42 %').waitFor();
    await page.goto(`${rig.service.studioUrl}/studio`);
    await page.getByText('Rendering, 42 %').waitFor();
    rendering.progress(80, 100);
    await page.getByText('Rendering, 80 %').waitFor();
    await expect
      .poll(() => page.getByRole('progressbar').evaluate((bar: HTMLProgressElement) => bar.value))
      .toBe(80);
    await page.getByText('2 of 3 videos left').waitFor();
    rendering.fail(new Error('no light'));
    for (let attempt = 0; attempt < 2; attempt += 1)
      (await renderer.next()).fail(new Error('no light'));
    await page.getByText('It does not count against your quota').waitFor();
    await page.getByText('3 of 3 videos left').waitFor();
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toBe('“Slow” could not be rendered.');
  });

  test('refuses videos beyond the plan’s quota, and keeps the typed text', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const page = await rig.signUp({ javaScriptEnabled: false });
    for (const title of ['One', 'Two', 'Three']) await make(rig, page, title);
    await page.goto(`${rig.service.studioUrl}/studio/new`);
    await page.getByLabel('Name').fill('Four');
    await page.getByRole('button', { name: 'Remove scene 2' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Four');
    await page.getByRole('button', { name: 'Make video' }).first().click();
    await page.getByText('This month’s videos are used up').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Four');
    const used = page.getByRole('img', { name: '3 used, 0 being made, 0 left' });
    // Without scripts, a page shows the state of when it was loaded.
    await expect
      .poll(async () => {
        await page.goto(`${rig.service.studioUrl}/settings/plan`);
        return used.count();
      })
      .toBe(1);
  });

  test('lists the errors of a form, and links to their fields', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const page = await rig.signUp();
    await page.goto(`${rig.service.studioUrl}/studio/new`);
    await page.getByLabel('Title', { exact: true }).fill('Kept');
    await page.getByLabel('Length in seconds').fill('soon');
    await page.getByRole('button', { name: 'Picture', exact: true }).click();
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await page.getByRole('button', { name: 'Make video' }).first().click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await expect
      .poll(() => alert.getByRole('link').allTextContents())
      .toEqual([
        'Name must not be empty.',
        'Scene 2: Text must not be empty.',
        'Scene 3: The file is not a PNG, JPEG or WebP picture.',
        'Length must be a number from 1 to 600.',
      ]);
    await expect.poll(() => hasFocus(alert)).toBe(true);
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Kept');
    await alert.getByRole('link', { name: 'Name must not be empty.' }).click();
    await expect.poll(() => hasFocus(page.getByLabel('Name'))).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test('shows titles as text, whatever they contain', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const page = await rig.signUp();
    const title = '</title><img src=x onerror="document.title=1">\'"&amp;';
    await make(rig, page, title);
    await page.getByText('Done ·').waitFor();
    expect(await page.title()).toBe(`${title} · Spool`);
    await page.goto(`${rig.service.studioUrl}/studio`);
    await page.getByRole('link', { name: title }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(rig.complaints).toEqual([]);
  });

  test('hides videos and pictures of other accounts', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const owner = await rig.signUp();
    await make(rig, owner, 'Private');
    const stranger = await rig.signUp({}, 'eve@example.com');
    const answer = await stranger.goto(owner.url());
    expect(answer!.status()).toBe(404);
    await stranger.goto(`${rig.service.studioUrl}/studio`);
    expect(await stranger.getByText('Private').count()).toBe(0);
  });
});

describe('accessibility', () => {
  test('axe finds no violations in the studio, in light and dark colours', async () => {
    const renderer = new FakeRenderer('by-hand');
    const rig = await StudioRig.start(browser, renderer);
    const page = await rig.signUp();
    const violations = await accessibilityViolations(page);
    await page.goto(`${rig.service.studioUrl}/studio/new`);
    for (const kind of ['Quote', 'List', 'Picture', 'Countdown']) {
      await page.getByRole('button', { name: kind, exact: true }).click();
    }
    violations.push(...(await accessibilityViolations(page)));
    await make(rig, page, 'Waiting');
    await renderer.next();
    violations.push(...(await accessibilityViolations(page)));
    await page.goto(`${rig.service.studioUrl}/studio`);
    violations.push(...(await accessibilityViolations(page)));
    await page.goto(`${rig.service.studioUrl}/studio/videos/unknown`);
    violations.push(...(await accessibilityViolations(page)));
    expect(violations).toEqual([]);
  });
});
