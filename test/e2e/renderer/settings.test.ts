import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AppUpdate } from '../../../src/contract/computer.ts';
import type { ScenarioName } from '../../rigs/page-scenarios/scenarios.ts';
import { commandsOf, reconnectAndPress } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';

const pages = useScenarioPages();

async function open(scene: ScenarioName = 'running'): Promise<Page> {
  const page = await pages.openScenario(scene);
  await page.keyboard.press('6');
  await page.getByRole('heading', { name: 'Folder and names' }).waitFor();
  return page;
}

/** The changes that the page sent to the engine, without requests for example names. */
async function changesOf(page: Page): Promise<unknown[]> {
  const calls = await commandsOf(page);
  return calls.filter(({ name }) => name === 'settings.set').map(({ input }) => input);
}

/** Chromium's headless shell has no notifications, and says that they are denied. */
const permit = (permission: NotificationPermission) => (page: Page) =>
  page.addInitScript((given) => {
    Object.defineProperty(Notification, 'permission', { get: () => given });
  }, permission);

describe('settings while another service is shown', () => {
  it('change to that service’s settings', async () => {
    const page = await open('several-services');
    const address = page.getByLabel('Address', { exact: false }).first();
    await expect.poll(() => address.inputValue()).toBe('https://video.example.com');
    await page.getByText('In use: Video service').waitFor();
    await page.getByRole('button', { name: /^Runway ·/ }).click();
    await expect.poll(() => address.inputValue()).toBe('https://api.dev.runwayml.com');
    await page.getByText('In use: Runway').waitFor();
  });
});

describe('notifications in a browser', () => {
  it('are shown once for a finished batch, while the window has no focus', async () => {
    const page = await pages.openScenario('running', {}, permit('granted'));
    const shown = await page.evaluateHandle(() => {
      const notices: string[][] = [];
      document.hasFocus = () => false;
      window.Notification = class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          notices.push([title, options?.body ?? '']);
        }
      };
      return notices;
    });
    await page.keyboard.press('6');
    await page.getByText('Shown by your browser while this page is open').waitFor();
    await page.evaluate(async () => {
      const { engine } = window;
      const { jobs } = await engine.client.jobs.list({ limit: 500 });
      engine.change(
        jobs.map(({ id }) => id),
        { state: 'done' },
      );
    });
    await expect
      .poll(() => shown.jsonValue())
      .toEqual([['Launch week is finished', expect.stringMatching(/^\d+ videos are saved\.$/)]]);
  });

  it('are requested by a button, and explained if the browser denies them', async () => {
    const page = await pages.openScenario('running', {}, permit('default'));
    await page.evaluate(() => {
      Notification.requestPermission = () => Promise.resolve('denied');
    });
    await page.keyboard.press('6');
    await page.getByRole('button', { name: 'Allow notifications' }).click();
    await page.getByText('Notifications are blocked.').waitFor();
  });
});

describe('newer versions of the app', () => {
  it('are offered if the app can update itself, each channel with an explanation', async () => {
    const page = await open('shelf');
    const kinds = page.getByLabel('Updates', { exact: true });
    await kinds.selectOption('Previews too');
    await page.getByText('New features first, less tested.').waitFor();
    await kinds.selectOption('None');
    await page.getByText('Spool does not check.').waitFor();
    await expect.poll(() => changesOf(page)).toEqual([{ updates: 'preview' }, { updates: 'off' }]);
  });

  it('are not a setting if it cannot', async () => {
    const page = await open();
    await page.getByLabel('When Spool starts').waitFor();
    await expect.poll(() => page.getByLabel('Updates', { exact: true }).count()).toBe(0);
  });

  it('wait for the batch to finish, then install at once or later', async () => {
    const page = await open('shelf');
    const tell = (update: AppUpdate): Promise<void> =>
      page.evaluate((state) => window.engine.update.set(state), update);
    const restart = page.getByRole('button', { name: 'Restart now' });
    await tell({ state: 'downloading', version: '2.0.0' });
    await page.getByText('Version 2.0.0 is being downloaded.').waitFor();
    await tell({ state: 'ready', version: '2.0.0', waits: true });
    await page.getByText('It waits for the current batch to finish.').waitFor();
    await expect.poll(() => restart.isDisabled()).toBe(true);

    await tell({ state: 'ready', version: '2.0.0', waits: false });
    await page.getByRole('button', { name: 'Later' }).click();
    await restart.click();
    // After “Later” it asks again for the next version.
    await tell({ state: 'ready', version: '2.0.1', waits: false });
    await page.keyboard.press('1');
    await page.getByText('Version 2.0.1 is ready.').waitFor();
    await restart.click();
    const restarts = async () =>
      (await commandsOf(page)).filter(({ name }) => name === 'computer.restartToUpdate');
    await expect.poll(restarts).toHaveLength(2);
  });
});

