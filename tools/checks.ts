/** The checks that need no running program, and how they share a machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';

/**
 * Scripts of package.json, the longest first. Components are linted apart from the rest: the types
 * of each are worked out anew, which takes as long as all other files together.
 */
export const CHECKS = [
  'check:lint:svelte',
  'check:lint:code',
  'check:types:code',
  'check:types:svelte',
  'check:format:other',
  'check:format:code',
  'check:layers',
  'check:unused',
  'check:lockfile',
];

/** Runs scripts of package.json, one a core at a time; for each whether it passed. */
export async function runScripts(scripts: readonly string[]): Promise<boolean[]> {
  const passed: boolean[] = [];
  const coming = scripts.values();
  const work = async (): Promise<void> => {
    for (const script of coming) passed.push(await runScript(script));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return passed;
}

/** Runs one, prints in one piece what it said, and tells whether it passed. */
async function runScript(script: string): Promise<boolean> {
  const started = performance.now();
  // By Node: npm itself takes half a second to start.
  const step = spawn(process.execPath, ['--run', script], { stdio: ['inherit', 'pipe', 'pipe'] });
  const [said, complained, [status]] = await Promise.all([
    text(step.stdout),
    text(step.stderr),
    once(step, 'close') as Promise<[number | null]>,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${said}${complained}`);
  console.log(`${status === 0 ? '✓' : '✕'} ${script} (${seconds} s)`);
  return status === 0;
}
