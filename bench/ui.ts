/**
 * Scrolls the queue's table with 100,000 rows continuously while 20 updates a second change the
 * visible rows, 3,333 lines that stand for three videos each, and a checked table of 500 rows
 * whose thumbnails come meanwhile; and presses keys in the 100,000 rows: `npm run bench:ui`.
 *
 * Targets: the 99th percentile of the time between two frames at most 16.7 ms, and a key press
 * painted within 50 ms. Without a graphics card Chromium draws in software. So a baseline alternates
 * with the scrolling: the same scroll over the same number of rows in a page with neither framework
 * nor updates. Both tables also have the main thread's processor time (script, style, layout and
 * paint lists), which depends neither on a graphics card nor on other programs.
 */
import { cpus, loadavg } from 'node:os';
import { createCanvas } from '@napi-rs/canvas';
import { ScenarioPages } from '../test/rigs/page-scenarios/scenario-pages.ts';
import { KEY_HEADINGS, keyLine, pressKeys, type KeyFigures } from './ui/key-presses.ts';
import { barePage } from './ui/bare-page.ts';
import {
  HEADINGS,
  line,
  median,
  percentile,
  ROW_HEIGHT,
  ROWS_A_SECOND,
  traceScroll,
  type Figures,
} from './ui/scroll.ts';

const ROUNDS = 2;
const UPDATES_A_SECOND = 20;
/** Visible rows that every update changes. */
const CHANGED_AT_ONCE = 6;
/** Rows of the checked table. */
const PICTURES = 500;
/** How long each of four requests at a time takes, as photos that contain previews do. */
const THUMBNAIL_MS = 20;
const WINDOW = { width: 1440, height: 900 };

async function measureQueue(
  pages: ScenarioPages,
  scenario: 'many' | 'many-rows',
): Promise<Figures> {
  const page = await pages.openScenario(scenario, { viewport: WINDOW });
  await page.getByRole('row').nth(20).waitFor();
  const videosALine = scenario === 'many' ? 1 : 3;
  const timer = await page.evaluate(
    ({ every, changed, videosALine }) => {
      let turn = 0;
      return window.setInterval(() => {
        const rows = [...document.querySelectorAll('[role=rowgroup] [role=row]')];
        const ids = rows
          .filter((_, index) => index % Math.ceil(rows.length / changed) === 0)
          .map((row) => `job-${videosALine * (Number(row.getAttribute('aria-rowindex')) - 2)}`);
        turn += 1;
        window.engine.change(ids, {
          state: 'rendering',
          progress: { fraction: (turn % 100) / 100, estimated: false },
        });
      }, every);
    },
    { every: 1000 / UPDATES_A_SECOND, changed: CHANGED_AT_ONCE, videosALine },
  );
  const figures = await traceScroll(page);
  // The document, and so its timers, is used again.
  await page.evaluate((id) => {
    clearInterval(id);
  }, timer);
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

async function measureKeys(pages: ScenarioPages): Promise<readonly KeyFigures[]> {
  const page = await pages.openScenario('many', { viewport: WINDOW });
  await page.getByRole('row').nth(20).waitFor();
  const figures = await pressKeys(page);
  await pages.clear();
  return figures;
}

const pages = await ScenarioPages.open();
const ours: Figures[] = [];
const folded: Figures[] = [];
const bare: Figures[] = [];
const pictures: Figures[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  bare.push(await measureBarePage(pages));
  ours.push(await measureQueue(pages, 'many'));
  folded.push(await measureQueue(pages, 'many-rows'));
  pictures.push(await measurePictures(pages));
}
const keys = await measureKeys(pages);
await pages.close();

const p99 = percentile(
  ours.flatMap(({ frames }) => frames),
  0.99,
);
console.log(`100,000 rows, ${ROWS_A_SECOND} rows a second, ${UPDATES_A_SECOND} updates a second`);
console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, drawn in software\n`);
console.log(HEADINGS);
console.log(line('the queue, with updates', ours));
console.log(line('3,333 rows of three videos', folded));
console.log(line(`${PICTURES} rows with thumbnails`, pictures));
console.log(line('anchor: bare rows, no updates', bare));
console.log(
  `\nRows in the page, at most: ${Math.max(...ours.map(({ mostRows }) => mostRows))} (60)`,
);
console.log(
  `Frame time p99: ${p99.toFixed(1)} ms (target 16.7: ${p99 <= 16.75 ? 'met' : 'missed'}); ` +
    `the anchor's median here is ${median(bare.flatMap(({ frames }) => frames)).toFixed(1)} ms`,
);

console.log(`\nKeys in 100,000 rows (target 50 ms); load ${loadavg()[0]?.toFixed(1) ?? '?'}\n`);
console.log(KEY_HEADINGS);
for (const figures of keys) console.log(keyLine(figures));