describe('settings', () => {
  it('apply at once, and confirm it', async () => {
    const page = await open();
    await page.getByLabel('If a file already exists').selectOption('Replace the file');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await page.getByText('The existing file is lost.').waitFor();
    await page.getByLabel('A video failed').uncheck();
    await page.getByLabel('Limit bandwidth').check();
    await page.getByLabel('Megabytes a second').fill('2,5');
    await page.getByLabel('Megabytes a second').press('Enter');
    const vpn = page.getByLabel('Allow addresses of VPNs and mobile networks');
    expect(await vpn.isChecked()).toBe(false);
    await vpn.check();
    await page.getByLabel('When Spool starts').selectOption('Stay paused');
    await page.getByText('Nothing is sent until you resume the queue.').waitFor();
    await expect
      .poll(() => changesOf(page))
      .toEqual([
        { onCollision: 'replace' },
        { notifications: { batchSaved: true, needsDecision: true, failed: false } },
        { transfers: { parallel: 3, bytesPerSecond: 6_000_000 } },
        { transfers: { parallel: 3, bytesPerSecond: 2_500_000 } },
        { allowVpnAddresses: true },
        { startUp: 'paused' },
      ]);
  });

  it('show an example name, and save a template when its field is left', async () => {
    const page = await open();
    await page.getByText('Meet the roasters.mp4').waitFor();
    await page.getByLabel('File names').fill('{title} by Ana');
    await expect.poll(() => changesOf(page)).toEqual([]);
    await page.getByLabel('File names').blur();
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await expect.poll(() => changesOf(page)).toEqual([{ nameTemplate: '{title} by Ana' }]);
  });

  it('keep and save what is typed while the value before is being saved', async () => {
    const page = await open();
    await page.evaluate(() => {
      const { settings } = window.engine.client;
      const { set } = settings;
      const answered = new Promise<void>((resolve) => {
        window.addEventListener('answer', () => {
          resolve();
        });
      });
      const late: typeof set = async (...input) => {
        const changed = await set(...input);
        await answered;
        return changed;
      };
      Object.assign(settings, { set: late });
    });
    const template = page.getByLabel('File names');
    await template.fill('{title} by Ana');
    await template.press('Enter');
    await expect.poll(() => changesOf(page)).toEqual([{ nameTemplate: '{title} by Ana' }]);
    await template.fill('{title} by Ben');
    await template.blur();
    await page.evaluate(() => {
      window.dispatchEvent(new Event('answer'));
    });
    await expect
      .poll(() => changesOf(page))
      .toEqual([{ nameTemplate: '{title} by Ana' }, { nameTemplate: '{title} by Ben' }]);
    await expect.poll(() => template.inputValue()).toBe('{title} by Ben');
  });

  it('keep a rejected value for correction', async () => {
    const page = await open();
    const folder = page.getByLabel('Folder', { exact: true });
    await folder.fill('videos');
    await folder.press('Enter');
    await page.getByText('Enter the full path.').waitFor();
    await page.getByRole('status').getByText('Not saved').waitFor();
    await page.getByLabel('A video failed').uncheck();
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await expect.poll(() => folder.inputValue()).toBe('videos');
    await expect.poll(() => folder.getAttribute('aria-invalid')).toBe('true');
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('button', { name: 'Queue' }).click();
    await views.getByRole('button', { name: 'Settings' }).click();
    await page.getByText('Enter the full path.').waitFor();
    await expect.poll(() => folder.inputValue()).toBe('videos');
    await folder.fill('/home/ana/Films');
    await folder.press('Enter');
    await page.getByText('Enter the full path.').waitFor({ state: 'detached' });
    await folder.fill('elsewhere');
    await folder.press('Escape');
    await expect.poll(() => folder.inputValue()).toBe('/home/ana/Films');
  });

  it('revert a switch when the engine is disconnected, but keep typed text', async () => {
    const page = await open();
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    const failed = page.getByLabel('A video failed');
    await failed.click();
    await page.getByText('Spool could not be reached').waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('#settings-notifications input')?.checked,
    );
    await expect.poll(() => failed.isChecked()).toBe(true);
    await page.getByLabel('File names').fill('{title} by Ana');
    await page.getByLabel('File names').press('Enter');
    // Both changes fail: a setting does not wait for the answer to another.
    await expect.poll(() => page.getByText('Spool could not be reached').count()).toBe(2);
    await page.evaluate(() => {
      window.engine.connected = true;
    });
    await expect.poll(() => page.getByLabel('File names').inputValue()).toBe('{title} by Ana');
    await page.getByLabel('File names').press('Enter');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
  });

  it('report a read error, and are read again on request', async () => {
    const page = await pages.openScenario('running');
    await page.evaluate(() => {
      window.engine.connected = false;
    });
    await page.keyboard.press('6');
    await page.getByText('The settings could not be read').waitFor();
    await reconnectAndPress(page.getByRole('main').getByRole('button', { name: 'Try again' }));
    await page.getByRole('heading', { name: 'Folder and names' }).waitFor();
  });

  it('can be changed by keyboard alone', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Transfers' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    await expect.poll(() => focused.evaluate((element) => element.tagName)).toBe('SELECT');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await expect
      .poll(() => changesOf(page))
      .toEqual([{ transfers: { parallel: 4, bytesPerSecond: null } }]);
    await expect.poll(() => page.getByLabel('Simultaneous downloads').inputValue()).toBe('4');
  });
});

