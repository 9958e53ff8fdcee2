import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const GOOD = 'title,aspect,accent\nPlum tart,9:16,#7a3a5c\nThe long lunch,16:9,#2c6fe0';
const INVALID = 'title,aspect,accent\nPlum tart,3:2,#7a3a5c\nThe long lunch,16:9,plum';

const OTHER = 'Dish,What we say\nPlum tart,A tart\nThe long lunch,A lunch';

const pages = useScenarioPages();

async function open(scene: ScenarioName): Promise<Page> {
  return pages.openScenario(scene);
}

/** Drops a table of two videos, and returns the text about its cost. */
async function costIn(scene: ScenarioName, locale: string): Promise<string> {
  const page = await pages.openScenario(scene, { locale });
  await page.keyboard.press('a');
  await drop(page, 'menu.csv', GOOD, locale === 'de-DE' ? 'Zum Prüfen loslassen' : undefined);
  const cost = page.locator('footer .first');
  await cost.waitFor();
  return (await cost.innerText()).replaceAll(/\s+/g, ' ').trim();
}

const addButton = (page: Page) => page.getByRole('button', { name: /^Add (\d+ )?video/ });

/** Pastes what a spreadsheet copies: plain text and an HTML table. */
function paste(page: Page, text: string): Promise<void> {
  return page.evaluate((cells) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', '<table><tr><td>title</td></tr></table>');
    clipboardData.setData('text/plain', cells);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, text);
}

/** Drags a file over the window and drops it. */
async function drop(
  page: Page,
  name: string,
  content: string,
  invitation = 'Drop to check',
): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], fileName, { type: 'text/csv' }));
      return transfer;
    },
    [name, content] as const,
  );
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: data });
  await page.getByText(invitation).waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
}

describe('a file like an earlier one', () => {
  it('is proposed the choices of that one, and makes them with one click', async () => {
    const page = await open('running');
    const earlier = {
      pattern: 'week-*.csv',
      file: 'week-46.csv',
      origin: 'https://video.example.com',
      options: { columns: { title: 'Dish', message: 'What we say' } },
    };
    await page.evaluate((before) => {
      window.engine.client.batches.recall = () => Promise.resolve(before);
    }, earlier);
    await page.keyboard.press('a');
    await drop(page, 'week-47.csv', OTHER);
    await page.getByText('week-46.csv was added with other choices').waitFor();
    await page.getByText('Columns.', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'As with week-46.csv' }).click();

    await page.getByText('week-46.csv was added with other choices').waitFor({ state: 'detached' });
    await addButton(page).click();
    const added = (await commandsOf(page)).find(({ name }) => name === 'batches.add');
    expect(added?.input).toMatchObject({ options: earlier.options });
  });
});

describe('the cost of a batch', () => {
  it.each([
    [
      ...(['low-balance', 'en-GB'] as const),
      'About 240 credits for 2 videos (estimate) More than your balance, which was 180 credits (2 min ago)',
    ],
    [
      ...(['balance', 'en-GB'] as const),
      'About 240 credits for 2 videos (estimate) Your balance was 500 credits (2 min ago)',
    ],
    [
      ...(['other-balance', 'en-GB'] as const),
      'About 10 seconds of video for 2 videos (estimate) Your balance was US$8.07 (2 min ago)',
    ],
    [
      ...(['low-balance', 'de-DE'] as const),
      'Etwa 240 Credits für 2 Videos (geschätzt) Mehr als Ihr Guthaben, das 180 Credits betrug (vor 2 Min.)',
    ],
    [
      ...(['balance', 'de-DE'] as const),
      'Etwa 240 Credits für 2 Videos (geschätzt) Ihr Guthaben betrug 500 Credits (vor 2 Min.)',
    ],
  ])('is shown beside the balance: %s in %s', async (scene, locale, said) => {
    expect(await costIn(scene, locale)).toBe(said);
  });

  it('may exceed the balance', async () => {
    const page = await open('low-balance');
    await page.keyboard.press('a');
    await drop(page, 'menu.csv', GOOD);
    await page.getByText(/^More than your balance/).waitFor();
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
  });
});

