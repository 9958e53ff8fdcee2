import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789';

let service: ScriptedService;
let folder: string;

beforeEach(async () => {
  service = await ScriptedService.start(({ headers }, wire) => {
    const isKey = headers.get('x-api-key') === KEY;
    wire.end(jsonAnswer(isKey ? 404 : 401, { success: false, code: 'UNAUTHORIZED' }));
  });
  onTestFinished(() => service.stop());
  folder = temporaryFolder();
  writeFileSync(path.join(folder, 'ca.pem'), service.ca);
});

const services = (args: string[], keyFromEnvironment: string | null = KEY) =>
  spoolHere(['services', ...args, '--data-dir', folder], { cwd: folder, keyFromEnvironment });

const add = (...options: string[]) =>
  services(['add', service.url, '--ca', path.join(folder, 'ca.pem'), ...options]);

it('checks a service, then saves, lists, renames and removes it', async () => {
  const { host } = new URL(service.url);
  expect(await add()).toMatchObject({
    code: 0,
    stdout: `✓ Address\n✓ Certificate\n✓ Key\nNew videos are rendered by ${host} from now on.\n`,
  });
  expect(await services(['rename', host, 'Studio'])).toMatchObject({
    code: 0,
    stdout: `${service.url} is called Studio.\n`,
  });
  expect((await services(['list'])).stdout).toMatch(/Studio +https:\S+ +0 +0 +in use/);

  const kept = await services(['remove', 'studio']);
  expect(kept).toMatchObject({ code: 2, stdout: '' });
  expect(kept.stderr).toContain('Nothing was removed. Add --yes');
  expect(await services(['remove', 'studio', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'Studio was removed. Saved files stay in their folders.\n',
  });
  expect((await services(['list'])).stdout).not.toContain('https:');
  expect(await services(['remove', 'studio', '--yes'])).toMatchObject({ code: 1 });
});

it('saves nothing while a check fails, unless that is wanted', async () => {
  const withoutCa = ['add', service.url];
  const failed = await services(withoutCa);
  expect(failed).toMatchObject({ code: 1, stdout: '✓ Address\n✗ Certificate\n' });
  expect(failed.stderr).toContain('Nothing was saved. Add --save-anyway');
  expect((await services(['list'])).stdout).not.toContain(service.url);
  expect(service.requests).toEqual([]);

  expect(await services([...withoutCa, '--save-anyway'])).toMatchObject({ code: 0 });
  expect((await services(['list'])).stdout).toContain(service.url);
});

it('saves nothing with a key that the service refuses', async () => {
  const args = ['add', service.url, '--ca', path.join(folder, 'ca.pem'), '--save-anyway'];
  const refused = await services(args, 'svc_live_wrong');
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.stdout).toContain('✗ Key');
  expect((await services(['list'])).stdout).not.toContain(service.url);
});

it('prints its results for programs', async () => {
  const lines = (await add('--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual([
    { event: 'check', check: 'address', state: 'passed' },
    { event: 'check', check: 'certificate', state: 'passed' },
    { event: 'check', check: 'key', state: 'passed' },
    { event: 'service-added', origin: service.url },
  ]);
});
