import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processes } from '../rigs/processes.ts';

const TESTS = path.join(import.meta.dirname, '..', 'rigs', 'killed-tests-child.ts');

test.runIf(process.platform === 'linux')('a program ends with killed tests', async () => {
  const tests = spawn(process.execPath, [TESTS], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = (await once(tests.stdout, 'data')) as [Buffer];
  const pid = Number(String(output));
  const isRunning = (): boolean =>
    processes().some((each) => each.pid === pid && each.command === 'sleep 600 ');
  onTestFinished(() => void (isRunning() && process.kill(pid)));
  await expect.poll(isRunning).toBe(true);

  tests.kill('SIGKILL');
  await once(tests, 'exit');
  await expect.poll(isRunning).toBe(false);
});