describe('adding videos', () => {
  it('starts with one button in an empty queue, and adds nothing before confirmation', async () => {
    const page = await open('empty');
    await page.getByRole('button', { name: 'Add videos' }).click();
    await page
      .getByLabel('Choose files')
      .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(GOOD) });
    await page.getByText('Uses 2 videos of your quota').waitFor();
    await page.getByText('2 today').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name }) => name))
      .toEqual(['batches.plan']);
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
    await page.getByRole('row').filter({ hasText: 'Plum tart' }).waitFor();
  });

  it('accepts a file dropped anywhere, and shows each error at its row and column', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', INVALID);
    await page.getByText('2 rows need attention').waitFor();
    await expect
      .poll(() => page.locator('[aria-rowindex="2"]').textContent())
      .toMatch(/2.*Plum tart.*aspect.*“3:2” is not one of 16:9/s);
    await expect
      .poll(() => page.locator('[aria-rowindex="3"]').textContent())
      .toMatch(/3.*The long lunch.*accent.*“plum” is not a colour/s);
    await expect.poll(() => addButton(page).isDisabled()).toBe(true);
  });

  it('accepts rows pasted from a spreadsheet, in the field or anywhere on the page', async () => {
    const page = await open('running');
    await page.keyboard.press('a');
    const cells = GOOD.replaceAll(',', '\t');
    await page.getByLabel(/^Or paste rows/).fill(cells);
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
    await page.getByRole('button', { name: 'Another file' }).click();
    await page.getByRole('heading', { name: 'Add videos' }).waitFor();
    await paste(page, cells);
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  });

  it('accepts rows pasted in another view, and ignores a pasted line of text', async () => {
    const page = await open('running');
    await paste(page, 'a line that was copied from somewhere');
    await page.keyboard.press('5');
    await paste(page, GOOD.replaceAll(',', '\t'));
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name }) => name))
      .toEqual(['batches.plan']);
  });

  it('says why a file cannot be read, and accepts another one', async () => {
    const page = await open('running');
    await drop(page, 'menu.pdf', '%PDF-1.7');
    await page.getByText('“menu.pdf” is a document, not a table.').waitFor();
    await drop(page, 'menu.csv', '');
    await page.getByText('“menu.csv” has no rows to make videos from.').waitFor();
    await drop(page, 'menu.csv', GOOD);
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  });

  it('stays in the view that was opened while the batch is added', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', GOOD);
    await addButton(page).waitFor();
    await page.evaluate(() => {
      addEventListener('release', window.engine.delay('batches.add'), { once: true });
    });
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await page.locator('label').filter({ hasText: 'Saved' }).click();
    await page.getByRole('navigation').getByRole('button', { name: 'Limits' }).click();
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    await page.evaluate(() => dispatchEvent(new Event('release')));
    await page.getByText('2 videos added to menu').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'Queue' }).click();
    await page.getByText('Meet the roasters', { exact: true }).waitFor();
    expect(await page.getByText('Behind the bar: Ana (2)', { exact: true }).count()).toBe(0);
  });

  it('loses nothing when the engine disconnects at the last step', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', GOOD);
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByRole('alert').getByText('Spool could not be reached').waitFor();
    await page.evaluate(() => {
      window.engine.connected = true;
    });
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
  });
});

