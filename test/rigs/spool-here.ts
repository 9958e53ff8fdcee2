import { PassThrough } from 'node:stream';
import type { CommandContext } from '../../src/cli/command-context.ts';
import { runSpool } from '../../src/cli/run-spool.ts';
import { builtService } from './built-programs.ts';
import type { SpoolResult } from './spool-process.ts';

/**
 * Runs `spool` in this process, for tests that do not need a separate process, since starting one
 * costs more than the command. Its output is no terminal, unless `isTerminal` says so for standard
 * output.
 */
export async function spoolHere(
  args: readonly string[],
  {
    cwd,
    isTerminal = false,
    ...changes
  }: Partial<CommandContext> & { readonly cwd: string; readonly isTerminal?: boolean },
): Promise<SpoolResult> {
  const out = new PassThrough({ encoding: 'utf8' });
  const errors = new PassThrough({ encoding: 'utf8' });
  const input = new PassThrough();
  input.end();
  const code = await runSpool(args, {
    stdout: asTerminalStream(out, isTerminal),
    stderr: asTerminalStream(errors, false),
    stdin: input as object as NodeJS.ReadStream,
    cwd,
    now: () => Date.now(),
    proxySettings: null,
    keyFromEnvironment: null,
    interrupted: new AbortController().signal,
    serviceProgram: builtService,
    ...changes,
  });
  return { code, stdout: written(out), stderr: written(errors) };
}

/** The streams of a process have the type of terminals, whether or not they are. */
function asTerminalStream(stream: PassThrough, isTTY: boolean): NodeJS.WriteStream {
  return Object.assign(stream, {
    isTTY,
    columns: 80,
    hasColors: () => false,
  }) as object as NodeJS.WriteStream;
}

function written(stream: PassThrough): string {
  return String(stream.read() ?? '');
}