describe('the service', () => {
  it('is changed only after confirmation, with the consequences shown first', async () => {
    const page = await open();
    await page.getByText('In use: Video service').waitFor();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('https://other.example.org');
    await page
      .getByText(
        'Videos of “Video service” stay there, and 108 unfinished ones continue. To come back, choose “Video service” under “Services”.',
      )
      .waitFor();
    await expect.poll(() => changesOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep the current one' }).click();
    await expect.poll(() => address.inputValue()).toBe('https://video.example.com');

    await address.fill('http://api.example.org');
    await page.getByRole('button', { name: 'Change the service' }).click();
    await page.getByText('Enter an address such as https://api.example.com').waitFor();
    await expect.poll(() => changesOf(page)).toEqual([]);
    await address.fill('https://api.example.org');
    await page.getByRole('button', { name: 'Change the service' }).click();
    await page.getByText('Service changed').waitFor();
    await expect
      .poll(() => changesOf(page))
      .toEqual([{ service: { kind: 'remote', baseUrl: 'https://api.example.org', ca: null } }]);
    await page.getByText('https://api.example.org', { exact: true }).waitFor();
  });

  it('is selected in the list of services, which returns to the settings', async () => {
    const page = await open();
    const service = page.getByRole('region', { name: 'Service', exact: true });
    expect(await service.getByRole('radio').count()).toBe(0);
    await service.getByRole('button', { name: 'Choose from all services…' }).click();
    await page.getByRole('radio', { name: 'This computer' }).check({ force: true });
    await page.getByRole('button', { name: 'Render on this computer' }).click();
    await page.getByText('In use: This computer').waitFor();
    expect(await page.getByRole('textbox', { name: 'Address' }).count()).toBe(0);
  });

  it.each([
    ['the queue', '1'],
    ['the settings', '6'],
  ])('accepts a certificate when its own is not trusted, from %s', async (_view, key) => {
    const page = await pages.openScenario('untrusted');
    await page.keyboard.press(key);
    const banner = page.getByRole('status').filter({ hasText: 'certificate is not trusted' });
    await banner.getByText('SELF_SIGNED_CERT_IN_CHAIN').waitFor({ state: 'hidden' });
    await banner.getByText('Details', { exact: true }).click();
    await banner.getByText('SELF_SIGNED_CERT_IN_CHAIN').waitFor();
    await banner.getByRole('button', { name: 'Add a certificate' }).click();
    const certificate = page.getByLabel('Certificate authority, PEM');
    await expect
      .poll(() => certificate.evaluate((field) => field === document.activeElement))
      .toBe(true);
    await certificate.fill('-----BEGIN CERTIFICATE-----');
    await page.getByRole('button', { name: 'Change the service' }).click();
    await expect
      .poll(() => changesOf(page))
      .toMatchObject([{ service: { ca: '-----BEGIN CERTIFICATE-----' } }]);
  });

  it('stays unchanged when the change fails, and the form keeps its input', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Address' }).fill('https://unreachable.example.com');
    await page.getByRole('textbox', { name: 'Address' }).press('Enter');
    await page.getByText('The service cannot be reached').waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Address' }).inputValue())
      .toBe('https://unreachable.example.com');
    await page.getByRole('button', { name: 'Change the service' }).waitFor();
    await page.getByText('https://video.example.com', { exact: true }).waitFor();
  });

  it('of the practice account has its plan beside it', async () => {
    const page = await open('practice');
    await page.getByText('You choose the plan of the practice account under “Service”.').waitFor();
    await expect.poll(() => page.getByLabel('Plan', { exact: true }).count()).toBe(0);
  });
});

