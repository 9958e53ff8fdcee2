import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../../rigs/browser.ts';
import { StudioRig } from '../../rigs/studio/studio-rig.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

/** A server at another port of this computer, with a certificate that the browser accepts. */
async function otherServer(rig: StudioRig): Promise<{ port: number; cookies: string[] }> {
  const cookies: string[] = [];
  const cert = readFileSync(rig.fileOf('tls/server.pem'));
  const key = readFileSync(rig.fileOf('tls/server-key.pem'));
  const server = https.createServer({ cert, key }, (request, response) => {
    cookies.push(request.headers.cookie ?? '');
    const value = randomBytes(32).toString('base64url');
    response.setHeader('set-cookie', [
      `__Host-spool-session=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`,
      `__Host-spool-visitor=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`,
      'other=1; Path=/',
    ]);
    response.end('<title>Other</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, cookies };
}

// abuse.md 67
test('no other port of this computer receives or replaces the session', async () => {
  const rig = await StudioRig.start(browser);
  const { port, cookies } = await otherServer(rig);
  const page = await rig.signUp();
  for (const host of ['127.0.0.1', 'localhost', 'other.localhost']) {
    await page.goto(`https://${host}:${port}/`);
    expect(await page.title()).toBe('Other');
  }
  expect(cookies.filter((cookie) => cookie.includes('spool'))).toEqual([]);
  // Twice, because the first visit set them.
  await page.goto(`https://127.0.0.1:${port}/`);
  expect(cookies.at(-1)).toContain('other=1');

  await page.goto(`${rig.service.studioUrl}/settings/plan`);
  expect(new URL(page.url()).pathname).toBe('/settings/plan');
  expect(await page.getByText('ada@example.com').count()).toBe(1);
});
