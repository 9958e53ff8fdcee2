import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { BUILT_SERVICE_FILE } from './built-programs.ts';

const run = promisify(execFile);

/** The quota that a data folder's service has counted: one unit per accepted video. */
export async function quotaUsed(dataDir: string): Promise<number> {
  const service = ['--data-dir', path.join(dataDir, 'local-service')];
  const owner = ['--account', 'owner@this-computer.local'];
  const args = [BUILT_SERVICE_FILE, 'account', 'show', ...owner, ...service];
  const { stdout } = await run(process.execPath, args);
  return (JSON.parse(stdout) as { quota: { used: number } }).quota.used;
}
