import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../../src/contract/job.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';
import { encodeVideo } from '../../rigs/test-video.ts';

const pages = useScenarioPages();

const change = (page: Page, ids: readonly string[], by: Partial<Job>): Promise<void> =>
  page.evaluate(([some, how]) => window.engine.change(some, how), [ids, by] as const);

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

const hasFocus = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => element === document.activeElement);

/** Delays the engine's answers to calls of a name, until `release`. */
const delay = (page: Page, name: string): Promise<void> =>
  page.evaluate((delayed) => {
    addEventListener('release', window.engine.delay(delayed), { once: true });
  }, name);

/** Returns when the page has received the delayed answers. */
const release = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    dispatchEvent(new Event('release'));
    await new Promise((resolve) => setTimeout(resolve));
  });

async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(address);
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByRole('button', { name: 'Connect' }).click();
}

/** Opens the key form of a service with an address. */
async function showKeyForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use my key' }).click();
  await page.getByText('Video Generation Service', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Use this service' }).click();
}

it('shows no limits before a service is selected', async () => {
  const page = await pages.openScenario('first');
  await heading(page, 'Your first video');
  const here = page.getByText('no limit', { exact: true });
  expect(await here.count()).toBe(0);
  await page.getByRole('button', { name: 'Try it on this computer' }).click();
  await here.waitFor();
});

it('says where videos are rendered before any is added', async () => {
  const page = await pages.openScenario('first');
  await page.getByText('Drop it on this window to render it on this computer.').waitFor();
  await page.getByRole('button', { name: 'Add videos' }).click();
  await page.getByText('Rendered on this computer', { exact: true }).waitFor();
  const elsewhere = await pages.openScenario('running');
  await elsewhere.getByRole('button', { name: 'Add videos' }).first().click();
  await elsewhere.getByText('Rendered by Video service', { exact: true }).waitFor();
});

it('gives way to the queue when another window adds the first batch', async () => {
  const page = await pages.openScenario('first');
  await heading(page, 'Your first video');
  await page.evaluate(async () => {
    const { setup, batches } = window.engine.client;
    const { origin, sample } = await setup.tryHere();
    if (sample !== null) await batches.add({ origin, source: sample });
  });
  await heading(page, 'Queue');
});

