import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { BUILT_SERVICE_FILE } from '../../rigs/built-programs.ts';
import { endingWithTests } from '../../rigs/ending-with-tests.ts';
import { Client } from './rig.ts';

/** Runs a command of the service to its end. Returns the JSON that it prints. */
export async function run(dataDir: string, ...args: string[]): Promise<Record<string, string>> {
  const all = [BUILT_SERVICE_FILE, ...args, '--data-dir', dataDir];
  const { stdout } = await promisify(execFile)(process.execPath, all);
  return JSON.parse(stdout) as Record<string, string>;
}

export interface Started {
  readonly child: ChildProcess;
  readonly client: Client;
}

/** The service as its own process, with its real renderer. */
export async function start(dataDir: string, ...more: string[]): Promise<Started> {
  const args = [
    BUILT_SERVICE_FILE,
    'start',
    '--port',
    '0',
    '--data-dir',
    dataDir,
    '--log-level',
    'error',
  ];
  const child = spawn(...endingWithTests(process.execPath, [...args, ...more]), {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await gone;
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url, studioUrl, caFile } = JSON.parse(line.toString()) as Record<
    'url' | 'studioUrl' | 'caFile',
    string
  >;
  const client = new Client(url, caFile, studioUrl);
  onTestFinished(() => client.close());
  return { child, client };
}
