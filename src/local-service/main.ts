/** The Video Generation Service for this computer: a separate program in a separate process. */
import { Command, CommanderError } from 'commander';
import envPaths from 'env-paths';
import { commandOutput } from './command-output.ts';
import { addAccountCommands } from './account-commands.ts';
import { DomainError } from './domain-error.ts';
import { addMigrateCommand } from './migrate-command.ts';
import { addStartCommand } from './start-command.ts';
import { addWorkCommand } from './work-command.ts';

const exitCodes = { refused: 1, usage: 2 } as const;

// Only this user may read keys, storyboards and videos, even in a folder that others may enter.
process.umask(0o077);

const output = commandOutput();
const dataDir = envPaths('spool-service', { suffix: '' }).data;
const program = new Command('spool service')
  .description('Run the Video Generation Service on this computer.')
  .configureOutput({
    writeErr: (text) => output.printError(text),
    outputError: (text, write) => write(text.replace(/^error: /, '')),
  });
// Before the subcommands are added, because they inherit these settings.
program.exitOverride();
addStartCommand(program, dataDir, output);
addWorkCommand(program, dataDir, output);
addMigrateCommand(program, output);
addAccountCommands(program, dataDir, output);

output.finish(await run());

async function run(): Promise<number> {
  try {
    // Explicit, because commander guesses another format when `process.versions.electron` is set.
    await program.parseAsync(process.argv, { from: 'node' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Prints the error for the user. @returns the exit code */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof DomainError) {
    output.printError(`${error.message}\n`);
    return exitCodes.refused;
  }
  output.printError(`${sentenceFor(error)}\n`);
  return exitCodes.refused;
}

function sentenceFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'Another program listens on that port already; choose another with --port.';
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'That host is not an address of this computer.';
    case 'EACCES':
      return `The service has no permission for this: ${error.message}.`;
    default:
      return error.stack ?? error.message;
  }
}