describe('adjusting a batch', () => {
  it('matches columns by hand, says what is missing, and reuses the match for the next file', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', OTHER);
    await page.getByText('No column is used for “title”').waitFor();
    await expect.poll(() => addButton(page).isDisabled()).toBe(true);
    await page.getByLabel('What Dish is used for').selectOption('Title (required)');
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
    await expect
      .poll(() => page.getByRole('complementary', { name: 'Row 2' }).textContent())
      .toMatch(/Plum tart.*"title": "Plum tart"/s);
    await page.getByLabel('What What we say is used for').selectOption('message');
    await page.getByText('"text": "A tart"').waitFor();
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
    await drop(page, 'next.csv', OTHER.replace('Plum tart', 'Pear tart'));
    await page.getByText('"title": "Pear tart"').waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByText('Matched as in the last file').waitFor();
    await page.getByRole('button', { name: 'Use Dish for another field too' }).click();
    await page.getByRole('menuitem', { name: 'subtitle' }).click();
    const further = page.getByLabel('What else Dish is used for');
    await page.getByText('"title": "Pear tart"').waitFor();
    await expect.poll(() => further.inputValue()).toBe('subtitle');
    await further.focus();
    await further.selectOption('Not used');
    await further.waitFor({ state: 'detached' });
    const first = page.getByLabel('What Dish is used for');
    const hasFocus = () => first.evaluate((one) => one === document.activeElement);
    await expect.poll(hasFocus).toBe(true);
    await page.getByRole('button', { name: 'Match by name' }).click();
    await page.getByText('No column is used for “title”').waitFor();
    await expect.poll(hasFocus).toBe(true);
  });

  it('shows each error of a long table, wherever it is', async () => {
    const page = await open('running');
    const rows = Array.from({ length: 90 }, (_, row) => {
      const aspect = row === 40 || row === 85 ? '3:2' : '9:16';
      return `Tart ${row + 1},${aspect}`;
    });
    await drop(page, 'menu.csv', ['title,aspect', ...rows].join('\n'));
    const next = page.getByRole('button', { name: 'Next of 2 errors' });
    await next.waitFor();
    const table = page.getByRole('grid');
    await table.getByText('Tart 41', { exact: true }).waitFor();
    expect(await table.getByText('Tart 86', { exact: true }).count()).toBe(0);
    for (const title of ['Tart 41', 'Tart 86', 'Tart 41']) {
      await next.click();
      await page.locator('.cursor').getByText(title, { exact: true }).waitFor();
    }
  });

  it('opens the cell of each error by F8, and redraws what is sent while one types', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,seconds\nPlum tart,8\nLunch,long\nTea,long');
    await page.getByText('2 rows need attention').waitFor();
    await page.keyboard.press('F8');
    const row = page.getByRole('complementary', { name: 'Row 3' });
    const field = row.getByLabel('seconds', { exact: true });
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type('12');
    await page.getByText('1 row needs attention').waitFor();
    await row.getByText('"title": "Lunch"').waitFor();
    await row.getByRole('button', { name: 'Also in 1 row with “long”' }).click();
    await page.getByRole('button', { name: 'Add 3 videos' }).waitFor();
    await field.focus();
    await page.keyboard.press('Control+z');
    await page.getByText('1 row needs attention').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('2 rows need attention').waitFor();
    await expect.poll(() => field.inputValue()).toBe('long');
  });

  it('leaves out rows with errors, and adds the others', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,seconds\nPlum tart,8\nLunch,long\nTea,long');
    await page.getByRole('button', { name: 'Show only these' }).click();
    await expect
      .poll(() => page.getByRole('grid').getByText('Plum tart', { exact: true }).count())
      .toBe(0);
    await page.getByRole('button', { name: 'Leave them out' }).click();
    await page.getByText('left out · “long” is not a number.').first().waitFor();
    await page.getByRole('button', { name: 'Add 1 of 3' }).click();
    await page.getByText('1 video added to menu').waitFor();
    const { input } = (await commandsOf(page)).at(-1) ?? {};
    expect(input).toMatchObject({ options: { leaveOut: [3, 4] } });
  });

  it('shows no request for a row that is left out, even once it has no errors', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,seconds\nPlum tart,8\nLunch,long');
    await page.getByRole('button', { name: 'Leave it out' }).click();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('What seconds is used for').selectOption('Not used');
    await page.getByText('Rows', { exact: true }).click();
    await page.getByRole('grid').getByText('Lunch').click();
    await page.getByRole('button', { name: 'Include this row again' }).waitFor();
    await page.getByText('Nothing would be sent.').waitFor();
    expect(await page.getByText('What is sent').count()).toBe(0);
  });

  it('reuses a match for a corrected file, also after a reload', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'Dish,aspect\nPlum tart,3:2');
    await page.getByLabel('What Dish is used for').selectOption('Title (required)');
    await page.getByText('1 row needs attention').waitFor();
    await drop(page, 'menu.csv', 'Dish,aspect\nPlum tart,9:16');
    await page.getByRole('button', { name: 'Add 1 video' }).waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('button', { name: 'Match by name' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await drop(page, 'menu.csv', 'aspect,Dish\n9:16,Plum tart');
    await page.getByRole('button', { name: 'Add 1 video' }).waitFor();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('button', { name: 'Match by name' }).click();
    await page.getByText('No column is used for “title”').waitFor();
    await drop(page, 'menu.csv', 'Dish,aspect\nPlum tart,9:16');
    await page.getByText('No column is used for “title”').waitFor();
  });

  it('says that a custom template is reused, and can return to the default', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', GOOD);
    await page.getByText('Request', { exact: true }).click();
    await page.getByText('Custom template').click();
    await page.getByLabel('Request, as JSON').fill('{"dish": "{{title}}"}');
    await page.getByText('"dish": "Plum tart"').waitFor();
    const again = page.getByText('Your custom template is used again');
    expect(await again.count()).toBe(0);
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();

    await drop(page, 'menu.csv', GOOD.replace('Plum', 'Pear'));
    await again.waitFor();
    await page.getByRole('button', { name: 'Use the default' }).click();
    await page.getByText('"title": "Pear tart"').waitFor();
    await expect.poll(() => again.count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('fieldset')?.textContent))
      .toContain('Rows');
    await drop(page, 'menu.csv', GOOD.replace('Plum', 'Fig'));
    await page.getByText('"title": "Fig tart"').waitFor();
    expect(await again.count()).toBe(0);
  });

  it('says above the rows which columns are not used at all', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,mesage,Notes,aspect\nPlum tart,Tart,Warm,9:16');
    await page.getByText('2 columns are not used: mesage (is it “Message”?), Notes').waitFor();
    await page.getByText('File names', { exact: true }).click();
    await page.getByRole('textbox', { name: 'File names' }).fill('{mesage} {title}');
    await page.getByText('Rows', { exact: true }).click();
    await page.getByText('1 column is not used: Notes').waitFor();
    await page.getByRole('button', { name: 'Match columns' }).click();
    await page.getByLabel('What Notes is used for').selectOption('message');
    await page.getByText('Rows', { exact: true }).click();
    await page.getByRole('grid', { name: 'Rows of the batch' }).waitFor();
    await expect.poll(() => page.getByText(/column.* not used/).count()).toBe(0);
    await page.getByText('Request', { exact: true }).click();
    await page.getByText('Custom template').click();
    await page.getByLabel('Request, as JSON').fill('{"name": "{{title}} {{ Notes }}"}');
    await page.getByText('"name": "Plum tart Warm"').waitFor();
    await page.getByText('Rows', { exact: true }).click();
    await page.getByText('1 column is not used: aspect').waitFor();
  });

  it('calls a column with an error by its header, in the list and in the preview', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'Headline,Length\nPlum tart,900');
    const row = page.getByRole('complementary', { name: 'Row 2' });
    await row.getByText('Length', { exact: true }).first().waitFor();
    await expect
      .poll(() => page.locator('[aria-rowindex="2"]').textContent())
      .toMatch(/2.*Plum tart.*Length.*“900” is not between/s);
    await page.getByTitle('Length “900” is not between 1 and 600.').waitFor();
  });

  it('does not cut off the first three lines of column buttons', async () => {
    const page = await open('running');
    const names = Array.from({ length: 14 }, (_, index) => `Long column name ${index}`);
    await drop(page, 'menu.csv', `title,${names.join(',')}\nPlum tart`);
    await page.getByText('File names', { exact: true }).click();
    const group = page.getByRole('group', { name: 'Insert a column' });
    await group.waitFor();
    const cut = await group.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect();
      const lines = [
        ...new Set([...element.children].map((one) => one.getBoundingClientRect().bottom)),
      ];
      return (lines[2] ?? Infinity) - bottom;
    });
    expect(cut).toBeLessThanOrEqual(0);
  });

  it('says in German, with German quotes, which columns are missing or not used', async () => {
    const page = await pages.openScenario('running', { locale: 'de-DE' });
    await page.keyboard.press('a');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'karte.csv', mimeType: 'text/csv', buffer: Buffer.from('Gang\n1') });
    await page.getByText('Keine Spalte für „Titel“').waitFor();
    await page.getByRole('button', { name: 'Andere Datei' }).click();
    const buffer = Buffer.from('title,Gericht,Notiz\nPflaumenkuchen,Kuchen,warm');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'karte.csv', mimeType: 'text/csv', buffer });
    await page.getByText('2 Spalten werden nicht verwendet: Gericht, Notiz').waitFor();
  });

  it('fills a custom template for any row, and shows where its errors are', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', OTHER);
    await page.getByText('Request', { exact: true }).click();
    await page.getByText('Custom template').click();
    const text = page.getByLabel('Request, as JSON');
    await text.fill('{"dish": "", }');
    await page.getByText('Not JSON at line 1, column 14').waitFor();
    await expect.poll(() => addButton(page).isDisabled()).toBe(true);
    await text.fill('{"dish": "{{Diish}}"}');
    await page.getByText(/There is no column “Diish”/).waitFor();
    await text.fill('{"dish": ""}');
    await text.evaluate((area: HTMLTextAreaElement) => {
      area.setSelectionRange(10, 10);
    });
    await page.getByRole('button', { name: '{{Dish}}' }).click();
    await page.getByText('"dish": "Plum tart"').waitFor();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByText('"dish": "The long lunch"').waitFor();
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).at(-1)?.input)
      .toMatchObject({
        options: { template: { body: { dish: '{{Dish}}' } } },
      });
  });

  it('shows a frame drawn by the local service, and updates it after each change', async () => {
    const page = await open('here');
    const shown = page.getByRole('img', { name: 'A frame of “Plum tart”' });
    await page.evaluate(() => {
      const draw = window.engine.drawFrame;
      const big = { width: 1080, height: 1920, seconds: 4.25 };
      window.engine.drawFrame = async (request) => ({ ...(await draw(request)), ...big });
    });
    await drop(page, 'menu.csv', GOOD);
    await shown.waitFor();
    await page.getByText('1080 × 1920 · 4.3 s').waitFor();
    const frames = (): Promise<unknown[]> =>
      page.evaluate(() =>
        window.engine.calls
          .filter(({ name }) => name === 'preview.frame')
          .map(({ input }) => input),
      );
    await expect.poll(async () => (await frames()).length).toBe(1);
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByRole('img', { name: 'A frame of “The long lunch”' }).waitFor();
    await page.getByText('Request', { exact: true }).click();
    await page.getByText('Custom template').click();
    await page
      .getByLabel('Request, as JSON')
      .fill('{"scenes": [{"kind": "quote", "text": "{{title}}, twice"}]}');
    await expect
      .poll(async () => (await frames()).at(-1))
      .toEqual({ request: { scenes: [{ kind: 'quote', text: 'The long lunch, twice' }] } });
    await page.getByText('What is sent', { exact: true }).click();
    await page.getByText('"text": "The long lunch, twice"').waitFor();
  });

  it('shows the row in every look, and chooses one with a click', async () => {
    const page = await open('here');
    await drop(page, 'menu.csv', 'title,look\nPlum tart,market\n');
    await page.getByRole('img', { name: 'A frame of “Plum tart”' }).waitFor();
    await page.getByText('Compare looks').click();
    const look = (name: string) => page.getByRole('button', { name, exact: true });
    await look('Stage').locator('img').waitFor();
    expect(await look('Market').getAttribute('aria-pressed')).toBe('true');
    await look('Stage').click();
    await page.locator('[aria-pressed="true"]', { hasText: 'Stage' }).waitFor();
    await page.getByText('"look": "stage"').waitFor({ state: 'attached' });
  });

  it('shows only the request for a remote service', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', GOOD);
    await page.getByRole('heading', { name: 'What is sent' }).waitFor();
    await page.getByText('"aspect": "9:16"').waitFor();
    expect(await page.getByText('Preview frame').count()).toBe(0);
    const calls = await page.evaluate(() => window.engine.calls.map(({ name }) => name));
    expect(calls).not.toContain('preview.frame');
  });

  it('shows the request and the reason when no frame can be drawn, and retries on request', async () => {
    const page = await open('here');
    await page.evaluate(() => {
      const drawn = window.engine.drawFrame;
      const answers: Awaited<ReturnType<typeof drawn>>[] = [
        { kind: 'refused', detail: '/scenes/0/text must not be <b>empty</b>' },
        { kind: 'unavailable' },
      ];
      window.engine.drawFrame = (request) => {
        const answer = answers.shift();
        return answer === undefined ? drawn(request) : Promise.resolve(answer);
      };
    });
    await drop(page, 'menu.csv', GOOD);
    await page.getByText('The service would reject this request:').waitFor();
    await page.getByText('/scenes/0/text must not be <b>empty</b>').waitFor();
    await page.getByText('"aspect": "9:16"').waitFor();
    const row = page.getByRole('complementary');
    await row.getByText('new, but the service would reject it').waitFor();
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByText('The service could not draw a frame.').waitFor();
    await row.getByText('new', { exact: true }).waitFor();
    await page.getByText('"aspect": "16:9"').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: 'A frame of “The long lunch”' }).waitFor();
  });

  it('keeps the previous row’s frame, under its own name, while the next one is drawn', async () => {
    const page = await open('here');
    await drop(page, 'menu.csv', GOOD);
    const shown = page.getByRole('img', { name: 'A frame of “Plum tart”' });
    await shown.waitFor();
    await page.evaluate(() => {
      const drawn = window.engine.drawFrame;
      window.engine.drawFrame = () =>
        new Promise((resolve) => {
          window.addEventListener('draw', () => resolve(drawn(null)), { once: true });
        });
    });
    await page.getByRole('button', { name: 'Next row' }).click();
    await page.getByRole('complementary', { name: 'Row 3' }).locator('img.old').waitFor();
    expect(await shown.count()).toBe(1);
    const next = page.getByRole('img', { name: 'A frame of “The long lunch”' });
    await expect
      .poll(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('draw')));
        return next.count();
      })
      .toBe(1);
  });

  it('says that a frame is being drawn, and shows no frame of a discarded batch', async () => {
    const page = await open('here');
    await page.evaluate(() => {
      const drawn = window.engine.drawFrame;
      window.engine.drawFrame = () =>
        new Promise((resolve) => {
          window.addEventListener('draw', () => resolve(drawn(null)), { once: true });
        });
    });
    await drop(page, 'menu.csv', GOOD);
    await page.getByText('Drawing a frame…').waitFor();
    const box = await page.getByText('Drawing a frame…').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(9 / 16, 2);
    await page.getByRole('button', { name: 'Another file' }).click();
    await drop(page, 'menu.csv', GOOD.replace('Plum', 'Pear'));
    await page.getByText('Drawing a frame…').waitFor();
    await expect
      .poll(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event('draw')));
        return page.getByRole('img', { name: 'A frame of “Pear tart”' }).count();
      })
      .toBe(1);
  });

  it('shows a row in a sheet in a narrow window', async () => {
    const page = await pages.openScenario('running', { viewport: { width: 900, height: 700 } });
    await drop(page, 'menu.csv', GOOD);
    await page.getByRole('grid', { name: 'Rows of the batch' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Row 2' });
    await sheet.getByText('"title": "Plum tart"').waitFor();
    await sheet.getByRole('button', { name: 'Next row' }).click();
    const next = page.getByRole('dialog', { name: 'Row 3' });
    await next.getByText('The long lunch').first().waitFor();
    await page.keyboard.press('Escape');
    await next.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  });

  it('asks which of two columns with the same header to use', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,title\nPlum tart,A lunch');
    await page.getByText('Two columns match the same field: “title” and “title (2)”.').waitFor();
    await page.getByLabel('What title (2) is used for').selectOption('Title (required)');
    await page.getByRole('button', { name: 'Add 1 video' }).waitFor();
    await page.getByText('"title": "A lunch"').waitFor();
  });

  it('asks which of three columns with the same header to use', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,Headline,Name\nPlum tart,A lunch,A tart');
    await page.getByText('Two columns match the same field: “title” and “Headline”.').waitFor();
    await page.getByText('Two columns match the same field: “title” and “Name”.').waitFor();
    await page.getByLabel('What Name is used for').selectOption('Title (required)');
    await page.getByText('"title": "A tart"').waitFor();
  });

  it('names rows that are not objects by their text, and shows their full errors', async () => {
    const page = await open('running');
    await drop(page, 'menu.json', '[{"title": "One"}, "Plum tart", []]');
    await page.getByText('2 rows need attention').waitFor();
    await page.getByRole('gridcell', { name: 'Plum tart' }).click();
    const row = page.getByRole('complementary', { name: 'Row 2' });
    await row.getByText('Nothing would be sent.').waitFor();
    await row.getByText(/Entry 2 is not a JSON object/).waitFor();
    await page.getByRole('gridcell', { name: 'Row 3' }).waitFor();
  });

  it('names files by a template, and previews the names', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', GOOD);
    await page.getByText('File names', { exact: true }).click();
    const field = page.getByRole('textbox', { name: 'File names' });
    await expect.poll(() => field.inputValue()).toBe('{batch}/{index} {title}.mp4');
    await field.fill('{aspect}/{titel}');
    await page.getByText('There is no column called {titel}').waitFor();
    await field.fill('{aspect}-');
    await page.getByRole('button', { name: '{title}' }).click();
    await page.getByText('9:16-Plum tart.mp4').first().waitFor();
    await page.locator('label').filter({ hasText: 'Skip the video' }).click();
    await page.getByRole('button', { name: 'Add 2 videos' }).click();
    await page.getByText('2 videos added to menu').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).at(-1)?.input)
      .toMatchObject({
        options: { nameTemplate: '{aspect}-{title}', onCollision: 'skip' },
      });
  });

  it('numbers files by their rows in the table, counting rows with errors', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title,aspect\nSoup,16:9\nTart,3:2\nLunch,1:1');
    await page.getByText('File names', { exact: true }).click();
    await page.getByText('{index} counts the videos', { exact: false }).waitFor();
    await page.getByRole('textbox', { name: 'File names' }).fill('{index} row {row} {title}');
    const names = page.getByRole('main').locator('li').filter({ hasText: '.mp4' });
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual(['1 row 2 Soup.mp4', '3 row 4 Lunch.mp4']);
  });

  it.each([
    ['menu.csv', 'title,2024,1,Dish,aspect\nSoup,last year,one,Soup,3:2'],
    ['menu.json', '[{"title":"Soup","2024":"last year","1":"one","Dish":"Soup","aspect":"3:2"}]'],
    ['menu.jsonl', '{"title":"Soup","2024":"last year","1":"one","Dish":"Soup","aspect":"3:2"}\n'],
  ])('keeps the column order of %s, also with numeric headers', async (name, content) => {
    const page = await open('running');
    await drop(page, name, content);
    const order = ['title', '2024', '1', 'Dish', 'aspect'];
    await page.locator('label').filter({ hasText: 'Columns' }).click();
    await expect.poll(() => page.locator('tbody th').allInnerTexts()).toEqual(order);
    await page.locator('label').filter({ hasText: 'File names' }).click();
    const names = page.getByRole('group', { name: 'Insert a column' }).getByRole('button');
    await expect
      .poll(() => names.allInnerTexts())
      .toEqual([...order, 'row', 'batch', 'index'].map((column) => `{${column}}`));
    await page.locator('label').filter({ hasText: 'Request' }).click();
    await page.getByText('Custom template').click();
    await expect.poll(() => names.allInnerTexts()).toEqual(order.map((column) => `{{${column}}}`));
  });

  it('shows which rows are duplicates and what they cost, and applies the selected option', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title\nMeet the roasters\nNew\nNew');
    await page.getByText('2 rows are duplicates').waitFor();
    await page.getByText('they cost nothing').waitFor();
    await page.getByRole('gridcell', { name: 'Meet the roasters', exact: true }).click();
    await page.getByText('The same as one in Launch week: saved.').waitFor();
    await page.locator('label').filter({ hasText: 'Render again' }).click();
    await page.getByText('Uses 3 videos of your quota').waitFor();
    await page.locator('label').filter({ hasText: 'Skip' }).click();
    await page.getByText('they cost nothing').waitFor();
    await page.getByRole('button', { name: 'Add 1 video' }).click();
    await page.getByText('1 video added to menu').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).at(-1)?.input)
      .toMatchObject({
        options: { duplicates: 'skip' },
      });
    await drop(page, 'other.csv', 'title\nAnother\nAnother');
    await page.getByText('1 row is a duplicate').waitFor();
    await page.getByText('it costs nothing').waitFor();
    await page.locator('label').filter({ hasText: 'Render again' }).click();
    await page.getByText('it costs 1 video').waitFor();
  });

  it('does not add a row that another batch has until its video is saved', async () => {
    const page = await open('running');
    const waiting = 'Behind the bar: Ana (2)';
    await drop(page, 'menu.csv', `title\n${waiting}\nNew`);
    await page.getByText('1 row is a duplicate').waitFor();
    await page.getByText('1 in other batches, not added').waitFor();
    await page.getByRole('gridcell', { name: waiting, exact: true }).click();
    await page.getByText('The same as one in Launch week: waiting.').waitFor();
    await page.getByText('That video is not finished.').waitFor();
    const choice = page.getByRole('grid').getByLabel('What happens with row 2');
    await choice.selectOption('Render, uses 1 video');
    await page.getByText('Uses 2 videos of your quota').waitFor();
    await choice.selectOption('Don’t add yet, free');
    await page.getByRole('button', { name: 'Add 1 video' }).click();
    await page.getByText('1 video added to menu').waitFor();
  });

  it('lets the user skip or render each duplicate, by keyboard alone', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title\nMeet the roasters\nNew\nNew\nNew');
    await page.getByText('Uses 1 video of your quota').waitFor();
    await page.getByRole('grid', { name: 'Rows of the batch' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    const last = page.getByRole('grid').getByLabel('What happens with row 5');
    await expect.poll(() => last.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.getByText('Uses 2 videos of your quota').waitFor();
    await page.getByText('1 row decided one by one').waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const looked = page.getByRole('complementary', { name: 'Row 2' });
    await looked.getByLabel('What happens with row 2').selectOption('Render, uses 1 video');
    await page.getByText('Uses 3 videos of your quota').waitFor();
    await page.getByRole('button', { name: 'Add 3 videos' }).click();
    await page.getByText('3 videos added to menu').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).at(-1)?.input)
      .toMatchObject({
        options: { duplicateRows: { 2: 'render', 5: 'render' } },
      });
  });

  it('an option for all duplicates replaces the choices for single rows', async () => {
    const page = await open('running');
    await drop(page, 'menu.csv', 'title\nNew\nNew\nNew');
    const choice = page.getByRole('grid').getByLabel('What happens with row 4');
    await choice.selectOption('Render, uses 1 video');
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
    await expect
      .poll(() => page.getByRole('radio', { name: 'Reuse videos' }).isChecked())
      .toBe(false);
    await page.locator('label').filter({ hasText: 'Skip' }).click();
    await page.getByRole('button', { name: 'Add 1 video' }).waitFor();
    await expect.poll(() => page.getByText('decided one by one').count()).toBe(0);
  });
});