describe('the choice “Try it on this computer”', () => {
  it('shows the first video’s progress, then plays it in the same place', async () => {
    const page = await pages.openScenario('first');
    await page.getByRole('button', { name: 'Try it on this computer' }).press('Enter');
    await heading(page, 'Rendering your first video');
    await change(page, ['job-0'], {
      state: 'rendering',
      progress: { fraction: 0.4, estimated: false },
    });
    const progress = page.getByRole('progressbar', { name: 'Rendering your first video' });
    await expect.poll(() => progress.getAttribute('aria-valuenow')).toBe('40');
    // The second is quicker: the video that is saved first plays.
    await change(page, ['job-1'], {
      state: 'done',
      savedAt: 1000,
      file: { path: '/films/Week/02 Roasters.mp4', bytes: 1, sha256: '0', durationSeconds: 6 },
    });
    await heading(page, 'Your first video is saved');
    await page.getByText('It is in /films/Week.').waitFor();
    await expect.poll(() => page.locator('video').getAttribute('src')).toContain('/saved/job-1');
    await change(page, ['job-0'], { state: 'done', savedAt: 2000 });
    await expect.poll(() => page.locator('video').getAttribute('src')).toContain('/saved/job-1');
    await page.getByRole('button', { name: 'Add your own videos' }).click();
    await heading(page, 'Add videos');
  });

  it('plays a portrait video uncropped, in its aspect ratio', async () => {
    const file = encodeVideo(360, 640);
    const page = await pages.openScenario('first', { viewport: { width: 1280, height: 800 } });
    await page.route('**/saved/**', (route) => route.fulfill({ path: file }));
    await page.getByRole('button', { name: 'Try it on this computer' }).click();
    await heading(page, 'Rendering your first video');
    await change(page, ['job-0'], {
      state: 'done',
      savedAt: 1000,
      file: { path: '/films/01.mp4', bytes: 1, sha256: '0', durationSeconds: 1 },
    });
    const video = page.locator('video');
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.videoHeight))
      .toBe(640);
    const stage = (await page.locator('.stage').boundingBox())!;
    const shown = (await video.boundingBox())!;
    expect(shown.width / shown.height).toBeCloseTo(9 / 16, 2);
    expect(shown.height).toBeGreaterThan(300);
    expect(shown.y).toBeGreaterThanOrEqual(stage.y);
    expect(shown.y + shown.height).toBeLessThanOrEqual(stage.y + stage.height + 0.5);
  });

  it('says why the service did not start, and keeps both choices enabled', async () => {
    const page = await pages.openScenario('first-broken');
    await page.getByRole('button', { name: 'Try it on this computer' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('permission denied').waitFor();
    await alert.getByText('Nothing was rendered or spent.').waitFor();
    await page.getByRole('button', { name: 'Use my key' }).waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Try it on this computer' }).isEnabled())
      .toBe(true);
  });

  it('offers a retry when no sample video could be rendered', async () => {
    const page = await pages.openScenario('first');
    await page.getByRole('button', { name: 'Try it on this computer' }).click();
    await heading(page, 'Rendering your first video');
    await change(page, ['job-0', 'job-1', 'job-2', 'job-3'], {
      state: 'failed',
      failure: {
        code: 'render-failed',
        ...userMessage('verbatim', { text: 'The render ended with an error.' }),
      },
    });
    await heading(page, 'The first video could not be rendered');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
    await heading(page, 'Rendering your first video');
  });

  it('opens “Add videos” if the sample is not installed', async () => {
    const page = await pages.openScenario('first-bare');
    await page.getByRole('button', { name: 'Try it on this computer' }).click();
    await heading(page, 'Add videos');
    await page.getByText('The sample is not installed here').waitFor();
  });

  it.each([
    { scene: 'first', answer: 'has started', call: 'batches.add' },
    { scene: 'first-broken', answer: 'has not started', call: 'setup.tryHere' },
    { scene: 'first-bare', answer: 'has no sample', call: 'setup.tryHere' },
  ] as const)(
    'stays in the step that was opened meanwhile when the service $answer',
    async ({ scene, call }) => {
      const page = await pages.openScenario(scene);
      await delay(page, call);
      await page.getByRole('button', { name: 'Try it on this computer' }).click();
      await page.keyboard.press('6');
      await page.getByRole('button', { name: 'Choose from all services…' }).click();
      await heading(page, 'Choose a service');
      await page.getByLabel('Search services').fill('Runway');
      await release(page);
      await page.getByRole('button', { name: 'Use this service' }).click();
      await heading(page, 'Runway');
    },
  );
});

