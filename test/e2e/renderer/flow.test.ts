import { describe, expect, it } from 'vitest';
import { commandsOf, reconnectAndPress } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

describe('a queue that does not move', () => {
  it('is paused and resumed', async () => {
    const page = await pages.openScenario('running');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page
      .getByText('Nothing more is sent. Videos already sent are still downloaded.')
      .waitFor();
    await page.keyboard.press('p');
    await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
    await page.getByRole('button', { name: 'What to pause' }).click();
    await page.getByRole('menuitem', { name: 'Pause everything' }).click();
    await page.getByText('Nothing is sent, checked or downloaded.').waitFor();
    const origin = 'https://video.example.com';
    await expect
      .poll(async () => (await commandsOf(page)).map(({ input }) => input))
      .toEqual([{ origin, what: 'sending' }, { origin }, { origin, what: 'everything' }]);
  });

  it('says that the service cannot be reached, and retries on request', async () => {
    const page = await pages.openScenario('unreachable');
    await page.getByText('The service cannot be reached').waitFor();
    await page.getByText(/Resumes automatically in 2 min/).waitFor();
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('The service cannot be reached').waitFor({ state: 'detached' });
  });

  it('says why a service could not be opened', async () => {
    const page = await pages.openScenario('unopened');
    await page.getByText('The local service did not start. Spool keeps trying.').waitFor();
    expect(await page.getByRole('button', { name: 'Try now' }).count()).toBe(0);
  });

  it('shows a countdown that a screen reader does not announce', async () => {
    const page = await pages.openScenario('unreachable');
    const news = page.locator('.banner [role=status]');
    await news.getByText('Resumes automatically in 2 min').waitFor();
    await news.evaluate((region) => {
      const announced: string[] = [];
      Object.assign(window, { announced });
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const within = target instanceof Element ? target : target.parentElement;
          if (within?.closest('[aria-live=off]') === null) announced.push(target.textContent ?? '');
        }
      }).observe(region, { subtree: true, childList: true, characterData: true });
    });
    await page.evaluate(() => {
      window.now += 45_000;
    });
    await news.getByText('Resumes automatically in a moment').waitFor();
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { announced: string[] }).announced))
      .toEqual([]);
  });

  it('says when a used-up quota resets', async () => {
    const page = await pages.openScenario('quota');
    await page.getByText('This month’s quota is used up').waitFor();
    await page.getByText(/Spool tries again every day/).waitFor();
    expect(await page.getByText(/wait for the next cycle/).count()).toBe(0);
    await expect.poll(() => page.getByRole('complementary').textContent()).toContain('150 of 150');
  });

  it('accepts a new key in a masked field, and stores no part of it in the page', async () => {
    const page = await pages.openScenario('key');
    await page.getByRole('button', { name: 'Enter key' }).click();
    const field = page.getByLabel('Key', { exact: true });
    await expect.poll(() => field.getAttribute('type')).toBe('password');
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('The service refuses this key').waitFor();
    await field.fill('svc_live_0123456789');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('The service accepts the key').waitFor();
    await page.getByText('The service refuses the API key').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain('svc_live_0');
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(Object.entries(localStorage))))
      .not.toContain('svc_live');
  });
});

