import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import path from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** “nobody” on most systems; the account need not exist. */
const NOBODY = 65_534;

/** Another user of this computer, who can run programs. */
export interface OtherUser {
  readonly uid: number;
  /** A folder that both users can enter, and that only the first can write to. */
  readonly commonFolder: () => string;
  /** Runs a Node module as this user and returns its standard output. */
  readonly run: (script: string, ...args: string[]) => Promise<string>;
  /** Starts a script that runs until the test is over; resolves at its first output. */
  readonly start: (script: string, ...args: string[]) => Promise<void>;
}

/** The test is skipped, with the reason, if it cannot become another user. */
export function otherUser(test: TestContext): OtherUser {
  if (process.getuid?.() !== 0) test.skip('only root can run a program as another user');
  const options = { uid: NOBODY, gid: NOBODY, cwd: '/', env: {} };
  const { error } = spawnSync(process.execPath, ['--version'], options);
  if (error) test.skip(`another user cannot run this Node: ${error.message}`);
  const begin = (script: string, args: readonly string[]) => {
    const flags = ['--no-warnings', '--input-type=module', '--eval', script];
    return spawn(process.execPath, [...flags, '--', ...args], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  return {
    uid: NOBODY,
    commonFolder() {
      // The system's folder for a user's temporary files may be closed to others.
      const folder = path.join(temporaryFolder(), 'common');
      mkdirSync(folder);
      for (const each of [path.dirname(folder), folder]) chmodSync(each, 0o755);
      return folder;
    },
    async run(script, ...args) {
      const child = begin(script, args);
      const [written, complaints] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      if (child.exitCode !== 0) throw new Error(complaints);
      return written;
    },
    async start(script, ...args) {
      const child = begin(script, args);
      const ended = once(child, 'close');
      const complaints = text(child.stderr);
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await ended;
      });
      await Promise.race([
        once(child.stdout, 'data'),
        ended.then(async () => {
          throw new Error(await complaints);
        }),
      ]);
    },
  };
}
