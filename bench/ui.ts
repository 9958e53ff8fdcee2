/**
 * Scrolls the queue's table with 100,000 rows continuously while 20 updates a second change the
 * visible rows, and a checked table of 500 rows whose thumbnails come meanwhile: `npm run bench:ui`.
 *
 * Target: the 99th percentile of the time between two frames at most 16.7 ms. Without a graphics
 * card Chromium draws in software. So a baseline alternates with it: the same scroll over the same
 * number of rows in a page with neither framework nor updates. The table also has the main thread's
 * processor time per frame (script, style, layout and paint lists), which depends neither on a
 * graphics card nor on other programs.
 */
import { cpus, loadavg } from 'node:os';
import { createCanvas } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { ScenarioPages } from '../test/rigs/page-scenarios/scenario-pages.ts';
import { barePage } from './ui/bare-page.ts';
import { mainThreadWork, type TraceEvent } from './ui/main-thread-work.ts';

const SECONDS = 5;
const ROUNDS = 2;
const UPDATES_A_SECOND = 20;
/** Visible rows that every update changes. */
const CHANGED_AT_ONCE = 6;
const ROW_HEIGHT = 36;
/** Rows per second: about the fastest that a person scrolls with a wheel. */
const ROWS_A_SECOND = 240;
/** Rows of the checked table. */
const PICTURES = 500;
/** How long each of four requests at a time takes, as photos that contain previews do. */
const THUMBNAIL_MS = 20;
const WINDOW = { width: 1440, height: 900 };

interface Figures {
  /** Milliseconds between two frames. */
  readonly frames: readonly number[];
  /** Milliseconds of the main thread's work for each frame. */
  readonly work: readonly number[];
  /** The largest number of rows in the page. */
  readonly mostRows: number;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Scrolls for `SECONDS`; returns the time between frames, and the largest number of rows in the
 * page.
 */
function scroll(page: Page): Promise<{ frames: number[]; mostRows: number }> {
  return page.evaluate(
    async ({ seconds, pixelsASecond }) => {
      const scroller = document.querySelector('[role=grid]')!;
      const frames: number[] = [];
      let mostRows = 0;
      let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const begin = last;
      let direction = 1;
      while (last - begin < seconds * 1000) {
        const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        frames.push(now - last);
        const end = scroller.scrollHeight - scroller.clientHeight;
        if (scroller.scrollTop >= end - 1) direction = -1;
        if (scroller.scrollTop <= 0) direction = 1;
        scroller.scrollTop += (direction * (now - last) * pixelsASecond) / 1000;
        mostRows = Math.max(mostRows, document.querySelectorAll('[role=row]').length);
        last = now;
      }
      return { frames, mostRows };
    },
    { seconds: SECONDS, pixelsASecond: ROWS_A_SECOND * ROW_HEIGHT },
  );
}

async function traceScroll(page: Page): Promise<Figures> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser.');
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  );
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  });
  const { frames, mostRows } = await scroll(page);
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  return { frames, mostRows, work: mainThreadWork(events) };
}

async function measureQueue(pages: ScenarioPages): Promise<Figures> {
  const page = await pages.openScenario('many', { viewport: WINDOW });
  await page.getByRole('row').nth(20).waitFor();
  await page.evaluate(
    ({ every, changed }) => {
      let turn = 0;
      setInterval(() => {
        const rows = [...document.querySelectorAll('[role=rowgroup] [role=row]')];
        const ids = rows
          .filter((_, index) => index % Math.ceil(rows.length / changed) === 0)
          .map((row) => `job-${Number(row.getAttribute('aria-rowindex')) - 2}`);
        turn += 1;
        window.engine.change(ids, {
          state: 'rendering',
          progress: { fraction: (turn % 100) / 100, estimated: false },
        });
      }, every);
    },
    { every: 1000 / UPDATES_A_SECOND, changed: CHANGED_AT_ONCE },
  );
  const figures = await traceScroll(page);
  await pages.clear();
  return figures;
}

/** Small pictures in no pattern, as many as rows are seen at a time. */
const THUMBNAILS = Array.from({ length: 40 }, (_, seed) => {
  const canvas = createCanvas(96, 72);
  const context = canvas.getContext('2d');
  for (let index = 0; index < 400; index += 1) {
    context.fillStyle = `oklch(0.6 0.15 ${(seed * 61 + index * 37) % 360})`;
    context.fillRect((index * 7919) % 96, (index * 104_729) % 72, 8, 6);
  }
  return canvas.toBuffer('image/webp', 92).toString('base64');
});

async function measurePictures(pages: ScenarioPages): Promise<Figures> {
  const page = await pages.openScenario('running', { viewport: WINDOW });
  await page.evaluate(
    ({ thumbnails, everyMs }) => {
      window.engine.hasPictures = true;
      window.engine.thumbnailOf = async (picture) => {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
        const webp = thumbnails[Number.parseInt(picture.slice(-4), 16) % thumbnails.length] ?? '';
        return { kind: 'made', webp };
      };
    },
    { thumbnails: THUMBNAILS, everyMs: THUMBNAIL_MS },
  );
  const lines = Array.from({ length: PICTURES }, (_, index) => `Photo ${index + 1}`);
  const buffer = Buffer.from(['title', ...lines].join('\n'));
  await page.getByRole('button', { name: 'Add videos' }).first().click();
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'Photos.csv', mimeType: 'text/csv', buffer });
  await page.locator('[role=row] img').first().waitFor();
  const figures = await traceScroll(page);
  await pages.clear();
  return figures;
}

async function measureBarePage(pages: ScenarioPages): Promise<Figures> {
  const page = await pages.openScenario('empty', { viewport: WINDOW });
  await page.evaluate(barePage, { rows: 100_000, rowHeight: ROW_HEIGHT });
  const figures = await traceScroll(page);
  await pages.clear();
  return figures;
}

function line(name: string, all: readonly Figures[]): string {
  const frames = all.flatMap((figures) => figures.frames);
  const work = all.flatMap((figures) => figures.work);
  const shown = (values: readonly number[]): string =>
    [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1).padStart(7)).join('');
  return `${name.padEnd(30)}${shown(frames)}   ${shown(work)}${String(frames.length).padStart(9)}`;
}

const pages = await ScenarioPages.open();
const ours: Figures[] = [];
const bare: Figures[] = [];
const pictures: Figures[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  bare.push(await measureBarePage(pages));
  ours.push(await measureQueue(pages));
  pictures.push(await measurePictures(pages));
}
await pages.close();

const p99 = percentile(
  ours.flatMap(({ frames }) => frames),
  0.99,
);
console.log(`100,000 rows, ${ROWS_A_SECOND} rows a second, ${UPDATES_A_SECOND} updates a second`);
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, drawn in software\n`);
console.log(`${''.padEnd(30)}   between frames, ms      work a frame, ms   frames`);
console.log(`${''.padEnd(30)}    p50    p99    max       p50    p99    max`);
console.log(line('the queue, with updates', ours));
console.log(line(`${PICTURES} rows with thumbnails`, pictures));
console.log(line('anchor: bare rows, no updates', bare));
console.log(
  `\nRows in the page, at most: ${Math.max(...ours.map(({ mostRows }) => mostRows))} (60)`,
);
console.log(
  `Frame time p99: ${p99.toFixed(1)} ms (target 16.7: ${p99 <= 16.75 ? 'met' : 'missed'}); ` +
    `the anchor's median here is ${median(bare.flatMap(({ frames }) => frames)).toFixed(1)} ms`,
);
