import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, Theatre } from '../../rigs/renderer-stage/stage-theatre.ts';

const GOOD = 'title,aspect,accent\nPlum tart,9:16,#7a3a5c\nThe long lunch,16:9,#2c6fe0';
const FAULTY = 'title,aspect,accent\nPlum tart,3:2,#7a3a5c\nThe long lunch,16:9,plum';

let theatre: Theatre;

beforeAll(async () => {
  theatre = await Theatre.open();
});
afterEach(async () => {
  expect(theatre.complaints).toEqual([]);
  await theatre.clear();
});
afterAll(() => theatre.close());

/** Drops a file on the window as a person would. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], fileName, { type: 'text/csv' }));
      return transfer;
    },
    [name, content] as const,
  );
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: data });
  await page.getByText('Let go to check it').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

describe('adding videos', () => {
  it('leads from the empty queue by one button, and adds only what was seen', async () => {
    const page = await theatre.play('empty');
    await page.getByRole('button', { name: 'Add videos' }).click();
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(GOOD) });
    await page.getByText('Costs 2 of your quota').waitFor();
    await page.getByText('2 today').waitFor();
    expect((await commandsOf(page)).map(({ name }) => name)).toEqual(['batches.plan']);
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
    await page.getByRole('row').filter({ hasText: 'Plum tart' }).waitFor();
  });

  it('takes a file dropped anywhere, and shows each fault at its row and column', async () => {
    const page = await theatre.play('running');
    await drop(page, 'menu.csv', FAULTY);
    await page.getByText('2 faults to mend').waitFor();
    expect(await page.locator('[aria-rowindex="2"]').textContent()).toMatch(
      /2.*aspect.*“3:2” is not one of 16:9/s,
    );
    expect(await page.locator('[aria-rowindex="3"]').textContent()).toMatch(
      /3.*accent.*“plum” is not a colour/s,
    );
    expect(await page.getByRole('button', { name: /^Add \d/ }).isDisabled()).toBe(true);
  });

  it('takes rows pasted from a spreadsheet', async () => {
    const page = await theatre.play('running');
    await page.keyboard.press('a');
    await page.getByLabel(/^Rows, with/).fill(GOOD.replaceAll(',', '\t'));
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  });

  it('says why a file cannot be read, and lets another one be tried', async () => {
    const page = await theatre.play('running');
    await drop(page, 'menu.csv', 'what\nPlum tart');
    await page.getByRole('alert').getByText('1 fault to mend').waitFor();
    await drop(page, 'menu.csv', GOOD);
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  });

  it('keeps everything when the engine goes away at the last step', async () => {
    const page = await theatre.play('running');
    await drop(page, 'menu.csv', GOOD);
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByRole('alert').getByText('That did not reach the engine').waitFor();
    await page.evaluate(() => {
      window.engine.connected = true;
    });
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
  });
});
