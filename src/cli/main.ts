import { Command, CommanderError } from 'commander';
import { LOCAL_SERVICE_FILE, serviceProgramInNode } from '../host/service-program.ts';
import type { CommandContext } from './command-context.ts';
import { addCommands } from './commands/all-commands.ts';
import { failureWords } from './display/sentences.ts';
import { failureOf } from './failure-of.ts';
import { EXIT, exitCodeOfFailure } from './exit-codes.ts';

/** Read once, and gone before anything is started that would inherit it. */
function takeKeyFromEnvironment(): string | null {
  const key = process.env.SPOOL_API_KEY?.trim();
  delete process.env.SPOOL_API_KEY;
  return key === undefined || key === '' ? null : key;
}

/** The first signal asks for a safe end; whoever sends a second one does not want to wait. */
function onInterruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort();
    });
  }
  // A reader that closed its end, such as `head`, wants no more of it either.
  process.stdout.on('error', () => controller.abort());
  return controller.signal;
}

const context: CommandContext = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  cwd: process.cwd(),
  now: () => Date.now(),
  keyFromEnvironment: takeKeyFromEnvironment(),
  interrupted: onInterruption(),
  serviceProgram: serviceProgramInNode(LOCAL_SERVICE_FILE),
};

const program = new Command('spool')
  .description('Renders videos in batches.')
  .exitOverride()
  .enablePositionalOptions()
  .showSuggestionAfterError()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) });
addCommands(program, context, (exitCode) => {
  process.exitCode = exitCode;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = tell(error);
}

/** What went wrong as one sentence for a person; a defect with all there is to find it by. */
function tell(error: unknown): number {
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? EXIT.allSaved : EXIT.usage;
  }
  const failure = failureOf(error);
  if (failure !== null) {
    context.stderr.write(`${failureWords(failure)}\n`);
    return exitCodeOfFailure(failure.code);
  }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  context.stderr.write(`Spool met a defect of its own:\n${words}\n`);
  return EXIT.someFailed;
}
