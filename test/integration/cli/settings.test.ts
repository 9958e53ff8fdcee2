import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { os } from '@orpc/server';
import { expect, it, onTestFinished } from 'vitest';
import { Interruption } from '../../../src/cli/exit-codes.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { openPrimaryEndpoint } from '../../../src/host/primary-endpoint.ts';
import type { Router } from '../../../src/host/router.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { oneService } from '../../rigs/router-for.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import type { SpoolResult } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const ELSEWHERE = { kind: 'remote', baseUrl: 'https://video.example.com', ca: null };

/** A data folder with a remote service, which none of these commands contacts. */
function dataFolder(): string {
  const folder = temporaryFolder();
  write(folder, 'settings.json', { version: 1, service: ELSEWHERE });
  return folder;
}

function write(folder: string, name: string, document: object): void {
  writeFileSync(path.join(folder, name), JSON.stringify(document));
}

const settingsIn = (folder: string): unknown =>
  JSON.parse(readFileSync(path.join(folder, 'settings.json'), 'utf8'));

/** @param typed input at a terminal; without it, standard input is no terminal */
function settings(folder: string, args: string[], typed?: string): Promise<SpoolResult> {
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  stdin.end(typed);
  return spoolHere(['settings', ...args, '--data-dir', folder], {
    cwd: folder,
    stdin: stdin as object as NodeJS.ReadStream,
  });
}

// abuse.md 49
it('shows what a file would change and changes it only when that is confirmed', async () => {
  const folder = dataFolder();
  write(folder, 'presets.json', {
    version: 1,
    theme: 'dark',
    startAtLogin: true,
    folder: '/home/vic/\u001b[2J',
  });
  const refused = await settings(folder, ['import', 'presets.json', '--yes']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('Folder: This contains invisible characters.');

  write(folder, 'presets.json', { version: 1, theme: 'dark', startAtLogin: true });
  for (const typed of [undefined, '\n', 'n\n', 'yesterday\n']) {
    const { code, stdout, stderr } = await settings(folder, ['import', 'presets.json'], typed);
    expect(stdout).toMatch(
      /^ {2}Theme: System → Dark\nLines marked ! .*\n! Start when I log in: Off → On\n$/,
    );
    expect([code, stderr.split('] ').at(-1)]).toEqual([
      2,
      'Nothing was changed. Add --yes to import without confirmation.\n',
    ]);
    expect(settingsIn(folder)).toEqual({ version: 1, service: ELSEWHERE });
  }

  const { code, stderr } = await settings(folder, ['import', 'presets.json'], 'y\n');
  expect([code, stderr]).toEqual([0, 'Change 2 settings? [y/N] ']);
  expect(settingsIn(folder)).toMatchObject({ theme: 'dark', startAtLogin: true });
  expect(await settings(folder, ['import', 'presets.json', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'presets.json changes nothing.\n',
  });
});

it('names fields of a file that are no settings, and imports none of it', async () => {
  const folder = dataFolder();
  write(folder, 'presets.json', { version: 1, thene: 'dark', startAtLogin: true, profil: {} });

  const { code, stderr } = await settings(folder, ['import', 'presets.json', '--yes']);

  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'presets.json was not imported:\n' +
      '  thene: There is no such setting.\n  profil: There is no such setting.\n',
  });
  expect(settingsIn(folder)).toEqual({ version: 1, service: ELSEWHERE });
});

it('shows the changes with the greatest effect last, beside the question', async () => {
  const folder = dataFolder();
  write(folder, 'presets.json', {
    version: 1,
    theme: 'dark',
    service: { ...ELSEWHERE, baseUrl: 'https://other.example' },
    startAtLogin: true,
  });
  const { stdout } = await settings(folder, ['import', 'presets.json']);
  expect(stdout.split('\n')).toEqual([
    '  Theme: System → Dark',
    'Lines marked ! affect where data is sent, what is trusted and what runs automatically.',
    '! Start when I log in: Off → On',
    '! Service: https://video.example.com → https://other.example',
    '',
  ]);
});

it.each([
  ['a signal', null, 130, 'Interrupted. Nothing was changed.'],
  ['Ctrl-C, which a terminal passes as a character', '\u0003', 130, 'Interrupted. Nothing was'],
  ['Ctrl-D', '\u0004', 2, 'Nothing was changed. Add --yes'],
])('changes nothing after %s instead of an answer', async (_, typed, expected, sentence) => {
  const folder = dataFolder();
  write(folder, 'presets.json', { version: 1, theme: 'dark' });
  const interrupt = new AbortController();
  const terminal = { isTTY: true, columns: 80, setRawMode: () => undefined };
  const stdin = Object.assign(new PassThrough(), terminal);
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
  stderr.once('readable', () => {
    if (typed === null) interrupt.abort(new Interruption('SIGINT'));
    else stdin.write(typed);
  });
  const { code } = await spoolHere(['settings', 'import', 'presets.json', '--data-dir', folder], {
    cwd: folder,
    stdin: stdin as object as NodeJS.ReadStream,
    stderr: stderr as object as NodeJS.WriteStream,
    interrupted: interrupt.signal,
  });
  expect(code).toBe(expected);
  expect(String(stderr.read())).toContain(`\n${sentence}`);
  expect(settingsIn(folder)).toEqual({ version: 1, service: ELSEWHERE });
});

// Spool of another version may find errors that its preview does not.
it.skipIf(process.platform === 'win32')(
  'names the errors that a running Spool finds when it imports the file',
  async () => {
    const dataDir = temporaryFolder();
    write(dataDir, 'presets.json', { version: 1, theme: 'dark' });
    const { router, client } = await openIdleEngine(dataDir);
    const refusing = os.handler(async () => ({
      ...(await client.settings.get()),
      errors: [{ field: 'theme', ...userMessage('value-invisible') }],
    }));
    const endpoint = await openPrimaryEndpoint({
      dataDir,
      ...oneService({
        ...router,
        settings: { ...router.settings, import: refusing },
      } as unknown as Router),
      onDefect: (error) => {
        throw error;
      },
    });
    onTestFinished(() => endpoint.close());
    const { code, stdout, stderr } = await settings(dataDir, ['import', 'presets.json', '--yes']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'presets.json was not imported:\n  theme: This contains invisible characters. Type it again.\n',
    });
    expect(stdout).not.toContain('changed');
    const json = await settings(dataDir, ['import', 'presets.json', '--yes', '--json']);
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'imported',
      changed: 0,
      errors: [{ field: 'theme' }],
    });
  },
);

it('exports settings to a file that it imports elsewhere', async () => {
  const [one, other] = [dataFolder(), dataFolder()];
  write(one, 'settings.json', { version: 1, service: ELSEWHERE, nameTemplate: '{title}.mp4' });
  const file = path.join(other, 'exported.json');

  expect(await settings(one, ['export', '--out', file])).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(true);
  expect((await settings(one, ['export', '--out', file])).stderr).toContain('already exists');

  const { code, stdout } = await settings(other, ['import', file, '--yes', '--json']);
  expect(code).toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { event: 'preview', errors: [], changes: [{ field: 'nameTemplate', isSensitive: false }] },
    { event: 'imported', changed: 1 },
  ]);
  expect(settingsIn(other)).toMatchObject({ nameTemplate: '{title}.mp4' });
});