describe('one video', () => {
  it('has no cost while the service would reject it', async () => {
    const page = await open('here');
    await page.evaluate(() => {
      window.engine.drawFrame = () => Promise.resolve({ kind: 'refused', detail: 'No scenes.' });
    });
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Describe one video' }).click();
    await page.getByLabel('Title (required)').fill('Plum tart');
    const footer = page.locator('footer');
    await footer.getByText('The service would reject this request').waitFor();
    expect(await footer.getByText(/quota|this month|saved/).count()).toBe(0);
  });

  it('is described in a form, checked and forecast while typing, by keyboard alone', async () => {
    const page = await open('empty');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Describe one video' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Fill in “Title” to see the plan.').waitFor();
    await page.getByLabel('Title (required)').focus();
    await page.keyboard.type('Plum tart');
    await page.getByText('Uses 1 video of your quota').waitFor();
    await page.getByText(/^More fields/).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Seconds').focus();
    await page.keyboard.type('700');
    await page.getByText('“700” is not between 1 and 600.').first().waitFor();
    await expect.poll(() => addButton(page).isDisabled()).toBe(true);
    await page.keyboard.press('Backspace');
    const coming = page.getByRole('complementary', { name: 'Preview' });
    await coming.getByText('"duration": 70').waitFor();
    await coming.getByText('"title": "Plum tart"').waitFor();
    await page.getByRole('button', { name: 'Add 1 video' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 video added to Single videos').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).at(-1))
      .toMatchObject({ name: 'batches.add' });
  });

  it('has form labels in the page’s language', async () => {
    const page = await pages.openScenario('empty', { locale: 'de-DE' });
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Ein Video beschreiben' }).click();
    await page.getByText(/^Weitere Felder/).click();
    await page.getByText('Name unter dem Zitat').waitFor();
    const music = page.getByRole('group', { name: 'Musik' });
    await expect
      .poll(() =>
        music
          .getByRole('radio')
          .evaluateAll((all) => all.map((one) => one.parentElement?.textContent.trim())),
      )
      .toEqual(['Ruhig', 'Heiter', 'Treibend', 'Keine']);
    await music.getByText('Heiter').click();
    await page.getByPlaceholder('keine').first().waitFor();
    await page.getByText('Füllen Sie „Titel“ aus, um den Plan zu sehen.').waitFor();
    await page.getByLabel('Bilder pro Sekunde').fill('90');
    await page.getByText('Titel', { exact: false }).first().waitFor();
    await page.getByLabel('Titel (', { exact: false }).first().fill('Pflaumenkuchen');
    await page.getByText('„90“', { exact: false }).first().waitFor();
    await page.getByLabel('Bilder pro Sekunde').fill('');
    await page.getByText('"soundtrack": "bright"').waitFor();
  });
});

describe('large and unusual files', () => {
  it('turns a table on its side with one click', async () => {
    const page = await open('empty');
    await drop(page, 'menu.csv', 'title,Plum tart,Apple tart\nmessage,Today,Tomorrow\n');
    await page.getByText('The names of the columns are in the first column.').waitFor();
    await page.getByRole('button', { name: 'Turn it' }).click();
    await page.getByText('Turned: row 2 is column B of the file').waitFor();
    const grid = page.getByRole('grid', { name: 'Rows of the batch' });
    await grid.getByText('Apple tart').waitFor();
    await page.getByRole('button', { name: 'Add 2 videos' }).waitFor();
  });

  it('shows 200 rows with errors, and all errors of the opened one', async () => {
    const page = await open('running');
    const rows = Array.from({ length: 200 }, (_, row) => `Film ${row},3:2,soon`);
    await drop(page, 'menu.csv', ['title,aspect,seconds', ...rows].join('\n'));
    await page.getByText('200 rows need attention').waitFor();
    const table = page.getByRole('grid', { name: 'Rows of the batch' });
    await table.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const row = page.getByRole('complementary', { name: 'Row 201' });
    await row.getByText('“soon” is not a number.').waitFor();
    await expect.poll(() => row.textContent()).toMatch(/Film 199.*“3:2” is not one of/s);
  });

  it('accepts 10,000 rows, and renders only the visible ones', async () => {
    const page = await open('empty');
    const rows = Array.from({ length: 10_000 }, (_, row) => `Film ${row},16:9`);
    await drop(page, 'menu.csv', ['title,aspect', ...rows].join('\n'));
    await page.getByText('Uses 10,000 videos of your quota').waitFor();
    await page.getByText(/^9,850 after \d+ \w+$/).waitFor();
    await page.getByRole('grid', { name: 'Rows of the batch' }).focus();
    await page.keyboard.press('End');
    const grid = page.getByRole('grid', { name: 'Rows of the batch' });
    await grid.getByText('Film 9999', { exact: true }).waitFor();
    await expect.poll(() => page.locator('[role=gridcell]').count()).toBeLessThan(400);
    await page.keyboard.press('Enter');
    await page
      .getByRole('complementary', { name: 'Row 10001' })
      .getByText('"title": "Film 9999"')
      .waitFor();
  });

  it('reads a file in Latin-1', async () => {
    const page = await open('running');
    await page.keyboard.press('a');
    await page.getByLabel('Choose files').setInputFiles({
      name: 'menu.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('title\nCaf\u00e9 \u00e0 la cr\u00e8me', 'latin1'),
    });
    await page.getByText('Café à la crème', { exact: true }).first().waitFor();
  });
});

it('says without a quota what a row would do, and which service would render it', async () => {
  const page = await open('no-quota');
  await drop(page, 'menu.csv', GOOD);
  await page.getByText('Renders 2 videos').waitFor();
  await page.getByText('sent to Video service').waitFor();
  const rows = page.getByRole('grid');
  await rows.getByText('new', { exact: true }).first().waitFor();
  expect(await page.getByText('uses 1 video').count()).toBe(0);
});

describe('adding while another service is shown', () => {
  const show = (page: Page, name: string): Promise<void> =>
    page.getByRole('region', { name: 'Services' }).getByRole('button', { name }).click();
  const plans = async (page: Page): Promise<number> =>
    (await commandsOf(page)).filter(({ name }) => name === 'batches.plan').length;

  it('plans the file again for the service that it would be added to', async () => {
    const page = await open('several-services');
    await drop(page, 'menu.csv', GOOD);
    const first = page.getByRole('button', { name: 'Add 2 videos to Video service' });
    await first.waitFor();
    await page.evaluate(() => {
      addEventListener('release', window.engine.delay('batches.plan'));
    });
    const before = await plans(page);
    await show(page, 'Runway');
    await page.getByText('Planned again for Runway').waitFor();
    await page.getByText('Checking menu.csv').waitFor();
    expect(await page.getByRole('button', { name: /^Add \d/ }).count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('release')));
    await page.getByRole('button', { name: 'Add 2 videos to Runway' }).waitFor();
    await page.getByText('sent to Runway').waitFor();
    expect(await plans(page)).toBe(before + 1);
    await show(page, 'Video service');
    await first.waitFor();
    expect(await plans(page)).toBe(before + 2);
  });

  it('plans a single video again, and keeps the typed text', async () => {
    const page = await open('several-services');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'One video' }).click();
    await page.getByLabel('Title (required)').fill('Plum tart');
    await page.getByRole('button', { name: 'Add 1 video to Video service' }).waitFor();
    const before = await plans(page);
    await show(page, 'This computer');
    await page.getByRole('button', { name: 'Add 1 video to This computer' }).waitFor();
    expect(await page.getByLabel('Title (required)').inputValue()).toBe('Plum tart');
    expect(await plans(page)).toBeGreaterThan(before);
  });
});