describe('several services', () => {
  it('are listed with their counts, and shown by one click', async () => {
    const page = await pages.openScenario('several-services');
    const services = page.getByRole('region', { name: 'Services' });
    const current = services.locator('[aria-current]');
    await current.getByText('Video service', { exact: true }).waitFor();
    const textOf = (name: string): Promise<string> =>
      services.getByRole('button', { name }).innerText();
    await expect
      .poll(() => textOf('Runway'))
      .toMatch(/1 needs attention\s+31 waiting\s+3 in progress\s+116 saved/);
    expect(await textOf('Creatomate')).toMatch(/^Creatomate\s+8 saved$/);
    expect(await textOf('This computer')).toMatch(/Paused\s+4 waiting\s+12 saved/);
    await services.getByRole('button', { name: 'Runway' }).click();
    await expect
      .poll(async () => await commandsOf(page))
      .toMatchObject([
        { name: 'services.show', input: { origin: 'https://api.dev.runwayml.com' } },
      ]);
  });

  it('are paused and resumed together', async () => {
    const page = await pages.openScenario('several-services');
    const current = page.getByRole('region', { name: 'Services' }).locator('[aria-current]');
    await page.getByRole('button', { name: 'What to pause' }).click();
    await page.getByRole('menuitem', { name: 'Pause all services' }).click();
    await page.getByRole('button', { name: 'Resume Video service', exact: true }).waitFor();
    await page.getByRole('button', { name: 'What to resume' }).click();
    await page.getByRole('menuitem', { name: 'Resume all services' }).click();
    await page.getByRole('button', { name: 'Pause Video service', exact: true }).waitFor();
    await current.getByText('Video service', { exact: true }).waitFor();
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name }) => name))
      .toEqual(['services.pauseAll', 'services.resumeAll']);
  });

  it('can be shown from the palette, also in a narrow window', async () => {
    const page = await pages.openScenario('several-services', {
      viewport: { width: 760, height: 640 },
    });
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /^Show This computer/ }).click();
    await expect
      .poll(async () => await commandsOf(page))
      .toMatchObject([{ name: 'services.show', input: { origin: 'https://127.0.0.1:24680' } }]);
  });

  it('are in a menu in a narrow window, whose button says which needs attention', async () => {
    const page = await pages.openScenario('several-services', {
      viewport: { width: 400, height: 640 },
    });
    const button = page.getByRole('button', { name: /^Services/ });
    await expect
      .poll(() => button.getAttribute('title'))
      .toBe('Services\nRunway: 1 needs attention\nThis computer: Paused');
    await button.locator('.dot').waitFor();
    await button.click();
    await page.getByRole('menuitem', { name: 'Video service 4 need attention' }).waitFor();
    await page.getByRole('menuitem', { name: 'Creatomate 8 saved' }).click();
    await expect
      .poll(async () => await commandsOf(page))
      .toMatchObject([{ name: 'services.show', input: { origin: 'https://api.creatomate.com' } }]);
  });

  it('can be paused from the palette, one or all', async () => {
    const page = await pages.openScenario('several-services');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: /^Pause Video service completely/ }).waitFor();
    await page.getByRole('option', { name: /^Pause all services/ }).waitFor();
    expect(await page.getByRole('option', { name: /^Pause sending/ }).count()).toBe(0);
    await page.getByRole('option', { name: /^Pause Video service(?! completely)/ }).click();
    await page.getByRole('button', { name: 'Resume Video service', exact: true }).waitFor();
  });

  it('are named in the menu when one is paused', async () => {
    const page = await pages.openScenario('several-services');
    await page.getByRole('button', { name: 'What to pause' }).click();
    await page.getByRole('menuitem', { name: 'Pause Video service completely' }).waitFor();
    await page.getByRole('menuitem', { name: 'Pause Video service', exact: true }).click();
    await page.getByRole('button', { name: 'What to resume' }).click();
    await page.getByRole('menuitem', { name: 'Pause all services' }).waitFor();
    await expect
      .poll(async () => await commandsOf(page))
      .toMatchObject([{ name: 'queue.pause', input: { what: 'sending' } }]);
  });
});

describe('a page without its engine', () => {
  it('says so, keeps its content and continues after reconnecting', async () => {
    const page = await pages.openScenario('running');
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    await page.getByText('Not connected to Spool').waitFor();
    await page.getByText('Latte art for beginners', { exact: true }).waitFor();
    await page.evaluate(() => {
      window.engine.change(['job-18'], { state: 'sending' });
    });
    await reconnectAndPress(page.getByRole('button', { name: 'Try now' }));
    await page.getByText('Not connected to Spool').waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: 'Behind the bar: Ana (2)' })
      .getByText('sending', { exact: true })
      .waitFor();
  });

  it('reports a command that could not be sent', async () => {
    const page = await pages.openScenario('running');
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    await page.getByText('Not connected to Spool').waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Spool could not be reached').waitFor();
  });
});

describe('a queue that another process runs', () => {
  it('says so without an alert, and reports what that process does next', async () => {
    const page = await pages.openScenario('elsewhere');
    const line = page.locator('.banner');
    await line.getByText('Another Spool is running this queue (process 4711)').waitFor();
    await page.evaluate(() => {
      window.engine.worker.set({ kind: 'elsewhere', pid: 4711, answers: false });
    });
    await line
      .getByText(/running this queue does not respond \(process 4711\).*“fg” there/)
      .waitFor();
    await page.evaluate(() => {
      window.engine.worker.set({ kind: 'none', failure: null });
    });
    await line.getByText('The Spool running this queue has ended').waitFor();
    await page.getByText('Latte art for beginners', { exact: true }).waitFor();
    await page.evaluate(() => {
      const part = {
        sentence: 'primary-of-other-service',
        values: { pid: 4712, service: 'https://videos.example' },
      };
      const failure = { code: 'in-use' as const, message: '', says: [part] };
      window.engine.worker.set({ kind: 'none', failure });
    });
    await line.getByText(/process 4712.*https:\/\/videos\.example.*as soon as it can/).waitFor();
    await page.evaluate(() => {
      window.engine.worker.set({ kind: 'here' });
    });
    await line.getByText('4712').waitFor({ state: 'detached' });
    await expect.poll(() => line.innerText()).toBe('');
  });
});

describe('the limits view', () => {
  it('applies the entered quota count, and rejects input that is not a whole number', async () => {
    const page = await pages.openScenario('running');
    await page.keyboard.press('5');
    const field = page.getByLabel(/^Used this month/);
    await field.fill('12.5');
    await page.getByRole('button', { name: 'Correct' }).click();
    await page.getByText('A whole number, 0 or more').waitFor();
    await field.fill('130');
    await page.getByRole('button', { name: 'Correct' }).click();
    await page.getByText('Count corrected').waitFor();
    await expect.poll(() => page.getByRole('complementary').textContent()).toContain('130 of 150');
  });
});
