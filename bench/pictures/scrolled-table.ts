/** The memory of the app and of its page while a table with pictures is scrolled to its end and back. */
import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import type { Thumbnail } from '../../src/contract/thumbnail.ts';
import { DECODER_FILE } from '../../src/host/posters/decoder-process.ts';
import { ScenarioPages } from '../../test/rigs/page-scenarios/scenario-pages.ts';

const MIB = 1024 ** 2;
const ROUNDS = 3;

/** MiB. */
export interface Memory {
  /** This process, and those that decode. */
  readonly app: number;
  /** The processes of pages. */
  readonly page: number;
}

export interface Scrolled {
  /** Milliseconds from the checked table to the thumbnails of its first screen. */
  readonly firstScreenMs: number;
  /** With the first screen, then after each time to the end and back. */
  readonly memory: readonly Memory[];
}

/** @param thumbnailOf of the row with this number, from 0 */
export async function scrollTable(
  rows: number,
  thumbnailOf: (row: number) => Promise<Thumbnail>,
): Promise<Scrolled> {
  const pages = await ScenarioPages.open();
  try {
    const page = await pages.openScenario('running', { viewport: { width: 1440, height: 900 } });
    await page.exposeFunction('thumbnailOfRow', thumbnailOf);
    await page.evaluate(() => {
      window.engine.hasPictures = true;
      window.engine.thumbnailOf = (picture) => {
        const ofRow = Reflect.get(window, 'thumbnailOfRow') as (row: number) => Promise<Thumbnail>;
        // It ends with the row's number in the file, whose header is row 1.
        return ofRow(Number.parseInt(picture.slice(-4), 16) - 2);
      };
    });
    const lines = Array.from({ length: rows }, (_, index) => `Photo ${index + 1}`);
    const buffer = Buffer.from(['title', ...lines].join('\n'));
    await page.getByRole('button', { name: 'Add videos' }).first().click();
    const file = { name: 'Photos.csv', mimeType: 'text/csv', buffer };
    const start = performance.now();
    await page.getByLabel('Choose files').setInputFiles(file);
    await allShown(page);
    const firstScreenMs = performance.now() - start;
    const memory = [await memoryOf(page)];
    for (let round = 0; round < ROUNDS; round += 1) {
      await scroll(page, 1);
      await scroll(page, -1);
      memory.push(await memoryOf(page));
    }
    return { firstScreenMs, memory };
  } finally {
    await pages.close();
  }
}

/** Screen by screen, each until its thumbnails are there. */
async function scroll(page: Page, direction: 1 | -1): Promise<void> {
  for (;;) {
    const hasMoved = await page.evaluate((to) => {
      const scroller = document.querySelector('[role=grid]')!;
      const before = scroller.scrollTop;
      scroller.scrollTop += to * scroller.clientHeight;
      return scroller.scrollTop !== before;
    }, direction);
    if (!hasMoved) return;
    await allShown(page);
  }
}

/** Until each visible row has its thumbnail. */
async function allShown(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const grid = document.querySelector('[role=grid]');
    if (grid === null) return false;
    const { top, bottom } = grid.getBoundingClientRect();
    const visible = [...grid.querySelectorAll('[role=rowgroup] [role=row]')].filter((row) => {
      const at = row.getBoundingClientRect();
      return at.top >= top && at.bottom <= bottom;
    });
    const images = visible.map((row) => row.querySelector('img'));
    return images.length > 1 && images.every((image) => image?.complete === true);
  });
}

async function memoryOf(page: Page): Promise<Memory> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
  const ours = descendants(process.pid);
  const sum = (part: string): number =>
    ours
      .filter(({ command }) => command.includes(part))
      .reduce((all, { kibibytes }) => all + kibibytes / 1024, 0);
  return {
    app: process.memoryUsage.rss() / MIB + sum(DECODER_FILE),
    page: sum('--type=renderer'),
  };
}

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly kibibytes: number;
  readonly command: string;
}

/** The processes that a process started, and that these started. */
function descendants(pid: number): readonly Running[] {
  const options = ['-ww', '-eo', 'pid=,ppid=,rss=,args='];
  const all = execFileSync('ps', options, { encoding: 'utf8' })
    .split('\n')
    .flatMap((line): Running[] => {
      const [, id, parent, kibibytes, command = ''] =
        /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
      const numbers = { pid: Number(id), parent: Number(parent), kibibytes: Number(kibibytes) };
      return id === undefined ? [] : [{ ...numbers, command }];
    });
  const below = (parent: number): readonly Running[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}
