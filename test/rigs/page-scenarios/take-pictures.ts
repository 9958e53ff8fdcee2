/** Takes the README's screenshots of the scenario page: `npm run pictures`. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { FramePreview } from '../../../src/local-service/rendering/frame-preview.ts';
import { startRenderThread } from '../../../src/local-service/rendering/render-thread.ts';
import {
  costOf,
  pictureSize,
  storyboardSchema,
} from '../../../src/local-service/rendering/storyboard.ts';
import { documentedExamples } from '../service-examples.ts';
import type { ScenarioName } from './scenarios.ts';
import { ScenarioPages } from './scenario-pages.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..');
const FOLDER = path.join(ROOT, 'docs', 'images');
const EXAMPLE = path.join(ROOT, 'examples', 'launch-week.csv');

interface Picture {
  readonly name: string;
  readonly scene: ScenarioName;
  readonly prepare: (page: Page) => Promise<unknown>;
}

/** Opens a view, and waits for its script. */
const open = (view: string) => async (page: Page) => {
  await page.getByRole('navigation').getByText(view, { exact: true }).click();
  await page.getByRole('heading', { level: 1, name: view }).waitFor();
};

const frames = new FramePreview({ startWorker: startRenderThread });

/** The same frame as the local service draws. */
async function drawFrame(request: unknown) {
  const storyboard = storyboardSchema.parse(request);
  const jpeg = await frames.draw({ storyboard }, new AbortController().signal);
  const { seconds } = costOf(storyboard);
  return { kind: 'drawn', jpeg: jpeg.toString('base64'), ...pictureSize(storyboard), seconds };
}

/** A table that was dropped, checked and not yet added. */
async function checkTable(page: Page): Promise<void> {
  await page.exposeFunction('drawFrame', drawFrame);
  await page.evaluate(() =>
    Object.assign(window.engine, { drawFrame: Reflect.get(window, 'drawFrame') as unknown }),
  );
  await page.getByRole('button', { name: 'Add videos' }).first().click();
  await page.getByLabel('Choose files').setInputFiles(EXAMPLE);
  await page.getByRole('button', { name: 'Add 6 videos' }).waitFor();
  await page.getByRole('button', { name: 'Next row' }).click();
  await page.getByRole('img', { name: 'A frame of “Meet Kestrel 2”' }).waitFor();
  await page.mouse.move(0, 0);
}

/** The chart, once it is drawn. */
async function showMonth(page: Page): Promise<void> {
  await open('Limits')(page);
  await page.getByRole('main').getByRole('img').waitFor();
}

/** The saved videos, once all posters are there. */
async function showSaved(page: Page): Promise<void> {
  await open('Saved')(page);
  await page.locator('main img').first().waitFor();
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
}

/** The units of quota and their results. */
async function showUnits(page: Page): Promise<void> {
  await open('Activity')(page);
  await page.getByText('Quota use').click();
  await page.getByText('returned').waitFor();
  await page.mouse.move(0, 0);
}

/** An unknown service, with a profile from examples that the user pasted. */
async function pasteAnswers(page: Page): Promise<void> {
  await open('Settings')(page);
  await page.getByRole('button', { name: 'View and edit' }).click();
  await page
    .getByLabel('Answer to a request for a video')
    .fill('{ "render": { "uuid": "r-77", "phase": "QUEUED" } }');
  await page
    .getByLabel(/^Answers about its status/)
    .fill(
      '{ "render": { "phase": "COOKING", "percent": 40 } }\n{ "render": { "phase": "DONE", "percent": 100 } }',
    );
  await page.getByRole('button', { name: 'Propose from the examples' }).click();
  await page.getByText('r-77', { exact: true }).waitFor();
  await page.mouse.move(0, 0);
}

/** A service whose documentation the user has. */
async function pasteRequest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use my key' }).click();
  await page.getByRole('button', { name: 'Add another service…' }).click();
  const examples = documentedExamples.find(({ service }) => service === 'runway')?.examples;
  if (examples === undefined) throw new Error('There are no examples of it.');
  const { requests, answers } = examples;
  await page.getByLabel('Request', { exact: true }).fill(requests.generate);
  await page.getByLabel('Response', { exact: true }).fill(answers.generate ?? '');
  await page.getByLabel('Status request or its address').fill(requests.status);
  await page.getByLabel('Status responses').fill(answers.status ?? '');
  await page.getByText('Tested with examples').waitFor();
  await page.mouse.move(0, 0);
}

const PICTURES: readonly Picture[] = [
  { name: 'welcome', scene: 'first', prepare: (page) => page.mouse.move(0, 0) },
  { name: 'examples', scene: 'first', prepare: pasteRequest },
  { name: 'queue', scene: 'running', prepare: (page) => page.mouse.move(0, 0) },
  { name: 'add', scene: 'here', prepare: checkTable },
  { name: 'timeline', scene: 'running', prepare: open('Timeline') },
  { name: 'saved', scene: 'shelf', prepare: showSaved },
  { name: 'activity', scene: 'running', prepare: showUnits },
  { name: 'limits', scene: 'running', prepare: showMonth },
  { name: 'settings', scene: 'running', prepare: open('Settings') },
  { name: 'answers', scene: 'running', prepare: pasteAnswers },
];

const pages = await ScenarioPages.open();
for (const { name, scene, prepare } of PICTURES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await pages.openScenario(scene, {
      colorScheme,
      viewport: { width: 1280, height: 800 },
    });
    await prepare(page);
    await page.screenshot({ path: path.join(FOLDER, `${name}-${colorScheme}.png`) });
    await pages.clear();
  }
}
await pages.close();
await frames.close();
