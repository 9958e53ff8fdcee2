import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

describe('a service by its name', () => {
  it.each([
    ['runwey', /no service “runwey”\. Did you mean runway\? Use one of local, openai/],
    ['shot', /Did you mean shotstack\?/],
    ['zzz', /no service “zzz”\. Use one of local/],
    ['openai', /has no address\. Use --service https:\/\/… --profile openai/],
  ])('refuses %s with what is meant', async (name, sentence) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.csv'), 'title,prompt\nOne,A cat\n');
    const { code, stderr, stdout } = await spoolHere(
      ['plan', 'a.csv', '--service', name, '--data-dir', path.join(folder, 'data')],
      { cwd: folder },
    );
    expect(code).toBe(2);
    expect(stderr + stdout).toMatch(sentence);
  });

  it('plans by the columns of the service', async () => {
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

  it('plans by the service in the settings', async () => {
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

  it('does not take the plan of an account for a service that has none', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'a.csv'), 'title,prompt\nOne,A cat\n');
    const { code, stderr, stdout } = await spoolHere(
      [
        ...['plan', 'a.csv', '--service', 'runway', '--account-plan', 'pro'],
        ...['--data-dir', path.join(folder, 'data')],
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
      /^runway +12 credits × seconds +link for 24 h +50 per day, 1 at a time +not tried$/m,
    );
    expect(stdout).toMatch(/^openai .* ended 2026-09-24$/m);
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

  it('reads examples by the profile', async () => {
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
    expect(stdout).toContain('“MELTED” means nothing that the profile knows');
  });

  it('says that a file is not there', async () => {
    const { code, stderr } = await spoolHere(['service-profile', 'check', 'gone.json'], {
      cwd: temporaryFolder(),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/gone\.json cannot be read/);
  });
});
