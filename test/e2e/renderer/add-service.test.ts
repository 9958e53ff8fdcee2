import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { commandsOf } from '../../rigs/page-scenarios/scenario-pages.ts';
import { useScenarioPages } from '../../rigs/page-scenarios/scenario-pages-for-tests.ts';
import { documentedExamples } from '../../rigs/service-examples.ts';

const pages = useScenarioPages();

const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

async function addService(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use my key' }).click();
  await heading(page, 'Choose a service');
  await page.getByRole('button', { name: 'Add another service…' }).click();
  await heading(page, 'Add a service');
}

const fields = (page: Page) => ({
  request: page.getByLabel('Request', { exact: true }),
  response: page.getByLabel('Response', { exact: true }),
  status: page.getByLabel('Status request or its address'),
  statuses: page.getByLabel('Status responses'),
  next: page.getByRole('button', { name: 'Continue' }),
  understood: page.getByRole('region', { name: 'What Spool understood' }),
});

async function pasteExamplesOf(page: Page, service: string): Promise<void> {
  const documented = documentedExamples.find((each) => each.service === service);
  if (documented === undefined) throw new Error('There are no examples of it.');
  const { request, response, status, statuses } = fields(page);
  await request.fill(documented.examples.requests.generate);
  await response.fill(documented.examples.answers.generate ?? '');
  await status.fill(documented.examples.requests.status);
  await statuses.fill(documented.examples.answers.status ?? '');
}

