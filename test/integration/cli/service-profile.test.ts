import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { jsonAnswer, ScriptedService, type ServiceScript } from '../../rigs/scripted-service.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

describe('a service by its name', () => {
  it.each([
    ['runwey', /no service “runwey”\. Did you mean runway\? Use one of local, runway/],
    ['shot', /Did you mean shotstack\?/],
    ['zzz', /no service “zzz”\. Use one of local/],
  ])('refuses %s with a suggestion', async (name, sentence) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.csv'), 'title,prompt\nOne,A cat\n');
    const { code, stderr, stdout } = await spoolHere(
      ['plan', 'a.csv', '--service', name, '--data-dir', path.join(folder, 'data')],
      { cwd: folder },
    );
    expect(code).toBe(2);
    expect(stderr + stdout).toMatch(sentence);
  });

  it('plans with the columns of the service', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.csv'), 'title,prompt,seconds\nOne,A cat,5\nTwo,A dog,8\n');
    const { code, stdout } = await spoolHere(
      ['plan', 'a.csv', '--service', 'runway', '--data-dir', path.join(folder, 'data'), '--json'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    const [planned] = stdout.split('\n').map((line) => line && (JSON.parse(line) as object));
    expect(planned).toMatchObject({ event: 'planned', rows: [{ title: 'One' }, { title: 'Two' }] });
  });

  it('plans for the service in the settings', async () => {
    const folder = temporaryFolder();
    const dataDir = path.join(folder, 'data');
    const { stdout: profile } = await spoolHere(['service-profile', 'show', 'runway'], {
      cwd: folder,
    });
    const baseUrl = 'https://api.dev.runwayml.com';
    mkdirSync(dataDir);
    writeFileSync(
      path.join(dataDir, 'settings.json'),
      JSON.stringify({
        version: 1,
        service: { kind: 'remote', baseUrl, ca: null },
        profiles: { [baseUrl]: JSON.parse(profile) as object },
      }),
    );
    writeFileSync(path.join(folder, 'a.csv'), 'title,prompt,seconds\nOne,A cat,50\n');
    const { code, stderr, stdout } = await spoolHere(['plan', 'a.csv', '--data-dir', dataDir], {
      cwd: folder,
    });
    expect(code).toBe(2);
    expect(stderr + stdout).toMatch(/Length in seconds|seconds/);
    expect(stderr + stdout).toMatch(/10/);
  });

  it('refuses an account plan for a service without plans', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.csv'), 'title,prompt\nOne,A cat\n');
    const { code, stderr, stdout } = await spoolHere(
      [
        'plan',
        'a.csv',
        '--service',
        'runway',
        '--account-plan',
        'pro',
        '--data-dir',
        path.join(folder, 'data'),
      ],
      { cwd: folder },
    );
    expect(code).toBe(2);
    expect(stderr + stdout).toMatch(/--account-plan and --billing-date do not apply to Runway/);
  });
});

