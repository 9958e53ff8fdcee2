/** The checks that need no running program, and how they share a machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';

/**
 * Scripts of package.json, the longest first. Components are linted separately: their types are
 * computed for each of them, which takes as long as all other files together.
 */
export const CHECKS = [
  'check:code',
  'check:types:svelte',
  'check:lint:svelte',
  'check:layers',
  'check:format:svelte',
  'check:unused',
  'check:format:files',
  'check:lockfile',
];

/**
 * For programs written in Go: they collect garbage only once they have this much memory. With Go's
 * defaults, types and lint take a sixth more processor time.
 */
const GO_MEMORY = { GOGC: 'off', GOMEMLIMIT: '3GiB' };

/** A Node program, and its name in the results. */
export interface Step {
  readonly name: string;
  /** For Node: the program and its arguments. */
  readonly args: readonly string[];
}

export interface RunOptions {
  /** Leaves the processor to everything else that wants it. */
  readonly isBackground?: boolean;
  /** Is given what a step said, once it has ended; prints it when left out. */
  readonly report?: (text: string) => void;
}

/** Runs scripts of package.json, one per core at the same time; returns whether each passed. */
export function runScripts(scripts: readonly string[], options?: RunOptions): Promise<boolean[]> {
  // By Node: npm itself takes half a second to start.
  return runSteps(
    scripts.map((name) => ({ name, args: ['--run', name] })),
    options,
  );
}

/** Runs programs, one per core at the same time; returns whether each passed. */
export async function runSteps(
  steps: readonly Step[],
  { isBackground = false, report = (text) => process.stdout.write(text) }: RunOptions = {},
): Promise<boolean[]> {
  const passed: boolean[] = [];
  const coming = steps.values();
  const work = async (): Promise<void> => {
    for (const step of coming) passed.push(await runStep(step, isBackground, report));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return passed;
}

/** Runs one program, prints its output in one piece, and returns whether it passed. */
async function runStep(
  { name, args }: Step,
  isBackground: boolean,
  report: (text: string) => void,
): Promise<boolean> {
  const started = performance.now();
  const step = spawn(process.execPath, args, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: { ...GO_MEMORY, ...process.env },
  });
  // Node is still starting: what it starts itself gets the same priority.
  if (isBackground && step.pid !== undefined) {
    setPriority(step.pid, constants.priority.PRIORITY_LOW);
  }
  const [said, complained, [status]] = await Promise.all([
    text(step.stdout),
    text(step.stderr),
    once(step, 'close') as Promise<[number | null]>,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  report(`${said}${complained}${status === 0 ? '✓' : '✕'} ${name} (${seconds} s)\n`);
  return status === 0;
}