describe('the list of services', () => {
  const services = (page: Page) =>
    page.getByRole('main').getByRole('list', { name: 'Services' }).getByRole('listitem');

  it('renames one, in the sidebar too', async () => {
    const page = await open('several-services');
    await services(page).filter({ hasText: 'Runway' }).waitFor();
    expect(await page.getByRole('button', { name: 'Rename This computer' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Rename Runway' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name');
    expect(await name.inputValue()).toBe('Runway');
    await name.fill('svc_live_0123456789');
    await dialog.getByText('That is a key.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true);
    await name.fill('Trailers');
    await name.press('Enter');
    await page.getByRole('complementary').getByText('Trailers', { exact: true }).waitFor();
    await services(page).filter({ hasText: 'Trailers' }).waitFor();
  });

  it('removes none while its videos may be paid for, and says so before', async () => {
    const page = await open('several-services');
    await page.getByRole('button', { name: 'Remove Runway' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Runway?' });
    await dialog.getByText('31 videos that were not sent are cancelled.').waitFor();
    await dialog.getByText('4 videos may be paid for and are not saved yet.').waitFor();
    expect(await dialog.getByText('Keep in the archive').count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Remove the service' }).isDisabled()).toBe(
      true,
    );
  });

  it('removes one after a question, with its rows kept or not', async () => {
    const page = await open('several-services');
    await page.getByRole('button', { name: 'Remove Creatomate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Creatomate?' });
    await dialog.getByText('are there again if you add the service again').waitFor();
    await dialog.getByText('Remove from the lists').click();
    await dialog.getByText('but cannot be brought back').waitFor();
    await dialog.getByRole('button', { name: 'Remove the service' }).click();
    await page.getByText('Creatomate was removed').waitFor();
    await expect.poll(() => services(page).filter({ hasText: 'Creatomate' }).count()).toBe(0);
    expect((await commandsOf(page)).at(-1)).toEqual({
      name: 'services.remove',
      input: { origin: 'https://api.creatomate.com', rows: 'remove' },
    });
  });
});

describe('the plan', () => {
  it('is saved at once, a negotiated one with its number', async () => {
    const page = await open();
    const plan = page.getByLabel('Plan', { exact: true });
    await plan.selectOption('Negotiated');
    const number = page.getByLabel('Videos a month');
    await number.fill('many');
    await number.press('Enter');
    await page.getByText('A whole number from 1 to 1,000,000').waitFor();
    await expect.poll(() => changesOf(page)).toEqual([]);
    await number.fill('1,200');
    await number.press('Enter');
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor();
    await page.getByLabel('Billing date').fill('2026-03-17');
    await page.getByLabel('Billing date').press('Enter');
    await page.getByLabel('Billing time zone').selectOption('Europe/Berlin');
    await page.waitForFunction(() => {
      return window.engine.calls.filter(({ name }) => name === 'settings.set').length === 3;
    });
    await expect
      .poll(async () => (await changesOf(page)).at(-1))
      .toEqual({
        origin: 'https://video.example.com',
        plan: { name: 'custom', limit: 1200, billingDate: '2026-03-17', zone: 'Europe/Berlin' },
      });
  });
});

describe('response mapping', () => {
  const openProfile = async (scene: ScenarioName = 'running'): Promise<Page> => {
    const page = await open(scene);
    await page.getByRole('button', { name: 'View and edit' }).click();
    await page.getByRole('heading', { name: 'Where Spool looks' }).waitFor();
    return page;
  };

  it('keeps what is typed while a proposal is made', async () => {
    const page = await openProfile();
    await page.getByLabel('Answer to a request for a video').fill('{"render":{"uuid":"r-77"}}');
    await page.evaluate(() => {
      addEventListener('release', window.engine.delay('profile.propose'), { once: true });
    });
    await page.getByRole('button', { name: 'Propose from the examples' }).click();
    const identifier = page.getByRole('textbox', { name: 'Identifier' });
    await identifier.fill('render.uuid2');
    await page.evaluate(async () => {
      dispatchEvent(new Event('release'));
      await new Promise((resolve) => setTimeout(resolve));
    });
    expect(await identifier.inputValue()).toBe('render.uuid2');
  });

  it('shows a long error in lines as close as other text', async () => {
    const page = await openProfile();
    const error = 'The pictures that the prompt names could not be downloaded. '.repeat(8);
    await page
      .getByLabel(/^Answers about its status/)
      .fill(JSON.stringify({ status: 'FAILED', error }));
    const text = page.getByText(error.trim());
    const lines = await text.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].map(({ top }) => top);
    });
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[1]! - lines[0]!).toBeLessThan(24);
  });

  it('shows the proposal for the latest examples, whichever is made first', async () => {
    const page = await openProfile();
    const example = page.getByLabel('Answer to a request for a video');
    const propose = page.getByRole('button', { name: 'Propose from the examples' });
    const delay = (event: string) =>
      page.evaluate((until) => {
        addEventListener(until, window.engine.delay('profile.propose'), { once: true });
      }, event);
    const release = (event: string) =>
      page.evaluate(async (released) => {
        dispatchEvent(new Event(released));
        await new Promise((resolve) => setTimeout(resolve));
      }, event);
    await delay('first');
    await example.fill('{"render":{"uuid":"r-77"}}');
    await propose.click();
    await delay('second');
    await example.fill('{"task":{"uuid":"k-88"}}');
    await propose.click();
    await release('first');
    await release('second');
    const identifier = page.getByRole('textbox', { name: 'Identifier' });
    await expect.poll(() => identifier.inputValue()).toContain('task.uuid');
  });

  it('is proposed from pasted responses, tested at once, corrected and saved', async () => {
    const page = await openProfile();
    const reading = page.getByRole('region', { name: 'What would be read' });
    await page
      .getByLabel('Answer to a request for a video')
      .fill('202\n{"render":{"uuid":"r-77"}}');
    await page
      .getByLabel(/^Answers about its status/)
      .fill('{"render":{"phase":"al-dente"}}\n{"render":{"phase":"done","percent":100}}');
    await reading.getByText('not found').waitFor();
    await page.getByRole('button', { name: 'Propose from the examples' }).click();
    await reading.getByText('r-77').waitFor();
    await reading.getByText('100 %').waitFor();
    await reading.getByLabel('“al-dente” is not known. It means').selectOption('Rendering');
    const meaning = reading.getByLabel('“al-dente” means');
    await expect.poll(() => meaning.inputValue()).toBe('working');
    await page.getByText('Not saved yet').waitFor();

    const identifier = page.getByRole('textbox', { name: 'Identifier' });
    const proposed = await identifier.inputValue();
    await identifier.fill('render uuid');
    await page.getByText('Enter a path such as “movie.status” or “output[0]”.').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
      .toBe(true);
    await identifier.fill(proposed);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Response mapping saved', { exact: true }).waitFor();
    const saved = (await commandsOf(page)).filter(({ name }) => name === 'profile.save');
    expect(saved).toMatchObject([
      { input: { profile: { answers: { words: { 'al-dente': 'working' } } } } },
    ]);

    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('log').getByText('Reset to the default profile').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Example answers' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  describe('while it is open', () => {
    const identifierOf = (page: Page) => page.getByRole('textbox', { name: 'Identifier' });
    const saveElsewhere = (page: Page, id: string) =>
      page.evaluate(async (path) => {
        const { profile } = window.engine.client;
        const { origin, profile: document } = await profile.get();
        await profile.save({
          origin,
          profile: { ...document, answers: { ...document.answers, id: [path] } },
        });
      }, id);

    it('shows what another window saved, but keeps typed text until the user decides', async () => {
      const page = await openProfile();
      const identifier = identifierOf(page);
      await saveElsewhere(page, 'video.uuid');
      await expect.poll(() => identifier.inputValue()).toBe('video.uuid');
      expect(await page.getByRole('alert').innerText()).toBe('');

      await identifier.fill('render.uuid');
      await saveElsewhere(page, 'clip.uuid');
      const alert = page.getByRole('alert');
      await alert.getByText('The saved profile has changed in the meantime').waitFor();
      expect(await identifier.inputValue()).toBe('render.uuid');
      await alert.getByRole('button', { name: 'Show the saved profile' }).click();
      await expect.poll(() => identifier.inputValue()).toBe('clip.uuid');
      await expect.poll(() => alert.innerText()).toBe('');
    });

    it('says that the service has changed, and keeps the typed text', async () => {
      const page = await openProfile();
      await identifierOf(page).fill('render.uuid');
      await page.evaluate(() =>
        window.engine.client.settings.set({
          service: { kind: 'remote', baseUrl: 'https://other.example.com', ca: null },
        }),
      );
      const alert = page.getByRole('alert');
      await alert.getByText('https://other.example.com').waitFor();
      expect(await identifierOf(page).inputValue()).toBe('render.uuid');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Response mapping saved', { exact: true }).waitFor();
      await expect.poll(() => alert.innerText()).toBe('');
      const { origin, profile } = await page.evaluate(() => window.engine.client.profile.get());
      expect([origin, profile.answers.id]).toEqual(['https://other.example.com', ['render.uuid']]);
    });
  });

  it('can start from a built-in service', async () => {
    const page = await openProfile();
    await page.getByRole('button', { name: 'Start from…' }).click();
    await page.getByRole('menuitem', { name: /json2video/i }).click();
    await page.getByText('Not saved yet').waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'State', exact: true }).inputValue())
      .toBe('movie.status');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
  });

  it('is built in for the practice account, and cannot be changed', async () => {
    const page = await openProfile('practice');
    await page.getByText(/^The answers of the service on this computer are known/).waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Identifier' }).isDisabled())
      .toBe(true);
    await expect.poll(() => page.getByRole('button', { name: 'Start from…' }).count()).toBe(0);
  });
});

