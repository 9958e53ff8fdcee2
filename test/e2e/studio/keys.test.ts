import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeRenderer, Client } from '../../integration/local-service/rig.ts';
import { accessibilityViolations } from '../../rigs/accessibility.ts';
import { launchBrowser } from '../../rigs/browser.ts';
import { PASSWORD, StudioRig } from '../../rigs/studio/studio-rig.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe('an account owner', () => {
  test('signs up, creates a key, uses it and revokes it; the service refuses it at once', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const page = await rig.signUp({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Developer API' }).click();
    await page.getByRole('link', { name: 'Generate API Key' }).click();
    await page.getByLabel('Name').fill('Production');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Key' }).click();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^svc_live_[\w-]{43}$/);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);

    await page.getByRole('link', { name: 'I have kept it' }).click();
    await page.getByText('Production', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);

    const client = new Client(rig.service.url, rig.service.caFile!);
    const generate = (): Promise<{ status: number; json: Record<string, unknown> }> =>
      client.post(
        '/api/v1/video/generate',
        { title: 'By key', scenes: [{ kind: 'title', text: 'x' }] },
        { 'x-api-key': key },
      );
    expect((await generate()).status).toBe(200);

    await page.getByRole('link', { name: 'Revoke the key Production' }).click();
    await page.getByRole('heading', { name: 'Revoke “Production”?' }).waitFor();
    expect((await generate()).status).toBe(200);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No API key yet').waitFor();
    const refused = await generate();
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({ code: 'UNAUTHORIZED' });
    client.close();

    await page.getByRole('link', { name: 'Plan and usage' }).click();
    await page.getByText('8 of 10').waitFor();
    expect(rig.complaints).toEqual([]);
  });

  test('cannot create a second key while one is active', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const page = await rig.signUp();
    const form = await page.context().newPage();
    await form.goto(`${rig.service.studioUrl}/settings/developer-api/new`);
    await page.goto(`${rig.service.studioUrl}/settings/developer-api/new`);
    await page.getByLabel('Name').fill('First');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Key' }).click();
    await page.getByRole('heading', { name: 'Your new API key' }).waitFor();

    await form.getByLabel('Name').fill('Second');
    await form.getByLabel('Current password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Create Key' }).click();
    await form.getByRole('alert').getByText('This account has a key already').waitFor();
    await form.goto(`${rig.service.studioUrl}/settings/developer-api`);
    expect(await form.getByText('First', { exact: true }).isVisible()).toBe(true);
    expect(await form.getByRole('link', { name: 'Generate API Key' }).count()).toBe(0);
  });

  test('signs out and in again without scripts, and returns to the requested page', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const page = await rig.signUp({ javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${rig.service.studioUrl}/settings/plan`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('is not right').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Plan and usage' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/plan');
  });
});

describe('accessibility', () => {
  test('axe finds no violations in the dashboard, in light and dark colours', async () => {
    const rig = await StudioRig.start(browser, new FakeRenderer());
    const violations: string[] = [];
    const visitor = await rig.visit('/sign-in');
    violations.push(...(await accessibilityViolations(visitor)));
    await visitor.getByRole('link', { name: 'Sign up' }).click();
    await visitor.getByLabel('Email address').fill('ada@example');
    await visitor.getByLabel('Password').fill('short');
    await visitor.getByRole('button', { name: 'Sign up' }).click();
    await visitor.getByRole('alert').waitFor();
    violations.push(...(await accessibilityViolations(visitor)));

    const page = await rig.signUp();
    const key = '/settings/developer-api';
    for (const where of ['/settings/plan', '/settings/password', key, `${key}/new`]) {
      await page.goto(rig.service.studioUrl + where);
      violations.push(...(await accessibilityViolations(page)));
    }
    await page.goto(`${rig.service.studioUrl}${key}/new`);
    await page.getByLabel('Name').fill('Production');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create Key' }).click();
    violations.push(...(await accessibilityViolations(page)));
    for (const where of [key, `${key}/revoke`]) {
      await page.goto(rig.service.studioUrl + where);
      violations.push(...(await accessibilityViolations(page)));
    }
    expect(violations).toEqual([]);
  });
});
