/** The line that says how a file was read, and its menus. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

/** As Excel saves it on Windows, with lines above and a total below the table. */
const SPRING = Buffer.from(
  'Frühjahr 2026;;\r\nStand: 3. März;;\r\nTitel;Farbe;Sekunden\r\n' +
    'Grüße aus Köln;rot;4\r\nÜber uns;#112233;5\r\nSumme;;9\r\n',
  'latin1',
);

async function choose(name: string, buffer: Buffer, locale = 'en-GB'): Promise<Page> {
  const page = await pages.openScenario('running', { locale });
  await page.keyboard.press('a');
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: '', buffer });
  await page.locator('.sections').waitFor();
  return page;
}

const line = (page: Page) => page.getByRole('group', { name: 'How the file was read' });

async function wordsOf(page: Page): Promise<string> {
  return (await line(page).innerText()).replaceAll(/\s*·\s*|\n+/g, ' · ').trim();
}

it('says how the file was read, and lets each part be changed', async () => {
  const page = await choose('spring.csv', SPRING);
  await expect
    .poll(() => wordsOf(page))
    .toBe(
      'Header: row 3 · Windows-1252 · Semicolon · 3 rows · 2 rows left out · 1 looks like a total (row 6, Summe · 9)',
    );

  await page.getByRole('button', { name: /^Rows that may not be videos/ }).click();
  await page.getByRole('menuitem', { name: 'Leave out row 6: Summe · 9' }).click();
  await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  await expect.poll(() => wordsOf(page)).toContain('2 rows · 3 rows left out · Detect again');

  await page.getByRole('button', { name: /^Rows that make no video/ }).click();
  await page.getByRole('menuitem', { name: /^Include row 6/ }).click();
  await expect.poll(() => wordsOf(page)).toContain('1 looks like a total');
  await page.getByRole('button', { name: /^Rows that may not be videos/ }).click();
  await page.getByRole('menuitem', { name: 'Make a video of row 6' }).click();
  await page.getByRole('button', { name: 'Add 3 videos' }).waitFor();

  await page.getByRole('button', { name: 'Add 3 videos' }).click();
  await page.getByText('3 videos added to spring').waitFor();
  const added = (await commandsOf(page)).find(({ name }) => name === 'batches.add');
  expect(added?.input).toMatchObject({ source: { reading: { keepRows: [6] } } });
});

it('asks about headings between videos and about another table, and leaves all out at once', async () => {
  const page = await choose(
    'weeks.csv',
    Buffer.from(
      'title,message\nWeek 48,\nOne,a\nWeek 49,\nTwo,b\n\nName,Role\nAnna,Editor\nJo,Camera\n',
    ),
  );
  await expect.poll(() => wordsOf(page)).toContain('7 rows · 5 rows may not be videos');
  await page.getByRole('button', { name: /^Rows that may not be videos/ }).click();
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual([
      'Leave out all 5 rows',
      'Leave out row 2: Week 48',
      'Make a video of row 2',
      'Leave out row 4: Week 49',
      'Make a video of row 4',
      'Leave out rows 7 to 9: Name · Role',
      'Make videos of rows 7 to 9',
    ]);
  await page.getByRole('menuitem', { name: 'Leave out all 5 rows' }).click();
  await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  await expect.poll(() => wordsOf(page)).toContain('2 rows · 5 rows left out');
});

it('offers each encoding with the words that it makes of the file', async () => {
  const page = await choose('spring.csv', SPRING);
  await page.getByRole('button', { name: /^Encoding of the text/ }).click();
  const menu = page.getByRole('menu');
  await menu.getByText('Frühjahr 2026').first().waitFor();
  const first = menu.getByRole('menuitem').first();
  await expect.poll(() => first.innerText()).toMatch(/^Windows-1252 \(Western\)\s+Frühjahr 2026$/);
  await menu.getByRole('menuitem', { name: /^Windows-1251/ }).click();
  await page.getByRole('row').filter({ hasText: 'ber uns' }).waitFor();
  await expect.poll(() => page.getByRole('row').nth(1).innerText()).toContain('GrьЯe');
});

it('takes another row as the header, and detects it again', async () => {
  const page = await choose('spring.csv', SPRING);
  await page.getByRole('button', { name: /^Row with the names of the columns/ }).click();
  await page.getByRole('menuitem', { name: 'Row 2: Stand: 3. März' }).click();
  await expect.poll(() => wordsOf(page)).toContain('Header: row 2');
  await page.getByRole('button', { name: 'Detect again' }).click();
  await expect.poll(() => wordsOf(page)).toContain('Header: row 3');
});

it('keeps its menus when the choice leaves nothing to read', async () => {
  const page = await choose('spring.csv', SPRING);
  await page.getByRole('button', { name: /^What separates cells/ }).click();
  await page.getByRole('menuitem', { name: 'One column' }).click();
  await page.getByRole('button', { name: 'Detect again' }).click();
  await expect.poll(() => wordsOf(page)).toContain('Semicolon · 3 rows');
});

it('says the same in German', async () => {
  const page = await choose('spring.csv', SPRING, 'de-DE');
  const german = page.getByRole('group', { name: 'So wurde die Datei gelesen' });
  await expect
    .poll(async () => (await german.innerText()).replaceAll(/\s*·\s*|\n+/g, ' · '))
    .toBe(
      'Kopfzeile: Zeile 3 · Windows-1252 · Semikolon · 3 Zeilen · 2 Zeilen ausgelassen · 1 sieht nach einer Summe aus (Zeile 6, Summe · 9)',
    );
});

it('accepts every kind of table in the file picker', async () => {
  const page = await pages.openScenario('running');
  await page.keyboard.press('a');
  const accept = await page.locator('input[type=file]').first().getAttribute('accept');
  for (const kind of [
    '.csv',
    '.tsv',
    '.xlsx',
    '.xls',
    '.ods',
    '.fods',
    '.jsonl',
    '.json',
    '.html',
    '.txt',
  ]) {
    expect(accept?.split(',')).toContain(kind);
  }
});
