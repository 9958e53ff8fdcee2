import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { postgresPrograms } from '../rigs/postgres-server.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

const DEMO = path.join(import.meta.dirname, '..', '..', 'tools', 'demo.ts');
const TIMEOUT_MS = 120_000;

/** Resolves when the demo's output contains these words. */
function untilPrinted(demo: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    demo.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(words)) resolve();
    });
    demo.once('exit', () => reject(new Error(output)));
  });
}

describe.skipIf(postgresPrograms() === undefined)('the demo of several computers', () => {
  test.each([
    ['SIGINT', 'PostgreSQL and', 130],
    ['SIGTERM', 'Two API processes', 143],
  ] as const)(
    'deletes everything when its process group gets %s',
    async (signal, words, code) => {
      const folder = temporaryFolder();
      // PostgreSQL may run as another user, who must be able to enter the folder.
      chmodSync(folder, 0o711);
      const demo = spawn(process.execPath, [DEMO, '--scale-out'], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      });
      const output = text(demo.stdout);
      const ended = once(demo, 'exit');
      await untilPrinted(demo, words);
      process.kill(-demo.pid!, signal);
      expect(await ended).toEqual([code, null]);
      expect(readdirSync(folder)).toEqual([]);
      expect((await output).trimEnd()).toMatch(/Everything was deleted\.$/);
    },
    TIMEOUT_MS,
  );
});
