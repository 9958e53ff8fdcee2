import path from 'node:path';
import type { Command } from 'commander';
import { systemAfter } from './clock.ts';
import type { CommandOutput } from './command-output.ts';
import { databaseAddress, databaseOption } from './database-address.ts';
import { DomainError } from './domain-error.ts';
import { filesLocation, openFilesLocation } from './storage/files-location.ts';

interface MigrateOptions {
  readonly database: string | true;
  readonly from?: string;
  readonly files?: string;
}

/** `migrate`: creates the tables of a shared database where there are none, and prints the versions. */
export function addMigrateCommand(program: Command, output: CommandOutput): void {
  program
    .command('migrate')
    .description('Create the tables of a shared database.')
    .addOption(databaseOption().makeOptionMandatory())
    .option('--from <folder>', 'copy the data of a service of one computer, which must not run')
    .option('--files <location>', 'with --from: where its videos and images go')
    .action((options: MigrateOptions) => migrate(options, output));
}

async function migrate(
  { database, from: folder, files }: MigrateOptions,
  output: CommandOutput,
): Promise<void> {
  if ((folder === undefined) !== (files === undefined)) {
    throw new DomainError(
      'FILES_UNUSABLE',
      'With --from, --files has to say where videos and images go; one is nothing without the other.',
    );
  }
  const [{ migratePostgres, openMoveTarget }, { moveService }, { requireServiceFolder }] =
    await Promise.all([
      import('./postgres/postgres-stores.ts'),
      import('./move-service.ts'),
      import('./sqlite/sqlite-export.ts'),
    ]);
  const url = databaseAddress(database);
  const onError = (error: unknown): void => output.printError(`${String(error)}\n`);
  // Checked before anything is written, so that a mistyped folder changes no database.
  if (folder !== undefined) requireServiceFolder(path.resolve(folder));
  const blobs =
    files === undefined ? undefined : await openFilesLocation(filesLocation(files), systemAfter);
  const versions = await migratePostgres({ url, onError });
  if (folder === undefined || !blobs) {
    output.print(versions);
    return;
  }
  const target = await openMoveTarget({ url, onError });
  try {
    output.print({ ...versions, ...(await moveService(path.resolve(folder), blobs, target)) });
  } finally {
    await target.close();
  }
}
