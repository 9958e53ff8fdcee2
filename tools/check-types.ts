/**
 * Type-checks every layer on its own, so that no layer sees types it may not know
 * (no DOM in the engine, no Node in the renderer). One process a core.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const layers = [
  'src/contract',
  'src/engine',
  'src/local-service',
  'src/host',
  'src/main',
  'src/preload',
  'src/cli',
  'test',
  'bench',
  'tools',
  'build',
].filter((layer) => existsSync(`${layer}/tsconfig.json`));

const commands: string[][] = [
  ['svelte-check', '--tsconfig', 'src/renderer/tsconfig.json', '--fail-on-warnings'],
  ...layers.map((layer) => ['tsc', '--pretty', '-p', layer]),
];

function run([name = '', ...args]: string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(`${name} ${args.join(' ')}\n${output}\n`);
      resolve(code ?? 1);
    });
  });
}

let worst = 0;
async function work(): Promise<void> {
  for (let next = commands.shift(); next; next = commands.shift()) {
    worst = Math.max(worst, await run(next));
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = worst;
