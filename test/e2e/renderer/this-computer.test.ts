/** This computer, without limits and as a practice account. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

/** Words of counted things, which have no meaning where nothing is counted. */
const COUNTED = /quota|costs|per month|this month|of your|\bleft\b|API key|plan/i;

const sidebarOf = (page: Page) => page.getByRole('complementary').first();

describe('this computer', () => {
  it('says that it uses less power now, and why', async () => {
    const page = await pages.openScenario('on-battery');
    const sidebar = sidebarOf(page);
    await sidebar.getByText('less power on battery').waitFor();
    await page.evaluate(() => window.engine.client.settings.set({ lessPower: 'always' }));
    await sidebar.getByText('less power', { exact: true }).waitFor();
    await page.evaluate(() => window.engine.client.settings.set({ lessPower: 'never' }));
    await expect.poll(() => sidebar.getByText('less power').count()).toBe(0);
  });

  it('shows one true line in place of limits, and has no view of them', async () => {
    const page = await pages.openScenario('this-computer');
    const sidebar = sidebarOf(page);
    await sidebar.getByText('This computer').waitFor();
    await sidebar.getByText('about 4 s a video').waitFor();
    await sidebar.getByText('no limit').waitFor();
    expect(await sidebar.getByRole('meter').count()).toBe(0);
    expect(await sidebar.innerText()).not.toMatch(COUNTED);
    expect(await sidebar.getByText('Limits', { exact: true }).count()).toBe(0);

    // Nor is there a key or a command that leads to it.
    await page.keyboard.press('5');
    await page.keyboard.press('?');
    await page.getByText('Go to the settings').waitFor();
    expect(await page.getByText('Go to the limits').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('limits');
    expect(await page.getByText('Go to the limits').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    // A menu of the system or a link may ask for it.
    await page.evaluate(() => {
      window.engine.sendPageRequest({ kind: 'show', page: 'limits' });
    });
    await page.getByRole('heading', { name: 'Queue', level: 1 }).waitFor();
  });

  it('has no key and no plan in the settings, but can practise with limits', async () => {
    const page = await pages.openScenario('this-computer');
    await page.keyboard.press('6');
    const practice = page.getByLabel('Practise with limits');
    await practice.waitFor();
    await page.getByText('In use: This computer').waitFor();
    expect(await page.getByRole('heading', { name: 'API key' }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Plan and billing' }).count()).toBe(0);
    expect(await practice.inputValue()).toBe('off');

    await practice.selectOption('creator');
    await page.getByText('In use: Practice account · Creator').waitFor();
    await page.getByRole('heading', { name: 'API key' }).waitFor();
    await page.getByText('Practice account · Creator, 50 videos a month').waitFor();
    await sidebarOf(page).getByText('Practice account · Creator').waitFor();
    await sidebarOf(page).getByRole('meter').first().waitFor();
    await practice.selectOption('off');
    await sidebarOf(page).getByText('no limit').waitFor();
    expect((await commandsOf(page)).filter(({ name }) => name === 'settings.set')).toMatchObject([
      { input: { service: { kind: 'local', practice: 'creator' } } },
      { input: { service: { kind: 'local', practice: null } } },
    ]);
  });

  it('leaves the limits when practice ends', async () => {
    const page = await pages.openScenario('practice');
    await page.keyboard.press('5');
    await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor();
    await page.evaluate(() =>
      window.engine.client.settings.set({ service: { kind: 'local', practice: null } }),
    );
    await page
      .getByRole('heading', { name: 'Queue', level: 1 })
      .or(page.getByRole('table'))
      .first()
      .waitFor();
    await expect.poll(() => page.locator('main h1').innerText()).not.toBe('Limits');
  });

  it('says of a video that waits for its turn that it is next', async () => {
    const page = await pages.openScenario('this-computer');
    const table = page.getByRole('main');
    await table.getByText('up next', { exact: true }).first().waitFor();
    expect(await table.getByText('up next', { exact: true }).count()).toBe(2);
    expect(await table.getByText('accepted', { exact: true }).count()).toBe(0);
  });

  it('shows no response mapping in the settings', async () => {
    const page = await pages.openScenario('this-computer');
    await page.keyboard.press('6');
    await page.getByLabel('Practise with limits').waitFor();
    expect(await page.getByRole('heading', { name: 'Response mapping' }).count()).toBe(0);
  });

  it('says which videos are still rendered while it is paused', async () => {
    const page = await pages.openScenario('this-computer');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page
      .getByText('The videos that are next in line are still rendered and saved.')
      .waitFor();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'What to pause' }).click();
    await page.getByRole('menuitem', { name: 'Pause everything' }).click();
    await page.getByText('Videos that are being rendered are finished, and saved later.').waitFor();
  });

  it('speaks of time in a plan', async () => {
    const page = await pages.openScenario('this-computer');
    await page.keyboard.press('a');
    const rows = Array.from({ length: 40 }, (_, row) => `Video number ${row}`);
    await page.getByLabel('Choose files').setInputFiles({
      name: 'forty.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['title', ...rows].join('\n')),
    });
    await page.getByRole('button', { name: 'Add 40 videos' }).waitFor();
    const forecast = page.locator('main footer');
    await expect
      .poll(() => forecast.innerText())
      .toMatch(/40 videos\s+rendered on this computer\s+done in about 6 min/);
    expect(await forecast.innerText()).not.toMatch(COUNTED);
    expect(await page.getByText('uses 1 video').count()).toBe(0);
  });

  it('lists no quota in the activity', async () => {
    const page = await pages.openScenario('this-computer');
    await page.keyboard.press('4');
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    expect(await page.getByText(/quota/i).count()).toBe(0);
  });
});

describe('the practice account', () => {
  it('is chosen in the list of services, with the Starter plan', async () => {
    const page = await pages.openScenario('this-computer');
    await page.keyboard.press('6');
    await page.getByRole('button', { name: 'Choose from all services…' }).click();
    await page.getByText('Practice account', { exact: true }).click();
    await page.getByText('Try out a batch before you pay for it').waitFor();
    await page.getByRole('button', { name: 'Practise on this computer' }).click();
    await page.getByText('In use: Practice account · Starter').waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).find(({ name }) => name === 'settings.set')?.input)
      .toEqual({ service: { kind: 'local', practice: 'starter' } });
  });
});

describe('the status bar', () => {
  it('is not idle while a video needs attention or is on hold', async () => {
    const page = await pages.openScenario('refused');
    const bar = page.locator('body footer').last();
    await bar.getByText('1 needs attention').waitFor();
    await bar.getByText('1 on hold').waitFor();
    expect(await bar.getByText('Nothing to do').count()).toBe(0);
  });

  it('counts what renders, waits and needs attention', async () => {
    const page = await pages.openScenario('this-computer');
    const bar = page.locator('body footer').last();
    await expect
      .poll(() => bar.innerText())
      .toMatch(/2 rendering\s[\s\S]*31 waiting[\s\S]*1 on hold[\s\S]*1 needs attention/);
  });
});
