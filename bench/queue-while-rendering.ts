/**
 * Scrolls the queue of a real `spool web` while it renders a batch on this computer:
 * `npm run bench:rendering [-- --rows 1000 --rounds 3]`.
 *
 * The render processes use every core, at a low priority. The anchor alternates with it: the same
 * scroll over as many rows in a page with neither framework nor updates, while the same batch
 * renders.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../test/rigs/browser.ts';
import { barePage } from './ui/bare-page.ts';
import { HEADINGS, line, ROW_HEIGHT, traceScroll, type Figures } from './ui/scroll.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const rows = Number(values.rows);
const folder = await mkdtemp(path.join(tmpdir(), 'rendering-bench-'));
const batch = path.join(folder, 'batch.csv');
const lines = Array.from({ length: rows }, (_, row) => `Row ${row + 1},4,480`);
await writeFile(batch, ['title,seconds,resolution', ...lines].join('\n'));

/** Starts `spool` with the bench's data folder. */
function spool(...args: readonly string[]) {
  const main = path.join(import.meta.dirname, '..', 'src', 'cli', 'main.ts');
  const options = ['--data-dir', path.join(folder, 'data'), '--json'];
  return spawn(process.execPath, [main, ...args, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const web = spool('web', '--service', 'local');
const browser = await launchBrowser();
try {
  const [first] = (await once(web.stdout, 'data')) as [Buffer];
  const [link = ''] = /http:[^"\s]+/.exec(first.toString()) ?? [];
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(link);
  const run = spool('run', batch, '--out', path.join(folder, 'files'));
  await page.getByRole('row').nth(20).waitFor();
  const bare = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await bare.evaluate(barePage, { rows, rowHeight: ROW_HEIGHT });

  const ours: Figures[] = [];
  const anchor: Figures[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    await bare.bringToFront();
    anchor.push(await traceScroll(bare));
    await page.bringToFront();
    ours.push(await traceScroll(page));
  }
  const ended = once(run, 'exit');
  run.kill();
  await ended;
  console.log(`${rows} rows, of which ${cpus().length} render at a time`);
  console.log(
    `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, drawn in software\n`,
  );
  console.log(HEADINGS);
  console.log(line('the queue while it renders', ours));
  console.log(line('anchor: bare rows', anchor));
} finally {
  await browser.close();
  const ended = once(web, 'exit');
  web.kill();
  await ended;
  await rm(folder, { recursive: true, force: true });
}
