import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { BUILT_SPOOL } from './built-programs.ts';
import { endingWithTests } from './ending-with-tests.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** As users start it, from its sources. */
export const SPOOL = path.join(REPOSITORY, 'bin', 'spool');

export interface SpoolOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Input for its standard input; none when left out. */
  readonly input?: string;
  /** `SPOOL` or a copy of it; the built command line when left out, which starts in half the time. */
  readonly program?: string;
}

export interface SpoolResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `spool` as a user or a script would, and waits for its end. */
export async function spool(
  args: readonly string[],
  options: SpoolOptions = {},
): Promise<SpoolResult> {
  return startSpool(args, options).result;
}

/** A `spool` that is still running. */
export interface RunningSpool {
  readonly child: ChildProcessWithoutNullStreams;
  readonly result: Promise<SpoolResult>;
  /** Resolves once standard output matches the pattern. */
  waitForOutput(pattern: RegExp): Promise<string>;
}

export function startSpool(
  args: readonly string[],
  { cwd = REPOSITORY, env = {}, input, program }: SpoolOptions = {},
): RunningSpool {
  const command =
    program === undefined
      ? endingWithTests(process.execPath, [BUILT_SPOOL, ...args])
      : endingWithTests(program, args);
  // Not the home folder of the person who runs the tests, which has their queue and settings.
  const HOME = env.HOME ?? temporaryFolder();
  const child = spawn(...command, { cwd, env: { ...process.env, ...env, HOME } });
  const ended = once(child, 'close') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  child.stdin.end(input);
  const output = listen(child);
  return {
    child,
    result: Promise.all([ended, text(child.stderr)]).then(([[code], stderr]) => ({
      code,
      stdout: output.output(),
      stderr,
    })),
    waitForOutput: (pattern) => output.waitForOutput(pattern),
  };
}

function listen(child: ChildProcessWithoutNullStreams) {
  let output = '';
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    for (const listener of listeners) listener();
  });
  return {
    output: () => output,
    waitForOutput: (pattern: RegExp) =>
      new Promise<string>((resolve, reject) => {
        const matchOutput = (): void => {
          const [match] = pattern.exec(output) ?? [];
          if (match !== undefined) resolve(match);
        };
        listeners.add(matchOutput);
        child.once('close', () => reject(new Error(`It ended without this output:\n${output}`)));
        matchOutput();
      }),
  };
}
