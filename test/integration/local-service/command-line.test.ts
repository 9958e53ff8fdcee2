import {
  type ChildProcess,
  execFile,
  execFileSync,
  spawn,
  spawnSync,
  type StdioOptions,
} from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { endingWithTests } from '../../rigs/ending-with-tests.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const program = path.resolve('src/local-service/main.ts');

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(dataDir: string, ...args: string[]): Promise<Outcome> {
  const all = [program, ...args, '--data-dir', dataDir];
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, all)) };
  } catch (error) {
    return error as Outcome;
  }
}

/** Starts the service, which ends with the test. */
function serve(stdio: StdioOptions, ...more: string[]): ChildProcess {
  const args = [program, 'start', '--port', '0', '--data-dir', temporaryFolder(), ...more];
  const child = spawn(...endingWithTests(process.execPath, args), { stdio });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  return child;
}

test('an operator creates an account and a key, changes its limits, and revokes the key', async () => {
  const dataDir = temporaryFolder();
  const json = async (...args: string[]): Promise<unknown> => {
    const { stdout, stderr } = await run(dataDir, ...args);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
    return JSON.parse(stdout);
  };
  const who = ['--account', 'a@example.com'];
  const opened = ['account', 'add', '--email', 'a@example.com', '--plan', 'starter'];
  expect(await json(...opened, '--billing-date', '2026-01-31')).toMatchObject({
    account: 'a@example.com',
    plan: 'starter',
    billingDate: '2026-01-31',
    quota: { used: 0, limit: 15 },
    keyName: null,
  });
  expect(await json('key', 'create', ...who, '--name', 'Production')).toMatchObject({
    account: 'a@example.com',
    name: 'Production',
    key: expect.stringMatching(/^svc_live_[\w-]{43}$/) as string,
  });
  expect(await json('quota', 'set', ...who, '--videos', '40')).toMatchObject({
    quota: { used: 0, limit: 40 },
    keyName: 'Production',
  });
  expect(await json('limit', 'set', ...who, '--limit', 'status=600/60s')).toMatchObject({
    limits: { status: { requests: 600, windowSeconds: 60 } },
  });
  const shown = await run(dataDir, 'account', 'show', ...who);
  expect(shown.stdout).not.toContain('svc_live_');
  expect(await json('key', 'revoke', ...who)).toMatchObject({ revoked: true });
});

describe('the service ends', () => {
  test.each([
    ['when it is asked to', ['SIGTERM']],
    ['after its parent was killed', ['--exit-with-parent']],
  ])('%s, although the readers of its output are gone', async (_, [how = '']) => {
    const more = how.startsWith('--') ? [how] : [];
    const child = serve(['pipe', 'pipe', 'pipe'], ...more);
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    child.stderr!.destroy();
    if (how === 'SIGTERM') child.kill(how);
    else child.stdin!.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
  });

  test.skipIf(process.platform === 'win32')(
    'within its deadline, although nobody reads its log',
    async () => {
      const fifo = path.join(temporaryFolder(), 'log');
      execFileSync('mkfifo', [fifo]);
      const full = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
      expect(() => {
        for (;;) writeSync(full, Buffer.alloc(4096));
      }).toThrow('EAGAIN');
      const child = serve(['pipe', 'pipe', full]);
      closeSync(full);
      await once(child.stdout!, 'data');
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
    },
  );
});

test.runIf(existsSync('/dev/full'))('says that its output could not be written', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const args = ['account', 'add', '--email', 'a@example.com', '--plan', 'free'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [program, ...args, '--data-dir', temporaryFolder()],
    { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'The output could not be written: ENOSPC: no space left on device, write\n',
  });
});

test('an impossible command is refused in one sentence, with exit code 1', async () => {
  const dataDir = temporaryFolder();
  await run(dataDir, 'account', 'add', '--email', 'a@example.com', '--plan', 'free');
  const refusals: [string[], string][] = [
    [['account', 'add', '--email', 'A@example.com', '--plan', 'pro'], 'There is an account for'],
    [['key', 'create', '--account', 'b@example.com', '--name', 'x'], 'There is no account for'],
    [['key', 'create', '--account', 'a@example.com', '--name', ''], 'has 1 to 64 characters'],
    [['key', 'revoke', '--account', 'a@example.com'], 'has no key to revoke'],
  ];
  for (const [args, sentence] of refusals) {
    const { code, stdout, stderr } = await run(dataDir, ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
  }
});

test('--if-missing creates an account once, and shows an existing one unchanged', async () => {
  const dataDir = temporaryFolder();
  const open = (plan: string) =>
    run(dataDir, 'account', 'add', '--email', 'a@example.com', '--plan', plan, '--if-missing');
  const opened = await open('starter');
  expect(opened).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(opened.stdout)).toMatchObject({ plan: 'starter', quota: { used: 0 } });
  expect(await open('pro')).toEqual(opened);
});

test.runIf(process.platform === 'linux')(
  'a data folder that cannot be created is refused at once',
  async () => {
    const { code, stdout, stderr } = await run('/proc/spool/data', 'start', '--port', '0');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The data folder cannot be created: .*'\/proc\/spool'\.\n$/);
  },
);

test('invalid arguments are refused in one sentence, with exit code 2', async () => {
  const dataDir = temporaryFolder();
  for (const args of [
    ['account', 'add', '--email', 'not-an-address', '--plan', 'free'],
    ['account', 'add', '--email', 'a@example.com'],
    ['start', '--limit', 'generate=ten'],
    ['start', '--window', 'round'],
    ['start', '--retention', '0'],
    ['start', '--retention', '1.5'],
    ['limit', 'set', '--account', 'a@example.com', '--limit', 'authentication=1/1s'],
    ['nonsense'],
  ]) {
    const { code, stdout, stderr } = await run(dataDir, ...args);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
});

test('a secret in an argument is not printed', async () => {
  const folder = temporaryFolder();
  for (const args of [
    ['work', '--database', 'postgres://u:SECRET@h/x', '--files', folder],
    ['start', '--files', 's3://KEY:SECRET@bucket'],
    ['start', '--files', 's3:/KEY:SECRET@bucket'],
  ]) {
    const { code, stdout, stderr } = await run(folder, ...args);
    expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\.\n$/);
    expect(stderr).not.toContain('SECRET');
  }
});

test.each([
  [999, 'a later version of the service: start that version.'],
  [
    9,
    'an earlier version of the service, and this version cannot read it. Choose another folder with --data-dir, or move this one away.',
  ],
])('data of version %d is refused and left as it is', async (version, reason) => {
  const dataDir = temporaryFolder();
  await run(dataDir, 'account', 'add', '--email', 'a@example.com', '--plan', 'free');
  const file = path.join(dataDir, 'service.sqlite');
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  const before = readFileSync(file);
  const { code, stderr } = await run(dataDir, 'account', 'show', '--account', 'a@example.com');
  expect(code).toBe(1);
  expect(stderr).toBe(`The data in ${dataDir} was written by ${reason}\n`);
  expect(readFileSync(file)).toEqual(before);
});