describe('adding a service from examples', () => {
  it('sends a picture before the request that names it, as an example of an upload shows', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    await pasteExamplesOf(page, 'runway');
    const { request, understood } = fields(page);
    const asked = await request.inputValue();
    await request.fill(asked.replace('"duration"', '"promptImage": "runway://u_17", "duration"'));
    await page.getByText('More examples').click();
    await page
      .getByLabel('Request to upload a picture')
      .fill('curl https://api.dev.runwayml.com/v1/uploads -F file=@boat.jpg');
    await understood.getByText('An upload that the request names').waitFor();
    await page.getByLabel('Response to the upload').fill('{ "uri": "runway://u_17" }');
    await understood.getByText('Tested with examples').waitFor();
    await understood.getByText('An upload that the request names').waitFor({ state: 'detached' });
    const columns = understood.getByRole('listitem');
    expect(await columns.filter({ hasText: 'promptImage' }).count()).toBe(1);
  });

  it('derives the profile, takes corrections and connects', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    const { request, understood, next } = fields(page);
    await understood.getByText('Paste the request for a video to begin.').waitFor();
    expect(await request.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await next.isDisabled()).toBe(true);

    await pasteExamplesOf(page, 'runway');
    await understood.getByText('Tested with examples').waitFor();
    expect(await page.getByLabel('Address', { exact: true }).inputValue()).toBe(
      'https://api.dev.runwayml.com',
    );
    expect(await page.getByLabel('Status (GET)').inputValue()).toBe('/v1/tasks/{id}');
    await understood.getByRole('listitem').filter({ hasText: 'promptText' }).waitFor();
    await understood.getByText('SUCCEEDED').waitFor();
    await understood
      .getByText('Rows go to https://api.dev.runwayml.com/v1/text_to_video.')
      .waitFor();
    await understood.getByText(/header authorization: Bearer/).waitFor();

    await page.getByLabel('Service name').fill('Our Runway');
    await page.getByLabel('Videos at a time').fill('3');
    await page.getByLabel('Cost per video').fill('0.50');
    await page.getByLabel('Render a video (POST)').fill('//evil.example');
    await understood.getByText(/^Enter a path such as “\/v1/).waitFor();
    await understood
      .getByRole('status')
      .getByText('Correct the marked fields to continue.')
      .waitFor();
    expect(await next.isDisabled()).toBe(true);
    await page.getByLabel('Render a video (POST)').fill('/v1/image_to_video');
    const before = (await commandsOf(page)).map(({ name }) => name);
    expect(before.filter((name) => !name.startsWith('profile.'))).toEqual([]);
    await next.click();

    await heading(page, 'Our Runway');
    await page.getByText('Rows go to https://api.dev.runwayml.com/v1/image_to_video.').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await heading(page, 'Add a service');
    expect(await page.getByLabel('Service name').inputValue()).toBe('Our Runway');
    await next.click();
    await heading(page, 'Our Runway');
    await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
    await page.getByRole('button', { name: 'Connect' }).click();
    await heading(page, 'Connected');
    const used = (await commandsOf(page)).find(({ name }) => name === 'settings.useService');
    expect(used).toMatchObject({
      input: {
        settings: { service: { baseUrl: 'https://api.dev.runwayml.com' } },
        profile: {
          name: 'Our Runway',
          api: {
            about: { tried: 'by-examples' },
            generate: { path: '/v1/image_to_video' },
            limits: { concurrent: { count: 3 } },
            cost: { unit: 'money', currency: 'USD', rule: { fixed: 0.5 } },
          },
        },
      },
    });
  });

  // abuse.md 57
  it('removes a key that was pasted, and says so', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    const { request } = fields(page);
    const key = 'aB3dE5fG7hI9jK1lM3nO';
    // Also while the engine does not answer.
    await page.evaluate(() => {
      Object.assign(window, { answer: window.engine.delay('profile.proposeService') });
    });
    await request.fill(
      `curl https://api.example.com/v1/videos -H "X-Api-Key: ${key}" -d '{"prompt":"A lake"}'`,
    );
    await page.getByText('Key removed').waitFor();
    await expect.poll(() => request.inputValue()).toContain('X-Api-Key: YOUR_API_KEY');
    expect(await page.content()).not.toContain(key);
    await page.evaluate(() => (window as unknown as { answer: () => void }).answer());
    await request.press('ControlOrMeta+z');
    expect(await request.inputValue()).not.toContain(key);
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const text = page.getByLabel('Service profile, JSON');
    await expect.poll(() => text.inputValue()).toContain('"x-api-key"');
    await page.getByText('It begins with what your examples show.').waitFor();
    expect(await text.inputValue()).not.toContain(key);
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Back' }).click();
    await heading(page, 'Add a service');
    expect(await request.inputValue()).not.toContain(key);
  });

  it('lists what the examples lack, and lets the user define an unknown status', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    const { request, response, statuses, understood } = fields(page);
    await request.fill('It makes videos.');
    await page
      .getByLabel('Request', { exact: true })
      .and(page.locator('[aria-invalid=true]'))
      .waitFor();
    // The region that a screen reader announces.
    await understood
      .getByRole('status')
      .getByText('No request found. Paste the example for curl.')
      .waitFor();
    const { next } = fields(page);
    await request.fill(`curl https://api.example.com/v -H 'X-Api-Key: <key>' -d 'prompt=lake'`);
    await understood.getByText('None. Every video would be the same.').waitFor();
    await understood.getByText('A body that Spool can send').waitFor();
    expect(await next.isDisabled()).toBe(true);
    await understood
      .getByText('The examples do not show all that is needed to continue.')
      .waitFor();
    await pasteExamplesOf(page, 'shotstack');
    await statuses.fill('{"response":{"id":"d2b4","status":"shipped"}}');
    await understood.getByText('The status of a finished video').waitFor();
    await understood.getByText('Untested').waitFor();
    const unknown = understood.getByLabel('“shipped” is not known. It means');
    await unknown.focus();
    await unknown.selectOption('Rendering');
    const shipped = understood.getByLabel('“shipped” means');
    await expect.poll(() => shipped.inputValue()).toBe('working');
    expect(await shipped.evaluate((field) => field === document.activeElement)).toBe(true);
    await response.fill('nothing');
    await page.getByText('No JSON found').waitFor();
    await understood.getByText('The video’s identifier in the response').waitFor();
  });

  it('lets the user correct the guessed meaning of a status', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    await pasteExamplesOf(page, 'shotstack');
    const { statuses, understood, next } = fields(page);
    await statuses.fill(
      '{"response":{"status":"SIMMERING"}}\n{"response":{"status":"done","url":"https://a.example/v.mp4"}}',
    );
    const simmering = understood.getByLabel('“SIMMERING” means');
    await expect.poll(() => simmering.inputValue()).toBe('working');
    await simmering.selectOption('Still waiting');
    await expect.poll(() => simmering.inputValue()).toBe('queued');
    await expect.poll(() => next.isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const text = page.getByLabel('Service profile, JSON');
    await expect.poll(() => text.inputValue()).toContain('"simmering": "queued"');
  });

  it.each([
    { scene: 'first', isReplaced: true },
    { scene: 'running', isReplaced: false },
  ] as const)(
    'asks before replacing a profile at the same address, and refuses while it has open videos: $scene',
    async ({ scene, isReplaced }) => {
      const page = await pages.openScenario(scene);
      const connect = async (name: string, path: string): Promise<void> => {
        await page.getByRole('navigation').getByText('Settings', { exact: true }).click();
        await page.getByRole('button', { name: 'Choose from all services…' }).click();
        await page.getByRole('button', { name: 'Add another service…' }).click();
        await pasteExamplesOf(page, 'runway');
        await page.getByLabel('Service name').fill(name);
        await page.getByLabel('Render a video (POST)').fill(path);
        await page.getByText(`Rows go to https://api.dev.runwayml.com${path}.`).waitFor();
        await fields(page).next.click();
        await page.getByLabel('Key', { exact: true }).fill('svc_live_0123456789');
        await page.getByRole('button', { name: 'Connect' }).click();
      };
      await connect('Our Runway', '/v1/text_to_video');
      await heading(page, 'Connected');
      await connect('Their Runway', '/v1/image_to_video');
      const dialog = page.getByRole('dialog', { name: 'Our Runway already uses this address' });
      if (!isReplaced) {
        await dialog.getByText(/^\d+ videos at .* are not finished and cannot continue/).waitFor();
        expect(await dialog.getByRole('button', { name: 'Replace' }).count()).toBe(0);
        await dialog.getByRole('button', { name: 'Close' }).click();
      } else {
        await dialog.getByText('Its profile and its key').waitFor();
        await dialog.getByRole('button', { name: 'Cancel' }).click();
      }
      await dialog.waitFor({ state: 'detached' });
      await heading(page, 'Their Runway');
      const keys = async () =>
        (await commandsOf(page)).filter(({ name }) => name === 'key.set').length;
      expect(await keys()).toBe(1);
      if (!isReplaced) return;
      await page.getByRole('button', { name: 'Connect' }).click();
      await dialog.getByRole('button', { name: 'Replace' }).click();
      await heading(page, 'Connected');
      expect(await keys()).toBe(2);
    },
  );

  it('marks a field as invalid only when the examples do not fill it', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    const { request, status, understood } = fields(page);
    await request.fill(
      `curl https://api.example.com/v1/videos -H "X-Api-Key: $KEY" -d '{"prompt":"A lake"}'`,
    );
    await understood.getByText('Where the status is asked for').waitFor();
    const path = page.getByLabel('Status (GET)');
    expect(await path.getAttribute('aria-invalid')).toBe('false');
    await status.fill('https://api.example.com/v1/videos/{id}');
    await expect.poll(() => path.inputValue()).toBe('/v1/videos/{id}');
    await path.fill('');
    await expect.poll(() => path.getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps its input while the user looks at other services', async () => {
    const page = await pages.openScenario('first');
    await addService(page);
    await pasteExamplesOf(page, 'heygen');
    const text = page.getByLabel('Service profile, JSON');
    await page.getByText('Not sent: idempotency-key, callback_url').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await heading(page, 'Choose a service');
    await page.getByRole('button', { name: 'Add another service…' }).click();
    await page.getByText('Tested with examples').waitFor();

    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await text.fill((await text.inputValue()).replace('"Heygen"', '"Our HeyGen"'));
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    expect(await text.inputValue()).toContain('"Our HeyGen"');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Render a video (POST)').fill('/v9/studio');
    await page.getByText(/^Rows go to .*studio/).waitFor();
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    expect(await text.inputValue()).toContain('"/v9/studio"');
  });
});
