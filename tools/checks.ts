/** The checks that need no running program, and how they share a machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Scripts of package.json in two lanes, about as long as each other: each keeps one core busy. */
const LANES = [['check:lint'], ['check:types', 'check:format', 'check:layers', 'check:unused']];

/** Runs every check, the lanes side by side; for each whether it found nothing wrong. */
export async function runChecks(): Promise<boolean[]> {
  const lanes = LANES.map(async (scripts) => {
    const passed: boolean[] = [];
    for (const script of scripts) passed.push(await runScript(script));
    return passed;
  });
  return (await Promise.all(lanes)).flat();
}

/** Runs one of package.json's scripts, prints in one piece what it said, and tells whether it passed. */
export async function runScript(script: string): Promise<boolean> {
  const started = performance.now();
  const step = spawn('npm', ['run', '--silent', script], {
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
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
