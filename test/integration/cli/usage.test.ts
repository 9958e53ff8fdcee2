import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BUILT_SPOOL } from '../../rigs/built-programs.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { REPOSITORY, spool, SPOOL } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

describe('the command line', () => {
  it('works from any folder and through a symlink, and prints help', async () => {
    const folder = temporaryFolder();
    symlinkSync(SPOOL, path.join(folder, 'sp'));
    const { code, stdout } = await spool(['--help'], {
      cwd: folder,
      program: path.join(folder, 'sp'),
    });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/^ {2}(?:serve|start) /m);
    expect(stdout).toMatch(
      /demo[^]*run [^]*plan [^]*jobs[^]*queue[^]*web[^]*app[^]*key[^]*service/,
    );
  });

  it.each([
    [['cost', '--json', '--csv'], 'Use --json or --csv, not both.'],
    [['cost', '--out', 'a.csv', '--json'], 'Use --json or --out, not both.'],
  ])('refuses two formats at once: %j', async (args, sentence) => {
    const { code, stdout, stderr } = await spoolHere(args, { cwd: temporaryFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  it('says what to do in a clone that is not installed yet', async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, 'bin'));
    const program = path.join(folder, 'bin', 'spool');
    copyFileSync(SPOOL, program);
    const { code, stderr } = await spool(['demo'], { program });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^spool: Not installed yet\. Run `npm ci` in \S+ first\.\n$/);
  });

  it.runIf(existsSync('/dev/full'))('says that its output could not be written', () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { status, stderr } = spawnSync(process.execPath, [BUILT_SPOOL, '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({
      status: 7,
      stderr: 'The output could not be written: ENOSPC: no space left on device, write\n',
    });
  });

  it.runIf(existsSync('/dev/full'))(
    'distinguishes an output that cannot be written from an interruption',
    () => {
      const full = openSync('/dev/full', 'w');
      onTestFinished(() => closeSync(full));
      const args = ['web', '--without-page', '--service', 'https://service.invalid'];
      const { status, stderr } = spawnSync(
        process.execPath,
        [BUILT_SPOOL, ...args, '--data-dir', temporaryFolder()],
        {
          stdio: ['ignore', full, 'pipe'],
          encoding: 'utf8',
          env: { ...process.env, SPOOL_API_KEY: 'svc_live_0123456789' },
        },
      );
      expect({ status, stderr }).toEqual({
        status: 7,
        stderr: 'The output could not be written: ENOSPC: no space left on device, write\n',
      });
    },
  );

  // Below 24, Node itself does not start.
  it.runIf(process.platform === 'linux')(
    'names the limit of open files where that is the reason, wherever it is reached',
    () => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'a.csv'), 'title\nOne');
      const spoolWith = (limit: number, ...args: string[]) =>
        spawnSync(
          '/bin/sh',
          ['-c', `ulimit -n ${limit} && exec "$@"`, 'sh', process.execPath, BUILT_SPOOL, ...args],
          { cwd: folder, encoding: 'utf8' },
        );
      const plan = ['plan', 'a.csv', '--service', 'https://service.invalid', '--data-dir', 'data'];
      const ends = [24, 25, 26, 27, 28, 29, 30].map((limit) => spoolWith(limit, ...plan));
      const refused = ends.filter(({ status }) => status !== 0);
      expect(refused).not.toEqual([]);
      for (const { stderr } of refused) {
        expect(stderr).toMatch(/^Spool may not open more files: .*limit of open files.*ulimit -n/);
      }
      // The data folder can be opened, and the local service cannot be started.
      const run = spoolWith(33, 'run', 'a.csv', '--data-dir', 'here');
      expect(run.status).toBe(1);
      expect(run.stdout + run.stderr).toMatch(/local service.*limit of open files/);
    },
  );

  it.each([
    ['an unknown command', ['dmeo'], /^There is no command “dmeo”\.\n\(Did you mean demo\?\)/],
    ['an unknown command of jobs', ['jobs', 'lst'], /^There is no command “lst”\.[^]*mean list/],
    [
      'the beginning of a command',
      ['down', 'link'],
      /^There is no command “down”\.[^]*mean download/,
    ],
    ['an unknown option', ['run', 'a.csv', '--fast'], /^There is no option --fast\.\n/],
    [
      'the beginning of an option',
      ['jobs', '--data', '/tmp'],
      /no option --data\.\n[^]*mean --data-dir/,
    ],
    [
      'one with a value',
      ['plan', 'a.csv', '--data=/tmp'],
      /no option --data=\/tmp\.\n[^]*mean --data-dir/,
    ],
    ['the beginning of several', ['run', 'a.csv', '--dupl'], /--duplicates, --duplicate-row/],
    [
      'an unknown group',
      ['cost', '--by', 'a$&b'],
      /^--by cannot be “a\$&b”\. Choose one of week, /,
    ],
    ['an unknown priority', ['jobs', 'prioritise', 'top', '1'], /^<priority> cannot be “top”\. Ch/],
    ['an option without its value', ['cost', '--by'], /^--by needs a value\.\n/],
    ['too many words', ['cost', 'now'], /^There is an argument too many\.\n/],
    ['no batch', ['run'], /^<batch> is missing\.\n/],
    ['more than an address', ['run', 'a.csv', '--service', 'https://a@b.example'], /host, a port/],
    [
      'a number as an address',
      ['run', 'a.csv', '--service', '8080'],
      /https:\/\/127\.0\.0\.1:8080/,
    ],
    ['a number as a host', ['run', 'a.csv', '--service', 'https://8080'], /A number is not an add/],
    ['plain HTTP', ['run', 'a.csv', '--service', 'http://api.example'], /https/],
    ['an unknown plan', ['run', 'a.csv', '--account-plan', 'gold'], /free, starter, creator/],
    ['a plan without videos', ['run', 'a.csv', '--account-plan', '0'], /1 to 1,000,000/],
    ['a plan of too many', ['run', 'a.csv', '--account-plan', '1000001'], /1 to 1,000,000/],
    ['a day that no month has', ['run', 'a.csv', '--billing-date', '2026-02-30'], /2026-03-17/],
    ['an invalid date', ['run', 'a.csv', '--billing-date', 'soon'], /2026-03-17/],
    ['an unknown way', ['run', 'a.csv', '--on-collision', 'burn'], /number, skip/],
    ['a column that is no pair', ['run', 'a.csv', '--column', 'title'], /field=header/],
    [
      'a row with an unknown way',
      ['run', 'a.csv', '--duplicate-row', '4=burn'],
      /row=way, where way is one of reuse, render, skip/,
    ],
    ['no decision', ['jobs', 'resolve', '1'], /Use --accepted <id>, --resend or --abandon/],
    ['two decisions', ['jobs', 'resolve', '1', '--resend', '--abandon'], /Use --accepted/],
    ['an empty name', ['run', 'a.csv', '--name', ''], /--name[^]*1 to 500 characters/],
    ['a long name', ['plan', 'a.csv', '--name', 'x'.repeat(501)], /1 to 500 characters/],
    ['an empty rename', ['jobs', 'rename', '', '--all'], /1 to 500 characters/],
    ['a long search', ['jobs', 'list', '--search', 'x'.repeat(201)], /up to 200 characters/],
    ['an empty id', ['jobs', 'resolve', '1', '--accepted', ''], /1 to 200 characters/],
    ['a long id', ['jobs', 'resolve', '1', '--accepted', 'x'.repeat(201)], /1 to 200 characters/],
    // A script's unset variable, which would make the current folder private and use it.
    ['an empty data folder', ['jobs', 'list', '--data-dir', ''], /--data-dir[^]*empty/],
    ['an empty folder', ['plan', 'a.csv', '--out', ''], /--out[^]*empty/],
    ['a missing template', ['run', SPOOL, '--template', 'none'], /template .*none is not/],
    ['a key without a service', ['key', 'set'], /--service/],
  ])('ends with 2 and a sentence after %s', async (_, args, sentence) => {
    const { code, stdout, stderr } = await spoolHere(args, { cwd: temporaryFolder() });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8')) as {
      version: string;
    };
    const result = await spoolHere(['--version'], { cwd: temporaryFolder() });
    const { node } = process.versions;
    expect(result).toEqual({
      code: 0,
      stdout: `${version} (Node ${node}, ${process.platform} ${process.arch})\n`,
      stderr: '',
    });
  });

  it('passes the local service’s commands through unchanged', async () => {
    const usage = await spool(['service', 'start', '--port', 'x']);
    expect(usage).toMatchObject({ code: 2, stdout: '' });
    expect(usage.stderr).toContain('A port is a number');
    const dataDir = temporaryFolder();
    const account = ['--email', 'a@example.com', '--plan', 'creator'];
    const added = await spool(['service', 'account', 'add', ...account, '--data-dir', dataDir]);
    expect(added.code).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({ account: 'a@example.com', plan: 'creator' });
    const key = ['--account', 'a@example.com', '--name', 'Test', '--data-dir', dataDir];
    const made = await spool(['service', 'key', 'create', ...key]);
    expect(JSON.parse(made.stdout)).toMatchObject({
      key: expect.stringMatching(/^svc_live_/) as string,
    });
    const again = await spool(['service', 'key', 'create', ...key]);
    expect(again.code).not.toBe(0);
  });
});
