import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const SHORTS = 'title,aspect\nPlum tart,9:16\nThe long lunch,9:16';
const FILMS = 'Title,aspect\nHarvest,16:9';
const REST = '[{"title": "One pan"}, {"title": "Two pans"}, {"title": "Three pans"}]';
const INVALID = 'title,aspect\nWinter,16:9\nSpring,3:2';

type File = readonly [name: string, content: string];

const THREE: readonly File[] = [
  ['shorts.csv', SHORTS],
  ['films.csv', FILMS],
  ['rest.json', REST],
];

const pages = useScenarioPages();

/** Drags files over the window and drops them. */
async function drop(page: Page, ...files: readonly File[]): Promise<void> {
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer();
    for (const [name, content] of dropped) transfer.items.add(new File([content], name));
    return transfer;
  }, files);
  await page.dispatchEvent('main', 'dragenter', { dataTransfer });
  await page.getByText('Drop to check').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer });
}

/** Each file of the list as text: its name and status. */
const listed = (page: Page): Promise<string[]> =>
  page
    .getByRole('list', { name: 'Files' })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.textContent.trim().replace(/\s+/g, ' ')));

/** The added batches, each as the names of its files. */
async function addedFiles(page: Page): Promise<string[][]> {
  const calls = await commandsOf(page);
  return calls
    .filter(({ name }) => name === 'batches.add')
    .map(({ input }) => {
      const { source } = input as { source: { name: string; further?: { name: string }[] } };
      return [source.name, ...(source.further ?? []).map(({ name }) => name)];
    });
}

const shown = (page: Page, words: string) => page.getByRole('heading', { name: words }).waitFor();

const addButton = (page: Page, videos: string) =>
  page.getByRole('button', { name: `Add ${videos}`, exact: true });