describe('import and export', () => {
  const delay = (page: Page, name: string, until: string) =>
    page.evaluate(
      ([delayed, event]) => {
        addEventListener(event, window.engine.delay(delayed), { once: true });
      },
      [name, until] as const,
    );
  /** Returns when the page has received the delayed answers. */
  const release = (page: Page, event: string) =>
    page.evaluate(async (released) => {
      dispatchEvent(new Event(released));
      await new Promise((resolve) => setTimeout(resolve));
    }, event);
  const give = (page: Page, name: string, text: string) =>
    page
      .getByLabel('Settings file')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });

  it('exports all settings except the key, and imports them again', async () => {
    const page = await open();
    await page.getByLabel('If a file already exists').selectOption('Skip the video');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).last().click(),
    ]);
    expect(download.suggestedFilename()).toBe('spool-settings.json');
    const text = await readFile(await download.path(), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ version: 1, onCollision: 'skip' });
    expect(text).not.toMatch(/svc_live|x7Qd/);

    await page.getByLabel('If a file already exists').selectOption('Add a number');
    await give(page, 'studio.json', text);
    const dialog = page.getByRole('dialog', { name: 'Import studio.json?' });
    await dialog.getByRole('row', { name: 'Add a number Skip the video' }).waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('studio.json imported').waitFor();
    await expect.poll(() => page.getByLabel('If a file already exists').inputValue()).toBe('skip');

    await give(page, 'studio.json', text);
    await page.getByText('studio.json changes nothing').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  // abuse.md 49
  it('shows the changes of a file, sensitive ones first, and waits for confirmation', async () => {
    const page = await open();
    const hostile = {
      version: 1,
      theme: 'dark',
      service: { kind: 'remote', baseUrl: 'https://video.evil.example' },
      startAtLogin: true,
      updates: 'preview',
    };
    await give(page, 'free-presets.json', JSON.stringify(hostile));

    const dialog = page.getByRole('dialog', { name: 'Import free-presets.json?' });
    await expect
      .poll(() => dialog.getByRole('row').allInnerTexts())
      .toEqual(
        [
          ['Setting', 'Now', 'After the import'],
          ['Check this:', 'Service', 'https://video.example.com', 'https://video.evil.example'],
          ['Check this:', 'Start when I log in', 'Off', 'On'],
          ['Check this:', 'Updates', 'Stable versions', 'Previews too'],
          ['Theme', 'System', 'Dark'],
        ].map((cells): unknown => expect.stringMatching(new RegExp(cells.join('\\s+')))),
      );
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const imports = async () =>
      (await commandsOf(page)).filter(({ name }) => name === 'settings.import');
    expect(await imports()).toEqual([]);
    await expect.poll(() => page.getByLabel('Start when I log in').isChecked()).toBe(false);

    // If settings changed while the question was open, it asks again.
    await give(page, 'free-presets.json', JSON.stringify({ version: 1, startAtLogin: true }));
    await dialog.getByRole('row', { name: 'Start when I log in' }).waitFor();
    await page.evaluate(() => window.engine.client.settings.set({ closeToTray: false }));
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('The settings were changed in the meantime').waitFor();
    await dialog.getByRole('row', { name: 'Start when I log in' }).waitFor();
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('free-presets.json imported').waitFor();
    await expect.poll(() => page.getByLabel('Start when I log in').isChecked()).toBe(true);
  });

  it('asks about the file that was chosen last, whichever is read first', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog');
    await delay(page, 'settings.previewImport', 'first');
    await give(page, 'first.json', '{"version": 1, "theme": "dark"}');
    // Emptied as its changes are asked for.
    await expect.poll(() => page.getByLabel('Settings file').inputValue()).toBe('');
    await delay(page, 'settings.previewImport', 'second');
    await give(page, 'second.json', '{"version": 1, "startAtLogin": true}');
    await release(page, 'second');
    await dialog.getByRole('heading', { name: 'Import second.json?' }).waitFor();
    await release(page, 'first');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.getByText('second.json imported').waitFor();
    await expect.poll(() => page.getByLabel('Start when I log in').isChecked()).toBe(true);
  });

  it('imports once, and reports it also if the question was closed meanwhile', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog', { name: 'Import studio.json?' });
    await give(page, 'studio.json', '{"version": 1, "startAtLogin": true}');
    await delay(page, 'settings.import', 'imported');
    await dialog.getByRole('button', { name: 'Import' }).dblclick();
    // It is not cancelled by that.
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await release(page, 'imported');
    await page.getByText('studio.json imported').waitFor();
    expect(await page.getByText('changes nothing').count()).toBe(0);
    const calls = await commandsOf(page);
    expect(calls.filter(({ name }) => name === 'settings.import').length).toBe(1);
  });

  it('sends a second file once while the first one is still being imported', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Import' });
    await delay(page, 'settings.import', 'first');
    await give(page, 'first.json', '{"version": 1, "startAtLogin": true}');
    await confirm.click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await give(page, 'second.json', '{"version": 1, "theme": "dark"}');
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    expect(await confirm.getAttribute('aria-disabled')).toBe('false');
    await delay(page, 'settings.import', 'second');
    await confirm.click();
    await release(page, 'first');
    await page.getByText('first.json imported').waitFor();
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await confirm.click({ force: true });
    await release(page, 'second');
    // It was compared with the settings before the first one.
    await page.getByText('The settings were changed in the meantime').waitFor();
    const calls = await commandsOf(page);
    expect(calls.filter(({ name }) => name === 'settings.import').length).toBe(2);
  });

  it('does not ask again about an import that was refused after its question was closed', async () => {
    const page = await open();
    const dialog = page.getByRole('dialog', { name: 'Import studio.json?' });
    await give(page, 'studio.json', '{"version": 1, "startAtLogin": true}');
    await dialog.waitFor();
    await page.evaluate(() => window.engine.client.settings.set({ closeToTray: false }));
    await delay(page, 'settings.import', 'refused');
    await dialog.getByRole('button', { name: 'Import' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await release(page, 'refused');
    await page.getByText('The settings were changed in the meantime').waitFor();
    await page.keyboard.press('1');
    await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  });

  it('lists the errors of a broken file, and changes nothing', async () => {
    const page = await open();
    await give(page, 'broken.json', '{"version": 1, "updates": "sometimes", "folder": "//a/b"}');
    const alert = page.getByRole('alert').filter({ hasText: 'broken.json was not imported' });
    await alert.getByText('Folder: This is the path of a network').waitFor();
    await alert.getByText('Updates: This must be one of').waitFor();

    await give(page, 'poster.jpg', '\u0000\u0001<script>alert(1)</script>');
    await page.getByText('This is not a Spool settings file.').waitFor();

    await give(page, 'huge.json', ' '.repeat(1024 * 1024 + 1));
    await page.getByText('It is larger than 1 MB, which is too large for settings.').waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(await changesOf(page)).toEqual([]);
  });
});

it('explains how to store a key that is kept in memory only', async () => {
  const page = await open('keychain');
  await page.getByText('memory, until Spool closes').waitFor();
  await page.getByText('The key is kept only until Spool closes').waitFor();
  await page.getByText('sudo apt install libsecret-1-0 gnome-keyring').waitFor();
  await page.getByRole('button', { name: 'Try the keychain again' }).click();
  await expect
    .poll(async () => (await commandsOf(page)).map(({ name }) => name))
    .toContain('key.check');
});
