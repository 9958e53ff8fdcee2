import { expect, it } from 'vitest';
import { APP_HOSTS } from '../rigs/app-hosts.ts';
import { jsonAnswer, ScriptedService } from '../rigs/scripted-service.ts';

const KEY = 'svc_live_0123456789abcdef';

it('connects to a service with a custom certificate once that certificate is added', async () => {
  // To test a key, Spool requests the status of a video that does not exist.
  const service = await ScriptedService.start((request, wire) => {
    const isKnown = request.headers.get('x-api-key') === KEY;
    wire.write(
      jsonAnswer(isKnown ? 404 : 401, { error: { code: isKnown ? 'NOT_FOUND' : 'UNAUTHORIZED' } }),
    );
  });
  const [browser] = APP_HOSTS;
  const { page, complaints, quit } = await browser!.open();
  await page.getByRole('button', { name: 'Use my key' }).click();
  await page.getByText('Video Generation Service', { exact: true }).first().click();
  await page.getByRole('button', { name: 'Use this service' }).click();
  await page.getByLabel('Address', { exact: true }).fill(service.url);
  await page.getByLabel('Key', { exact: true }).fill(KEY);
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { name: 'The service’s certificate is not trusted' }).waitFor();
  await page.getByRole('main').getByText('Details', { exact: true }).click();
  await page
    .getByRole('main')
    .getByText(/UNABLE_TO|SELF_SIGNED/)
    .waitFor();
  expect(service.requests).toEqual([]);

  await page.getByRole('button', { name: 'Add a certificate' }).click();
  const certificate = page.getByLabel('Certificate authority, PEM');
  await expect
    .poll(() => certificate.evaluate((field) => field === document.activeElement))
    .toBe(true);
  await certificate.fill(service.ca);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('heading', { name: 'Connected', exact: true }).waitFor();
  await page.getByText(`${service.url} accepts the key.`).waitFor();
  expect(service.requests.map(({ method }) => method)).not.toContain('POST');
  expect(complaints).toEqual([]);
  expect(await quit()).toBe(0);
  await service.stop();
});