describe('several files', () => {
  it('are checked one after another, each as a batch, and one can be skipped', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ...THREE);
    await shown(page, 'File 1 of 3: shorts.csv');
    await expect
      .poll(() => listed(page))
      .toEqual(['shorts.csv 2 rows', 'films.csv 1 row', 'rest.json 3 rows']);
    await addButton(page, '2 videos').click();
    await page.getByText('2 videos added to shorts').waitFor();
    await shown(page, 'File 2 of 3: films.csv');
    await addButton(page, '1 video').waitFor();
    await page.getByRole('button', { name: 'Skip this file' }).click();
    await shown(page, 'File 3 of 3: rest.json');
    await expect
      .poll(() => listed(page))
      .toEqual(['shorts.csv added', 'films.csv left out', 'rest.json 3 rows']);
    await addButton(page, '3 videos').click();
    await page.getByText('2 of 3 files were added').waitFor();
    expect(await addedFiles(page)).toEqual([['shorts.csv'], ['rest.json']]);
    await page.getByRole('button', { name: 'Include films.csv again' }).click();
    await shown(page, 'File 2 of 3: films.csv');
    await addButton(page, '1 video').click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    expect(await addedFiles(page)).toEqual([['shorts.csv'], ['rest.json'], ['films.csv']]);
  });

  it('are neither added nor skipped unseen by the second click of a double click', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ...THREE);
    await addButton(page, '2 videos').click();
    await shown(page, 'File 2 of 3: films.csv');
    await addButton(page, '1 video').dispatchEvent('click', { detail: 2 });
    const skip = page.getByRole('button', { name: 'Skip this file' });
    // It can move to where the button that adds a file was.
    await skip.dispatchEvent('click', { detail: 2 });
    await shown(page, 'File 2 of 3: films.csv');
    await skip.click();
    await shown(page, 'File 3 of 3: rest.json');
    expect(await addedFiles(page)).toEqual([['shorts.csv']]);
  });

  it('stay left out after a double click', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ...THREE);
    await page.getByRole('button', { name: 'Leave out films.csv' }).click();
    const back = page.getByRole('button', { name: 'Include films.csv again' });
    await back.dispatchEvent('click', { detail: 2 });
    await back.waitFor();
    await back.click();
    await page.getByRole('button', { name: 'Leave out films.csv' }).waitFor();
  });

  it('can be added as one batch, in the order of the files', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ...THREE);
    await page.getByText('One batch', { exact: true }).click();
    await shown(page, '3 files as one batch');
    await addButton(page, '6 videos').waitFor();
    const rows = page.getByRole('grid', { name: 'Rows of the batch' }).getByRole('row');
    const titles = ['Plum tart', 'The long lunch', 'Harvest', 'One pan', 'Two pans', 'Three pans'];
    await expect
      .poll(async () => (await rows.allTextContents()).slice(1).map((row) => row.trim()))
      .toEqual(titles.map((title): unknown => expect.stringContaining(title)));
    await page.getByRole('button', { name: 'Leave out films.csv' }).click();
    await shown(page, '2 files as one batch');
    await addButton(page, '5 videos').click();
    await page.getByText('2 of 3 files were added').waitFor();
    expect(await addedFiles(page)).toEqual([['shorts.csv', 'rest.json']]);
    await page.getByRole('button', { name: 'Go to the queue' }).click();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
  });

  it('show the file and row of an error, as one batch', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ['shorts.csv', SHORTS], ['year.csv', INVALID]);
    await expect.poll(() => listed(page)).toEqual(['shorts.csv 2 rows', 'year.csv 1 error']);
    await page.getByText('One batch', { exact: true }).click();
    await page.getByText('1 row needs attention').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'Spring' });
    await expect.poll(() => row.textContent()).toMatch(/3.*Spring.*“3:2” is not one of/);
    await expect.poll(() => row.textContent()).toContain('year.csv');
    await row.getByText('“3:2” is not one of').click();
    const preview = page.getByRole('complementary', { name: 'Row 3 of year.csv' });
    await preview.getByText('“3:2” is not one of').waitFor();
  });

  it('are added without the unreadable ones, which are listed with their errors', async () => {
    const page = await pages.openScenario('running');
    await drop(
      page,
      ['table.pdf', '%PDF-1.7'],
      ['shorts.csv', SHORTS],
      ['empty.csv', ''],
      ['films.csv', FILMS],
    );
    await shown(page, 'File 2 of 4: shorts.csv');
    const problems = [
      'table.pdf “table.pdf” is a document, not a table. Copy its table into a spreadsheet, and add that.',
      'shorts.csv 2 rows',
      'empty.csv “empty.csv” has no rows to make videos from.',
      'films.csv 1 row',
    ];
    await expect.poll(() => listed(page)).toEqual(problems);
    await page.getByText('One batch', { exact: true }).click();
    await addButton(page, '3 videos').click();
    await page.getByText('2 of 4 files were added').waitFor();
    expect(await addedFiles(page)).toEqual([['shorts.csv', 'films.csv']]);
    await drop(page, ['empty.csv', 'title\nRye bread\nSoda bread']);
    await shown(page, 'File 3 of 4: empty.csv');
    await addButton(page, '2 videos').waitFor();
  });

  it('dropped later are shown, and a corrected file replaces the earlier one', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ['year.csv', INVALID]);
    await page.getByText('1 row needs attention').waitFor();
    await drop(page, ['films.csv', FILMS], ['shorts.csv', SHORTS]);
    await shown(page, 'File 2 of 3: films.csv');
    await addButton(page, '1 video').waitFor();
    await expect
      .poll(() => listed(page))
      .toEqual(['year.csv 1 error', 'films.csv 1 row', 'shorts.csv 2 rows']);
    await drop(page, ['year.csv', INVALID.replace('3:2', '1:1')]);
    await page.getByText('year.csv was opened again and replaces the earlier one').waitFor();
    await addButton(page, '2 videos').waitFor();
    await shown(page, 'File 1 of 3: year.csv');
  });

  it('can be selected in the dialog and checked in any order, by keyboard alone', async () => {
    const page = await pages.openScenario('empty');
    await page.getByRole('button', { name: 'Add videos' }).click();
    const picked = THREE.map(([name, content]) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(content),
    }));
    await page.getByLabel('Choose files').setInputFiles(picked.slice(0, 2));
    await shown(page, 'File 1 of 2: shorts.csv');
    await page.getByRole('status').filter({ hasText: 'File 1 of 2: shorts.csv' }).waitFor();
    await page.getByLabel('Add files').setInputFiles(picked.slice(2));
    await shown(page, 'File 3 of 3: rest.json');
    await page.getByRole('button', { name: /^films.csv/ }).focus();
    await page.keyboard.press('Enter');
    await shown(page, 'File 2 of 3: films.csv');
    await page.getByRole('button', { name: /^rest.json/ }).focus();
    await page.keyboard.press('Enter');
    await shown(page, 'File 3 of 3: rest.json');
    await page.getByRole('status').filter({ hasText: 'File 3 of 3: rest.json' }).waitFor();
    await addButton(page, '3 videos').focus();
    await page.keyboard.press('Enter');
    await shown(page, 'File 1 of 3: shorts.csv');
    await page.getByRole('radio', { name: 'One batch', exact: true }).focus();
    await page.keyboard.press('Space');
    await shown(page, '2 files as one batch');
    await addButton(page, '3 videos').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    expect(await addedFiles(page)).toEqual([['rest.json'], ['shorts.csv', 'films.csv']]);
  });

  it('use the folder and name template of the first one', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ...THREE);
    await page.locator('label').filter({ hasText: 'File names' }).click();
    await page.getByRole('textbox', { name: 'File names' }).fill('{title}');
    await addButton(page, '2 videos').click();
    await shown(page, 'File 2 of 3: films.csv');
    await addButton(page, '1 video').click();
    await shown(page, 'File 3 of 3: rest.json');
    await expect
      .poll(async () => (await commandsOf(page)).filter(({ name }) => name === 'batches.add'))
      .toEqual([
        expect.objectContaining({
          input: expect.objectContaining({ options: { nameTemplate: '{title}' } }) as unknown,
        }),
        expect.objectContaining({
          input: expect.objectContaining({ options: { nameTemplate: '{title}' } }) as unknown,
        }),
      ]);
  });

  it('can be discarded after one question, and list which were left out', async () => {
    const page = await pages.openScenario('running');
    await drop(page, ...THREE);
    await addButton(page, '2 videos').click();
    await shown(page, 'File 2 of 3: films.csv');
    const discard = page.getByRole('button', { name: 'Discard', exact: true });
    await discard.click();
    const question = page.getByRole('dialog', { name: 'Discard the files that were not added?' });
    await question.getByRole('button', { name: 'Keep' }).click();
    await shown(page, 'File 2 of 3: films.csv');
    await discard.click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('1 of 3 files was added').waitFor();
    await expect
      .poll(() => listed(page))
      .toEqual(['shorts.csv added', 'films.csv left out', 'rest.json left out']);
  });

  it('are kept while the engine is disconnected', async () => {
    const page = await pages.openScenario('running');
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    await drop(page, ...THREE);
    await page.getByRole('alert').getByText('Spool could not be reached').waitFor();
    await page.evaluate(() => {
      window.engine.connected = true;
    });
    await page.getByRole('button', { name: 'Check again' }).click();
    await shown(page, 'File 1 of 3: shorts.csv');
    await addButton(page, '2 videos').waitFor();
    await expect
      .poll(() => listed(page))
      .toEqual(['shorts.csv 2 rows', 'films.csv 1 row', 'rest.json 3 rows']);
  });

  it('are limited to 100 at a time, and the page says how many were left out', async () => {
    const page = await pages.openScenario('running');
    const many = Array.from({ length: 112 }, (_, at): File => [`${at}.csv`, `title\nFilm ${at}`]);
    await drop(page, ...many);
    await shown(page, 'File 1 of 100: 0.csv');
    await page.getByText('12 files were left out: at most 100 are checked at a time').waitFor();
    await page.getByText('One batch', { exact: true }).click();
    await shown(page, '100 files as one batch');
    await addButton(page, '100 videos').waitFor();
  });

  it('are shown in German, also in a small window', async () => {
    const viewport = { width: 900, height: 700 };
    const page = await pages.openScenario('running', { locale: 'de-DE', viewport });
    await page.keyboard.press('a');
    await page.locator('input[type=file]').setInputFiles(
      THREE.map(([name, content]) => ({
        name,
        mimeType: 'text/csv',
        buffer: Buffer.from(content),
      })),
    );
    await shown(page, 'Datei 1 von 3: shorts.csv');
    await page.getByRole('button', { name: 'Diese Datei überspringen' }).click();
    await shown(page, 'Datei 2 von 3: films.csv');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(wide).toBe(false);
    // Rows can be reached in the smallest window too.
    await page.setViewportSize({ width: 640, height: 400 });
    await page.getByRole('grid').getByText('Harvest').click();
    await page.getByRole('dialog').getByText('films/1 Harvest.mp4').waitFor();
  });
});
