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

/** A program of Node's, with what it is called when its result is told. */
export interface Step {
  readonly name: string;
  /** For Node: the program and its arguments. */
  readonly args: readonly string[];
}

/** Runs scripts of package.json, one a core at a time; for each whether it passed. */
export function runScripts(scripts: readonly string[]): Promise<boolean[]> {
  // By Node: npm itself takes half a second to start.
  return runSteps(scripts.map((name) => ({ name, args: ['--run', name] })));
}

/** Runs programs, one a core at a time; for each whether it passed. */
export async function runSteps(steps: readonly Step[]): Promise<boolean[]> {
  const passed: boolean[] = [];
  const coming = steps.values();
  const work = async (): Promise<void> => {
    for (const step of coming) passed.push(await runStep(step));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return passed;
}

/** Runs one, prints in one piece what it said, and tells whether it passed. */
async function runStep({ name, args }: Step): Promise<boolean> {
  const started = performance.now();
  const step = spawn(process.execPath, args, { stdio: ['inherit', 'pipe', 'pipe'] });
  const [said, complained, [status]] = await Promise.all([
    text(step.stdout),
    text(step.stderr),
    once(step, 'close') as Promise<[number | null]>,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`${said}${complained}`);
  console.log(`${status === 0 ? '✓' : '✕'} ${name} (${seconds} s)`);
  return status === 0;
}
