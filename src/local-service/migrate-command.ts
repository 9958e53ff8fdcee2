import type { Command } from 'commander';
import type { CommandOutput } from './command-output.ts';
import { databaseAddress, databaseOption } from './database-address.ts';

interface MigrateOptions {
  readonly database: string | true;
}

/** `migrate`: creates or upgrades the tables of a shared database, and prints the versions. */
export function addMigrateCommand(program: Command, output: CommandOutput): void {
  program
    .command('migrate')
    .description('create or upgrade the tables of a shared database')
    .addOption(databaseOption().makeOptionMandatory())
    .action(async ({ database }: MigrateOptions) => {
      const { migratePostgres } = await import('./postgres/postgres-stores.ts');
      const { from, to } = await migratePostgres({
        url: databaseAddress(database),
        onError: (error) => output.printError(`${String(error)}\n`),
      });
      output.print({ from, to });
    });
}
