import { CommanderError } from 'commander';
import { commandAction } from './command-action.ts';
import type { CommandContext } from './command-context.ts';
import { addCommands } from './commands/all-commands.ts';
import { withListCommand } from './commands/jobs/jobs-commands.ts';
import { visibleText } from './display/safe-text.ts';
import {
  EXIT,
  exitCodeOfFailure,
  exitCodeOfInterruption,
  Interruption,
  isInterruption,
} from './exit-codes.ts';
import { SpoolCommand } from './spool-command.ts';
import { spoolVersion } from './version.ts';

/** The commands with their options, as the command line, completion and the manual know them. */
export function createProgram(
  context: CommandContext,
  setExitCode: (exitCode: number) => void,
): SpoolCommand {
  const { stdout, stderr } = context;
  const program = new SpoolCommand('spool')
    .description('Render videos in batches, one for each row of a table.')
    .version(spoolVersion())
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError('Run it with --help to see its arguments and options.')
    .addHelpText(
      'after',
      '\nTo try it: spool demo. For your own batch: spool plan videos.csv, then spool run videos.csv.',
    )
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    });
  addCommands(program, commandAction(context, setExitCode));
  return program;
}

/**
 * Runs a command line.
 *
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runSpool(args: readonly string[], context: CommandContext): Promise<number> {
  let exitCode: number = EXIT.allSaved;
  const program = createProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...withListCommand(args)], { from: 'user' });
    return exitCode;
  } catch (error) {
    return await writeError(error, context);
  }
}

/** Writes an error as one sentence for people; a defect with its stack trace. */
async function writeError(
  error: unknown,
  { stderr, interrupted }: CommandContext,
): Promise<number> {
  if (error instanceof Interruption) return error.exitCode;
  if (isInterruption(error, interrupted)) return exitCodeOfInterruption(interrupted);
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.allSaved : EXIT.usage;
  }
  const { failureOf } = await import('../host/failures.ts');
  const failure = failureOf(error);
  if (failure !== null) {
    const { failureText } = await import('./display/failure-text.ts');
    stderr.write(`${failureText(failure)}\n`);
    return exitCodeOfFailure(failure.code);
  }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`Internal error:\n${visibleText(words)}\n`);
  return EXIT.someFailed;
}