describe('service-profile', () => {
  it('lists services with cost, file, limits and whether they were tried', async () => {
    const { code, stdout } = await spoolHere(['service-profile', 'list'], {
      cwd: temporaryFolder(),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^runway +5 credits to 40 credits × seconds +link for 24 h +50 per day, 1 at a time +untested$/m,
    );
    expect(stdout).not.toMatch(/openai|veo/i);
    expect(stdout).toMatch(/^heygen +not known/m);
  });

  it('shows a profile that can be written to a file and is valid', async () => {
    const folder = temporaryFolder();
    const shown = await spoolHere(['service-profile', 'show', 'runway'], { cwd: folder });
    writeFileSync(path.join(folder, 'own.json'), shown.stdout);
    const { code, stdout } = await spoolHere(['service-profile', 'check', 'own.json'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Rows go to https://api.dev.runwayml.com/v1/text_to_video.');
    expect(stdout).toContain('in the header authorization: Bearer');
  });

  it('names every error by its field', async () => {
    const folder = temporaryFolder();
    const { stdout } = await spoolHere(['service-profile', 'show', 'runway'], { cwd: folder });
    const profile = JSON.parse(stdout) as { api: Record<string, unknown> };
    profile.api.origin = 'http://api.example.com';
    profile.api.generate = { path: '//evil.example/v1' };
    writeFileSync(path.join(folder, 'own.json'), JSON.stringify(profile));
    const { code, stderr } = await spoolHere(['service-profile', 'check', 'own.json'], {
      cwd: folder,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ {2}api\.origin: /m);
    expect(stderr).toMatch(/^ {2}api\.generate\.path: /m);
  });

  it('reads examples with the profile', async () => {
    const folder = temporaryFolder();
    writeFileSync(
      path.join(folder, 'examples.json'),
      JSON.stringify({
        generate: { id: 'task-1' },
        status: [
          { id: 'task-1', status: 'RUNNING' },
          { id: 'task-1', status: 'MELTED' },
        ],
      }),
    );
    const { code, stdout } = await spoolHere(
      ['service-profile', 'check', 'runway', '--examples', 'examples.json'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('identifier is task-1');
    expect(stdout).toContain('“RUNNING” means working');
    expect(stdout).toContain('the profile does not define “MELTED”');
  });

  it('reports a missing file', async () => {
    const { code, stderr } = await spoolHere(['service-profile', 'check', 'gone.json'], {
      cwd: temporaryFolder(),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/gone\.json cannot be read/);
  });
});

describe('service-profile check --with-key', () => {
  const KEY = 'rw_0123456789abcdefghij';

  async function check(script: ServiceScript, key: string | null = KEY, ...args: string[]) {
    const cwd = temporaryFolder();
    const service = await ScriptedService.start(script);
    onTestFinished(() => service.stop());
    const runway = builtInProfile('runway');
    const api = { ...runway.api, origin: service.url };
    writeFileSync(path.join(cwd, 'own.json'), JSON.stringify({ ...runway, api }));
    writeFileSync(path.join(cwd, 'ca.pem'), service.ca);
    const result = await spoolHere(
      [
        'service-profile',
        'check',
        'own.json',
        '--with-key',
        '--ca',
        'ca.pem',
        '--data-dir',
        path.join(cwd, 'data'),
        ...args,
      ],
      { cwd, keyFromEnvironment: key },
    );
    const { code, stdout, stderr } = result;
    return { code, output: stdout + stderr, requests: service.requests };
  }

  it('makes one free request, with the key in the header that the profile names', async () => {
    const { code, output, requests } = await check((_, wire) =>
      wire.write(jsonAnswer(404, { error: 'Task not found' })),
    );
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: 'GET', body: '' });
    expect(requests[0]?.path).not.toContain(KEY);
    expect(requests[0]?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(output).toMatch(/accepts the API key/);
    expect(code).toBe(0);
    expect(output).not.toContain(KEY);
  });

  it('reports a refused key with its exit code, and hides the key that the service repeats', async () => {
    const { code, output } = await check((_, wire) =>
      wire.write(jsonAnswer(401, { error: `Invalid key ${KEY}` })),
    );
    expect(code).toBe(3);
    expect(output).toMatch(/does not accept|refuses/);
    expect(output).not.toContain(KEY);
  });

  it('reports that the key is unknown when the service does not answer', async () => {
    const { code, output } = await check((_, wire) => wire.destroy(), KEY, '--json');
    expect(output).toMatch(/"event":"key","state":"note"/);
    expect(code).toBe(1);
  });

  it('follows no redirect with the key', async () => {
    const other = await ScriptedService.start((_, wire) => wire.write(jsonAnswer(200, {})));
    onTestFinished(() => other.stop());
    const { requests } = await check((_, wire) =>
      wire.write(jsonAnswer(302, {}, { Location: `${other.url}/v1/tasks` })),
    );
    expect(requests).toHaveLength(1);
    expect(other.connections).toBe(0);
  });

  it('sends nothing to another address than the profile’s', async () => {
    const { code, output, requests } = await check(
      (_, wire) => wire.write(jsonAnswer(200, {})),
      KEY,
      '--service',
      'https://elsewhere.example',
    );
    expect(code).toBe(2);
    expect(output).toMatch(/api\.origin: /);
    expect(requests).toEqual([]);
  });
});