it('the choice of this computer stays in the view that was opened meanwhile', async () => {
  const page = await pages.openScenario('first');
  await page.getByRole('button', { name: 'Use my key' }).click();
  await page.getByText('This computer', { exact: true }).first().click();
  await delay(page, 'settings.set');
  await page.getByRole('button', { name: 'Render on this computer' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').getByRole('button', { name: 'Activity' }).click();
  await heading(page, 'Activity');
  await release(page);
  await page.getByText('Videos are rendered on this computer').waitFor();
  await heading(page, 'Activity');
});

describe('the choice “Use my key”', () => {
  it('accepts an address as it is copied, tests the key and opens “Add videos”', async () => {
    const page = await pages.openScenario('first');
    await showKeyForm(page);
    await page.getByLabel('Plan', { exact: true }).selectOption('creator');
    await connect(page, ' video.example.com/ ', 'wrong');
    await page.getByText('The service refuses this key').waitFor();
    await expect.poll(() => page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    const checks = page.getByRole('list', { name: 'Checks of the service' }).getByRole('listitem');
    await expect
      .poll(() => checks.allInnerTexts())
      .toEqual([
        'Address\nreached',
        'Certificate\ntrusted',
        'Key\nnot accepted',
        'Balance\nnot checked',
      ]);
    await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
    expect(await checks.count()).toBe(0);
    await page.getByLabel('Label (optional)').fill(' Studio ');
    await page.keyboard.press('Enter');
    await heading(page, 'Connected');
    await expect.poll(() => checks.nth(3).innerText()).toBe('Balance\n420 credits');
    await expect
      .poll(async () => (await commandsOf(page)).at(-1))
      .toEqual({
        name: 'key.set',
        input: { origin: 'https://video.example.com', length: 19, label: 'Studio' },
      });
    await expect
      .poll(async () =>
        (await commandsOf(page)).filter(({ name }) => name === 'settings.useService'),
      )
      .toContainEqual({
        name: 'settings.useService',
        input: {
          settings: {
            service: { kind: 'remote', baseUrl: 'https://video.example.com', ca: null },
            plan: { name: 'creator' },
          },
          profile: null,
        },
      });
    expect(await page.content()).not.toContain('svc_live_0');
    await page.getByRole('button', { name: 'Add videos' }).click();
    await heading(page, 'Add videos');
  });

  it('says what is wrong with an address, and keeps it for correction', async () => {
    const page = await pages.openScenario('first');
    await showKeyForm(page);
    await connect(page, 'http://video.example.com', 'svc_live_0123456789');
    const error = page.getByText('Enter an https address.');
    await error.waitFor();
    // The key is kept, and correcting the address removes its error.
    await expect
      .poll(() => page.getByLabel('Key', { exact: true }).inputValue())
      .toBe('svc_live_0123456789');
    await expect
      .poll(() => page.getByLabel('Address', { exact: true }).inputValue())
      .toBe('http://video.example.com');
    await expect
      .poll(async () => (await commandsOf(page)).map(({ name }) => name))
      .not.toContain('key.set');
    await page.getByLabel('Address', { exact: true }).fill('https://video.example.com');
    await expect.poll(() => error.count()).toBe(0);
    await page.keyboard.press('Enter');
    await heading(page, 'Connected');
  });

  it('focuses its first field, and runs no shortcuts', async () => {
    const page = await pages.openScenario('first');
    await showKeyForm(page);
    const address = page.getByLabel('Address', { exact: true });
    await expect.poll(() => hasFocus(address)).toBe(true);
    await address.blur();
    await page.keyboard.type('p3');
    await heading(page, 'Your service');
    await address.focus();
    await page.keyboard.type('p3');
    await expect.poll(() => address.inputValue()).toBe('p3');
    expect((await commandsOf(page)).map(({ name }) => name)).not.toContain('queue.pause');
  });

  it('says that a certificate is not trusted, and accepts one', async () => {
    const page = await pages.openScenario('first-untrusted');
    await showKeyForm(page);
    await connect(page, 'video.example.com', 'svc_live_0123456789');
    const alert = page.getByRole('main').getByRole('alert');
    await alert.getByText('The service’s certificate is not trusted').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Certificate not trusted' }).waitFor();
    const certificate = page.getByLabel('Certificate authority, PEM');
    await expect.poll(() => hasFocus(certificate)).toBe(true);
    await alert.getByText('SELF_SIGNED_CERT_IN_CHAIN').waitFor({ state: 'hidden' });
    await alert.getByText('Details', { exact: true }).click();
    await alert.getByText('SELF_SIGNED_CERT_IN_CHAIN').waitFor();
    await certificate.focus();
    // Text that is not a certificate is rejected, and its field focused.
    await page.keyboard.type('none');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('This is not a certificate in PEM format.').waitFor();
    await expect.poll(() => hasFocus(certificate)).toBe(true);
    await certificate.fill('-----BEGIN CERTIFICATE-----');
    await expect
      .poll(() => page.getByLabel('Key', { exact: true }).inputValue())
      .toBe('svc_live_0123456789');
    await page.getByRole('button', { name: 'Connect' }).click();
    const saveAnyway = page.getByRole('button', { name: 'Save anyway' });
    await saveAnyway.waitFor();
    expect((await commandsOf(page)).map(({ name }) => name)).not.toContain('settings.useService');
    await saveAnyway.click();
    await expect
      .poll(async () =>
        (await commandsOf(page)).findLast(({ name }) => name === 'settings.useService'),
      )
      .toMatchObject({ input: { settings: { service: { ca: '-----BEGIN CERTIFICATE-----' } } } });
  });

  it.each([
    { when: 'the form', connects: false },
    { when: 'the form, after a failed connection,', connects: true },
  ])('forgets the key when $when is left', async ({ connects }) => {
    const page = await pages.openScenario('first-untrusted');
    await showKeyForm(page);
    const key = page.getByLabel('Key', { exact: true });
    await page.getByLabel('Address', { exact: true }).fill('video.example.com');
    await key.fill('svc_live_0123456789');
    if (connects) {
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('certificate is not trusted').waitFor();
    }
    await page.getByRole('navigation').getByText('Limits', { exact: true }).click();
    await heading(page, 'Limits');
    await page.getByRole('navigation').getByText('Queue', { exact: true }).click();
    await page.getByRole('button', { name: 'Choose where to render' }).click();
    await expect
      .poll(() => page.getByLabel('Address', { exact: true }).inputValue())
      .toBe('video.example.com');
    expect(await key.inputValue()).toBe('');
  });

  it('says that the keychain does not store the key', async () => {
    const page = await pages.openScenario('first-broken');
    await showKeyForm(page);
    await connect(page, 'video.example.com', 'svc_live_0123456789');
    await page.getByText('The keychain could not save the key').waitFor();
    expect(await page.getByText(/key is saved/).count()).toBe(0);
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('No provider of secrets is running').waitFor();
  });
});

describe('the choice of a service', () => {
  const use = (page: Page) => page.getByRole('button', { name: 'Use this service' });

  async function showServices(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Use my key' }).click();
    await heading(page, 'Choose a service');
    await page.getByRole('radio', { name: 'Runway' }).waitFor();
  }

  it('finds a service by its name, by keyboard alone', async () => {
    const page = await pages.openScenario('first');
    await showServices(page);
    const search = page.getByLabel('Search services');
    await expect.poll(() => hasFocus(search)).toBe(true);
    await page.keyboard.type('runw');
    await expect.poll(() => page.getByRole('radio').count()).toBe(1);
    await page.keyboard.press('Enter');
    await heading(page, 'Runway');
    await expect.poll(() => hasFocus(page.getByLabel('Key', { exact: true }))).toBe(true);
  });

  it('says what a service costs, needs and allows, and that it is untested', async () => {
    const page = await pages.openScenario('first');
    await showServices(page);
    await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
    const facts = page.getByRole('region', { name: 'Runway' });
    await facts.getByText('About 5 credits to 40 credits × length in seconds').waitFor();
    await facts.getByText('An API key from your account at Runway').waitFor();
    await facts.getByText('50 requests a day, one video rendered at a time.').waitFor();
    await facts
      .getByText(/has not been tested with the real service yet\. Render one video before a batch/)
      .waitFor();
    const link = facts.getByRole('link', { name: 'https://docs.dev.runwayml.com/api' });
    expect(await link.getAttribute('target')).toBe('_blank');
    await page.getByRole('radio', { name: 'HeyGen' }).check({ force: true });
    await page.getByText('Spool does not know. See the service’s price list.').waitFor();
  });

  it('says when no service matches', async () => {
    const page = await pages.openScenario('first');
    await showServices(page);
    await page.getByLabel('Search services').fill('nothing like it');
    await page.getByText('No service of this name').waitFor();
    expect(await use(page).count()).toBe(0);
  });

  it('asks only for the key if the address is fixed, and shows where the key is sent', async () => {
    const page = await pages.openScenario('first');
    await showServices(page);
    await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
    await use(page).click();
    await heading(page, 'Runway');
    expect(await page.getByLabel('Address', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('Plan', { exact: true }).count()).toBe(0);
    await page.getByText('Rows go to https://api.dev.runwayml.com/v1/text_to_video.').waitFor();
    await page.getByText(/The API key goes to .* in the header authorization: Bearer\./).waitFor();
    await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
    await page.getByRole('button', { name: 'Connect' }).click();
    await heading(page, 'Connected');
    const used = (await commandsOf(page)).find(({ name }) => name === 'settings.useService');
    expect(used).toMatchObject({
      input: {
        settings: { service: { baseUrl: 'https://api.dev.runwayml.com' } },
        profile: { name: 'Runway' },
      },
    });
    expect(used).not.toHaveProperty('input.settings.plan');
    expect(await page.content()).not.toContain('svc_live_0');
  });

  it('saves nothing of a service that did not answer, unless the user wants that', async () => {
    const page = await pages.openScenario('first-untested');
    await showServices(page);
    await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
    await use(page).click();
    await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('alert').getByText('Nothing has been saved.').waitFor();
    await expect.poll(() => hasFocus(page.getByLabel('Key', { exact: true }))).toBe(true);
    const saving = ['settings.useService', 'settings.set', 'key.set'];
    expect((await commandsOf(page)).filter(({ name }) => saving.includes(name))).toEqual([]);
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await heading(page, 'The key is not tested yet');
    await page.getByText('https://api.dev.runwayml.com did not answer. Spool tests').waitFor();
    await page.getByRole('button', { name: 'Change key' }).click();
    await expect.poll(() => hasFocus(page.getByLabel('Key', { exact: true }))).toBe(true);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByRole('button', { name: 'Choose another service' }).click();
    await heading(page, 'Choose a service');
  });

  it('also asks for the address if the profile has none', async () => {
    const page = await pages.openScenario('first');
    await showServices(page);
    await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
    await page.getByRole('button', { name: 'Adapt…' }).click();
    const text = page.getByLabel('Service profile, JSON');
    const withAddress = await text.inputValue();
    await text.fill(withAddress.replace('"https://api.dev.runwayml.com"', 'null'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await heading(page, 'Runway');
    await page.getByLabel('Address', { exact: true }).fill('videos.example.com');
    await page.getByText('Rows go to https://videos.example.com/v1/text_to_video.').waitFor();
    await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
    await page.keyboard.press('Enter');
    await heading(page, 'Connected');
    expect(
      (await commandsOf(page)).find(({ name }) => name === 'settings.useService'),
    ).toMatchObject({
      input: { settings: { service: { baseUrl: 'https://videos.example.com' } } },
    });
  });

  it('lists the errors of a profile, and uses it once it has none', async () => {
    const page = await pages.openScenario('first');
    await showServices(page);
    await page.getByRole('radio', { name: 'Runway' }).check({ force: true });
    await page.getByRole('button', { name: 'Adapt…' }).click();
    await heading(page, 'Describe a service');
    const text = page.getByLabel('Service profile, JSON');
    const sound = await text.inputValue();
    const next = page.getByRole('button', { name: 'Continue' });
    await page.getByText('No errors').waitFor();

    await text.fill(sound.replace('"/v1/text_to_video"', '"//evil.example/v1"'));
    await page.getByText('api.generate.path').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await text.fill(sound.slice(1));
    await page.getByText('This is not JSON').waitFor();
    expect(await next.isDisabled()).toBe(true);

    await text.fill(sound.replace('"/v1/text_to_video"', '"/v1/film"'));
    await page.getByText('Rows go to https://api.dev.runwayml.com/v1/film.').waitFor();
    await page.getByLabel('Responses to a status request').fill('{"id":"t","status":"RUNNING"}');
    await page.getByText('“RUNNING” means').waitFor();
    await next.click();
    await heading(page, 'Runway');
    await page.getByText('Rows go to https://api.dev.runwayml.com/v1/image_to_video.').waitFor();
  });

  it.each([
    { scene: 'several-services', service: 'Runway', offered: 'Runway', cost: /credits/ },
    { scene: 'here', service: null, offered: 'This computer', cost: 'Free' },
    {
      scene: 'running',
      service: null,
      offered: 'Video Generation Service',
      cost: 'One of the videos in your plan',
    },
  ] as const)(
    'starts with the service in use: $offered',
    async ({ scene, service, offered, cost }) => {
      const page = await pages.openScenario(scene);
      if (service !== null) await page.getByRole('button', { name: service }).click();
      await page.getByRole('navigation').getByText('Settings', { exact: true }).click();
      if (service !== null) await page.getByText(`In use: ${service}`).waitFor();
      await page.getByRole('button', { name: 'Choose from all services…' }).click();
      await page.getByRole('region', { name: offered }).getByText(cost).waitFor();
      await page.getByRole('radio', { name: offered, checked: true }).waitFor();
    },
  );

  it('returns to the settings that it was opened from', async () => {
    const page = await pages.openScenario('running');
    await page.getByRole('navigation').getByText('Settings', { exact: true }).click();
    await page.getByRole('button', { name: 'Choose from all services…' }).click();
    await heading(page, 'Choose a service');
    await page.getByRole('button', { name: 'Back' }).click();
    await heading(page, 'Settings');
  });
});

it('can be dismissed and opened again', async () => {
  const page = await pages.openScenario('first');
  await heading(page, 'Your first video');
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByText('Drop a spreadsheet here').waitFor();
  await page.getByRole('button', { name: 'Choose where to render' }).click();
  await heading(page, 'Your first video');
  await page.keyboard.press('Escape');
  await page.getByText('Drop a spreadsheet here').waitFor();
});

it('is shown again after the first table was discarded', async () => {
  const page = await pages.openScenario('first');
  await heading(page, 'Your first video');
  await page.getByRole('button', { name: 'Add videos' }).click();
  const buffer = Buffer.from('title\nOpening hours\n');
  await page
    .getByLabel('Choose files')
    .setInputFiles({ name: 'Week.csv', mimeType: 'text/csv', buffer });
  await heading(page, 'Week');
  await page.getByRole('button', { name: 'Discard' }).click();
  await heading(page, 'Your first video');
});

it('is not shown once a service is set up', async () => {
  const page = await pages.openScenario('empty');
  await page.getByText('Drop a spreadsheet here').waitFor();
});