describe('the files of a single video', () => {
  const openForm = async (scene: ScenarioName, locale = 'en-GB'): Promise<Page> => {
    const page = await pages.openScenario(scene, { locale });
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'One video' }).click();
    return page;
  };

  /** As the preload script does, which knows the paths of dropped files. */
  const dropOn = (field: Locator): Promise<void> =>
    field.evaluate((input) => {
      const target = input.closest<HTMLElement>('[data-takes="file"]');
      const dataTransfer = new DataTransfer();
      for (const name of ['jug.png', 'mug.png']) dataTransfer.items.add(new File([''], name));
      if (target !== null) target.dataset.files = '/home/ana/shop/jug.png\n/home/ana/shop/mug.png';
      input.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });

  it('are chosen, dropped and removed in the app', async () => {
    const page = await openForm('shelf');
    const form = page.getByRole('form', { name: 'One video' });
    const picture = form.getByRole('textbox', { name: 'Picture', exact: true });
    await form.getByRole('button', { name: 'Choose… Picture', exact: true }).click();
    await expect.poll(() => picture.inputValue()).toBe('/home/ana/shop/media/mug.png');

    await form.getByRole('button', { name: 'Clear Picture', exact: true }).press('Enter');
    await expect.poll(() => picture.inputValue()).toBe('');
    expect(await picture.evaluate((input) => input === document.activeElement)).toBe(true);

    await dropOn(picture);
    await expect.poll(() => picture.inputValue()).toBe('/home/ana/shop/jug.png');
    await page.getByText('jug.png was taken, the first of 2 files').waitFor();

    await form.locator('summary').click();
    const pictures = form.getByRole('textbox', { name: 'Pictures', exact: true });
    await dropOn(pictures);
    await form.getByRole('button', { name: 'Choose… Pictures', exact: true }).click();
    const files = ['jug.png', 'mug.png', 'media/mug.png'].map((name) => `/home/ana/shop/${name}`);
    await expect.poll(() => pictures.inputValue()).toBe(files.join('\n'));
  });

  it('are named by their paths in a browser', async () => {
    const page = await openForm('running');
    const form = page.getByRole('form', { name: 'One video' });
    await form.getByPlaceholder('Full path of the file').first().waitFor();
    expect(await form.getByRole('button', { name: /^Choose…/ }).count()).toBe(0);
    expect(await form.locator('[data-takes]').count()).toBe(0);
  });
});
