import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { reconnectAndPress } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

it('lists events, by kind, by title and by time', async () => {
  const page = await pages.openScenario('running');
  await page.keyboard.press('4');
  const grid = page.getByRole('grid', { name: 'Events, newest first' });
  await grid.getByText('Saved and checked').first().waitFor();

  await page.getByRole('button', { name: 'Kind' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Failed or refused' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Outcome unknown' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => grid.getByRole('row').count()).toBe(4);
  await page.getByRole('searchbox').fill('house blend');
  await grid.getByText('Outcome unknown').waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[role="row"]').length === 2);

  await page.getByRole('button', { name: /^Time: / }).click();
  await page.getByRole('menuitem', { name: 'Custom range' }).click();
  await page.getByLabel('Last day').fill('2001-01-01');
  await page.getByText('No matching events').waitFor();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await grid.getByText('Saved and checked').first().waitFor();
});

it('lists which video used each unit of quota, and exports the list', async () => {
  const page = await pages.openScenario('running');
  await page.keyboard.press('4');
  await page.getByText('Quota use').click();
  const grid = page.getByRole('grid', {
    name: 'What each unit of quota was used for, newest first',
  });
  const refunded = grid.getByRole('row').filter({ hasText: 'returned' });
  await expect.poll(() => refunded.textContent()).toContain('failed');
  await refunded.click();
  await page.getByRole('region', { name: 'Details' }).getByText('History').waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /JSON/ }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('spool-quota.json');
  const text = await readFile(await download.path(), 'utf8');
  expect(text.split('\n').length).toBeGreaterThan(10);
  await page.getByText('spool-quota.json exported').waitFor();
});

it('reports a read error, and reads again on request', async () => {
  const page = await pages.openScenario('running');
  await page.evaluate(() => {
    window.engine.connected = false;
  });
  await page.getByText('Not connected to Spool').waitFor();
  await page.keyboard.press('4');
  await page.getByText('The activity could not be read').waitFor();
  await reconnectAndPress(page.getByRole('main').getByRole('button', { name: 'Try again' }));
  await page.getByRole('grid', { name: 'Events, newest first' }).waitFor();
});

it.each([
  ['en-GB', 'Verify all', 'File damaged'],
  ['de-DE', 'Alle prüfen', 'Datei beschädigt'],
])('distinguishes damaged from missing files: %s', async (locale, verify, damaged) => {
  const page = await pages.openScenario('shelf', { locale });
  await page.keyboard.press('3');
  await page.getByRole('button', { name: verify }).click();
  await page.keyboard.press('4');
  const row = page.getByRole('row').filter({ hasText: damaged });
  await row.getByText('Meet the roasters', { exact: true }).click();
  await page.getByRole('listitem').getByText(damaged).waitFor();
});

it('shows reasons in the page’s language, in the details and in the activity', async () => {
  const page = await pages.openScenario('running', { locale: 'de-DE' });
  await page.getByText('The new house blend', { exact: true }).click();
  const why = 'Ob das Video angenommen wurde, ist nicht bekannt.';
  await page.getByRole('listitem').getByText(why).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('4');
  await page.keyboard.press('/');
  await page.keyboard.type('house blend');
  await page.getByRole('row').getByText(why).first().waitFor();
});

it('sums what videos cost by month, week, batch and service, and exports the sums', async () => {
  const page = await pages.openScenario('two-batches');
  await page.keyboard.press('4');
  await page.getByText('Cost', { exact: true }).click();
  const table = page.getByRole('table', { name: 'Cost' });
  await table.getByRole('row', { name: /^Mar 2026 10 10 of the quota/ }).waitFor();
  await page.getByRole('img', { name: 'Videos by month' }).waitFor();
  await page.getByRole('main').getByText('Batch', { exact: true }).click();
  await table.getByRole('row', { name: /^Teasers 6 6 of the quota/ }).waitFor();
  await table.getByRole('row', { name: /^Total 10 10 of the quota/ }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toBe('spool-cost.csv');
});
