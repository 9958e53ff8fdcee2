import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import { commandsOf, reconnectAndPress } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

it('the days of the chart do not overlap in a narrow window', async () => {
  const page = await pages.openScenario('running', {
    viewport: { width: 640, height: 480 },
    locale: 'de-DE',
  });
  await page.keyboard.press('5');
  const days = page.getByRole('main').locator('svg text').filter({ hasText: 'März' });
  await days.first().waitFor();
  const places = await days.evaluateAll((labels) =>
    labels
      .map((label) => label.getBoundingClientRect())
      .map(({ left, right }) => ({ left, right })),
  );
  expect(places.length).toBeGreaterThan(3);
  for (const [index, { left }] of places.entries()) {
    expect(left).toBeGreaterThan((places[index - 1]?.right ?? 0) + 4);
  }
});

async function open(scene: ScenarioName): Promise<Page> {
  const page = await pages.openScenario(scene);
  await page.keyboard.press('5');
  await page.getByRole('heading', { name: 'Monthly quota' }).waitFor();
  return page;
}

it('shows what is left of each limit, also in the sidebar, and the month day by day', async () => {
  const page = await open('running');
  await page.getByRole('main').getByRole('meter', { name: 'New videos: 4 of 10 left' }).waitFor();
  await page.getByText(/^The queue uses the last one .*; 59 wait until /).waitFor();
  await page.getByRole('img', { name: /^Videos left this month/ }).waitFor();
  await page.getByText('As a table').click();
  await expect
    .poll(async () => {
      const used = await page.locator('tbody td:nth-child(2)').allTextContents();
      return used.reduce((sum, count) => sum + Number(count), 0);
    })
    .toBe(112);
  // The service reports no balance.
  expect(await page.getByText('Balance').count()).toBe(0);

  // The sidebar: what each number counts, and when it resets.
  const limits = page.getByRole('region', { name: 'Limits', exact: true });
  await expect
    .poll(() => limits.innerText())
    .toMatch(
      new RegExp(
        [
          'New videos',
          '21 min',
          '4 of 10 left',
          'Status checks',
          '40 s',
          '58 of 60 left',
          'Downloads',
          '44 min',
          '27 of 30 left',
          'Videos this month',
          '28 Mar',
          '112 of 150 used',
        ].join(String.raw`\s+`),
      ),
    );
  await limits.getByTitle('Resets in 21 min').waitFor();
});

it('shows a limit of simultaneous renders, and what others use', async () => {
  const page = await open('few-at-a-time');
  const meter = { name: 'Rendering: 3 of 5 at a time' };
  await page.getByRole('main').getByRole('meter', meter).waitFor();
  await page.getByRole('main').getByText('Another one can be sent now').waitFor();
  await page.getByRole('complementary').getByRole('meter', meter).waitFor();

  const sentence = /Others use about 3 an hour\. Times shown allow for that\./;
  const explanations = page.getByRole('main').getByText('Requests for');
  await expect
    .poll(() => explanations.allTextContents())
    .toEqual([
      expect.stringMatching(sentence),
      expect.not.stringContaining('Others use'),
      expect.not.stringContaining('Others use'),
    ]);
});

it.each([
  ['low-balance', 'en-GB', 'Balance', /^Left\s+180 credits\s+Read\s+2 min ago\s+As the service/],
  ['other-balance', 'en-GB', 'Balance', /^Left\s+US\$8\.07\s+Read\s+2 min ago/],
  ['low-balance', 'de-DE', 'Guthaben', /^Übrig\s+180 Credits\s+Abgefragt\s+vor 2 Min\./],
] as const)(
  'shows the balance of %s in %s, and when it was read',
  async (scene, locale, name, is) => {
    const page = await pages.openScenario(scene, { locale });
    await page.keyboard.press('5');
    const section = page.getByRole('main').getByRole('region', { name, exact: true });
    await expect.poll(async () => (await section.innerText()).replace(name, '').trim()).toMatch(is);
  },
);

it('shows a limit as all available once its window ends, without an update from the engine', async () => {
  const page = await open('running');
  const meters = page.getByRole('meter', { name: 'Status checks: 60 of 60 left' });
  await page.evaluate(() => {
    window.now += 39_000;
  });
  await page.getByRole('main').getByText('Resets in 1 s').waitFor();
  await expect.poll(() => meters.count()).toBe(0);
  await page.evaluate(() => {
    window.now += 1000;
  });
  await expect.poll(() => meters.count()).toBe(2);
  await page.getByRole('complementary').getByText('60 of 60 left').waitFor();
  await expect.poll(() => page.getByText('Resets in 0 s').count()).toBe(0);
  await page.getByRole('main').getByText('4 of 10 left').waitFor();
});

it('applies the user’s count, confirms it, and shows it at once', async () => {
  const page = await open('running');
  const count = page.getByLabel('Used this month, by the service’s count');
  await count.fill('a few');
  await count.press('Enter');
  await page.getByText('A whole number, 0 or more').waitFor();
  await expect.poll(() => count.inputValue()).toBe('a few');
  await count.fill('1e1');
  await count.press('Enter');
  await page.getByText('A whole number, 0 or more').waitFor();
  await count.fill('40');
  await count.press('Enter');
  await page.getByText('Count corrected').waitFor();
  await page.getByText(/^Last corrected to 40, /).waitFor();
  await expect
    .poll(() => commandsOf(page))
    .toEqual([{ name: 'quota.correct', input: { origin: 'https://video.example.com', used: 40 } }]);
});

