/** What is done about rows with errors: all values of a column, and the files that are saved. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

const TABLE =
  'Titel;Farbe;Sekunden\r\nOne;blau-ish;4\r\nTwo;#112233;soon\r\nThree;blau-ish;5\r\nFour;rot;6\r\n';

async function choose(): Promise<Page> {
  const page = await pages.openScenario('running');
  await page.keyboard.press('a');
  const file = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(TABLE) };
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('3 rows need attention').waitFor();
  return page;
}

async function savedBy(page: Page, button: string): Promise<readonly [name: string, text: string]> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  const file = await download;
  return [file.suggestedFilename(), readFileSync(await file.path(), 'utf8')];
}

it('corrects all rows with one value of a column, and undoes it', async () => {
  const page = await choose();
  await page.getByText('Columns', { exact: true }).click();
  await page.getByRole('button', { name: 'All values of Farbe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Values of Farbe' });
  const items = dialog.getByRole('listitem');
  await expect.poll(() => items.first().innerText()).toMatch(/“blau-ish” is not a colour.*2 rows/s);
  await expect.poll(() => items.count()).toBe(3);
  const value = dialog.getByLabel('Value blau-ish');
  await value.fill('#2a6f97');
  await value.press('Enter');
  await dialog.getByLabel('Value #2a6f97').waitFor();
  await page.getByText('1 row needs attention').waitFor();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByLabel('Value blau-ish').waitFor();
  await page.getByText('3 rows need attention').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
});

it('scrolls to the first row with an error', async () => {
  const page = await pages.openScenario('running');
  await page.keyboard.press('a');
  const good = Array.from({ length: 60 }, (_, at) => `Good ${at};#112233;5\r\n`).join('');
  const buffer = Buffer.from(`Titel;Farbe;Sekunden\r\n${good}Bad;blau-ish;5\r\n${good}`);
  const file = { name: 'spring.csv', mimeType: 'text/csv', buffer };
  await page.locator('input[type=file]').first().setInputFiles(file);
  const row = page.getByRole('row', { name: /Bad/ });
  await row.waitFor();
  expect(await row.getAttribute('aria-selected')).toBe('true');
  const below = (): Promise<number> =>
    row.evaluate((element) => {
      const table = element.closest('[role="grid"]')?.getBoundingClientRect();
      return element.getBoundingClientRect().bottom - (table?.bottom ?? 0);
    });
  await expect.poll(below).toBeLessThanOrEqual(0);
});

it('saves the rows with errors, and a copy with the corrections', async () => {
  const page = await choose();
  const [name, text] = await savedBy(page, 'Save them as CSV');
  expect(name).toBe('spring.left-out.csv');
  const lines = text.trimEnd().split('\r\n');
  expect(lines[0]).toBe('\ufeffTitel;Farbe;Sekunden;Reason');
  expect(lines.slice(1).map((line) => line.split(';')[0])).toEqual(['One', 'Two', 'Three']);
  expect(lines[2]).toContain('“soon” is not a number');
  await page.getByText('spring.left-out.csv was saved').waitFor();

  await page.getByRole('button', { name: 'Next of 3 errors' }).click();
  await page.getByLabel('Farbe', { exact: true }).first().fill('red');
  await page.getByText('2 rows need attention').waitFor();
  const [copy, corrected] = await savedBy(page, 'Save a corrected copy');
  expect(copy).toBe('spring.corrected.csv');
  expect(corrected).toBe(TABLE.replace('One;blau-ish', 'One;red'));
});