it('reads a count with the separators that counts are shown with', async () => {
  const page = await open('running');
  const count = page.getByLabel('Used this month, by the service’s count');
  await count.fill('1.000');
  await count.press('Enter');
  await page.getByText('Count corrected').waitFor();
  await expect
    .poll(() => commandsOf(page))
    .toEqual([
      { name: 'quota.correct', input: { origin: 'https://video.example.com', used: 1000 } },
    ]);
});

it('says that nothing is left, until when, and that the service says so', async () => {
  const page = await open('quota');
  await page.getByRole('main').getByText('The service says it is used up').waitFor();
  await page.getByText(/^Nothing is left until /).waitFor();
  await page.getByText(/used up Spool tries again every day\.\s*$/).waitFor();
});

it('reports that the month could not be read, and reads it again on request', async () => {
  const page = await pages.openScenario('running');
  await page.evaluate(() => {
    window.engine.connected = false;
  });
  await page.keyboard.press('5');
  await page.getByText('The daily figures could not be read.').waitFor();
  await reconnectAndPress(page.getByRole('main').getByRole('button', { name: 'Try again' }));
  await page.getByRole('img', { name: /^Videos left this month/ }).waitFor();
});

it('accepts a label for the key, but no key as a label', async () => {
  const page = await open('running');
  const label = page.getByRole('region', { name: 'API key' }).getByLabel('Label');
  await label.fill('svc_live_0123456789');
  await label.press('Enter');
  await page.getByText('That is a key. A label is shown on screen; a key never is.').waitFor();
  await expect.poll(() => commandsOf(page)).toEqual([]);
  await label.fill(' Studio ');
  await label.press('Enter');
  await expect.poll(() => label.inputValue()).toBe('Studio');
  await page.getByRole('button', { name: 'Change key' }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.getByLabel('Label (optional)').inputValue()).toBe('Studio');
  await dialog.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
  await page.keyboard.press('Enter');
  await page.getByText('The service accepts the key').waitFor();
  await expect
    .poll(() => commandsOf(page))
    .toEqual([
      { name: 'key.label', input: { origin: 'https://video.example.com', label: 'Studio' } },
      {
        name: 'key.set',
        input: { origin: 'https://video.example.com', length: 19, label: 'Studio' },
      },
    ]);
});

it('shows only the key’s last characters, tests it, and removes it after confirmation', async () => {
  const page = await open('running');
  const key = page.getByRole('region', { name: 'API key' });
  await key.getByText('…x7Qd').waitFor();
  await key.getByText('https://video.example.com').waitFor();
  await key.getByText('Entered').waitFor();
  await key.getByRole('button', { name: 'Test key' }).click();
  await page.getByText('The service accepts the key').waitFor();
  await key.getByRole('button', { name: 'Delete key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await key.getByRole('button', { name: 'Delete key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete key' }).click();
  await key.getByText('No key yet').waitFor();
  await expect
    .poll(async () => (await commandsOf(page)).map(({ name }) => name))
    .toEqual(['key.check', 'key.forget']);
});

it('does not mention a month, a quota or a plan if the service has none', async () => {
  const page = await pages.openScenario('no-quota');
  await page.getByRole('complementary').getByText('27 of 30 left').waitFor();
  await page.keyboard.press('5');
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'Rate limits' }).waitFor();
  await expect
    .poll(() => main.getByRole('heading', { level: 2 }).allTextContents())
    .toEqual(['Rate limits', 'API key']);
  expect(await page.locator('body').innerText()).not.toMatch(/month|quota|\bplan\b/i);
});

it('says without a quota that the service has nothing left', async () => {
  const page = await pages.openScenario('nothing-left');
  await page.getByText('The service says that nothing is left').waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(/this month|quota/i);
});

it('mentions the day if the service has a daily limit', async () => {
  const page = await pages.openScenario('daily-cap');
  const limits = page.getByRole('region', { name: 'Limits', exact: true });
  await limits.getByText('Videos today').waitFor();
  await page.keyboard.press('5');
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: 'Daily quota' }).waitFor();
  await main.getByText('Videos today, by the service profile').waitFor();
  await main.getByLabel('Used today, by the service’s count').waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(/month|\bplan\b/i);
});

it('keeps a key that is typed while the service has yet to answer to another', async () => {
  const page = await open('running');
  await page.evaluate(() => {
    const { key } = window.engine.client;
    const { set } = key;
    const answered = new Promise<void>((resolve) => {
      window.addEventListener('answer', () => {
        resolve();
      });
    });
    const late: typeof set = async (...input) => {
      const status = await set(...input);
      await answered;
      return status;
    };
    Object.assign(key, { set: late });
  });
  await page.getByRole('button', { name: 'Change key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await commandsOf(page)).length).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.count()).toBe(0);

  await page.getByRole('button', { name: 'Change key' }).click();
  const field = dialog.getByLabel('Key', { exact: true });
  await field.fill('svc_live_9876543210');
  await page.evaluate(() => {
    window.dispatchEvent(new Event('answer'));
  });
  await page.getByText('The service accepts the key').waitFor();
  expect(await field.inputValue()).toBe('svc_live_9876543210');
});
