import path from 'node:path';
import { type Command, Option } from 'commander';
import { systemAfter, systemClock } from './clock.ts';
import { parseConcurrency, parseRetention } from './command-line-values.ts';
import type { CommandOutput } from './command-output.ts';
import { databaseAddress, databaseOption } from './database-address.ts';
import { beginShutdownDeadline } from './shutdown-deadline.ts';
import { rendersAtOnce } from './renders-at-once.ts';
import { filesLocation, openFilesLocation } from './storage/files-location.ts';

interface WorkOptions {
  readonly database: string | true;
  readonly files: string;
  readonly dataDir: string;
  readonly concurrency: number;
  readonly retention?: number;
  readonly logLevel: string;
}

/** `work`: renders videos of a shared database until stopped. */
export function addWorkCommand(program: Command, dataDir: string, output: CommandOutput): void {
  program
    .command('work')
    .description('Render videos for a service on several computers.')
    .addOption(databaseOption().makeOptionMandatory())
    .requiredOption(
      '--files <location>',
      'where videos and images are: s3://bucket/prefix, or a folder that several computers share',
    )
    .option(
      '--concurrency <number>',
      'videos rendered side by side (default: one for each processor core, if the memory suffices)',
      parseConcurrency,
      rendersAtOnce(),
    )
    .option(
      '--data-dir <folder>',
      'where this worker keeps what it is rendering; each worker has its own',
      path.join(dataDir, 'worker'),
    )
    .option('--retention <days>', 'how long finished videos are kept', parseRetention)
    .addOption(
      new Option('--log-level <level>', 'what to log, to standard error')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default('info'),
    )
    .action((options: WorkOptions) => work(options, output));
}

/** Resolves once the worker has stopped. */
async function work(options: WorkOptions, output: CommandOutput): Promise<void> {
  const [{ openCommandLog }, { RenderPool }, { openPostgresStores }, { startWorker }] =
    await Promise.all([
      import('./command-log.ts'),
      import('./rendering/render-pool.ts'),
      import('./postgres/postgres-stores.ts'),
      import('./worker.ts'),
    ]);
  const { log, flush } = openCommandLog(options.logLevel);
  const { concurrency, dataDir, retention } = options;
  const location = filesLocation(options.files);
  const stores = await openPostgresStores({
    url: databaseAddress(options.database),
    clock: systemClock,
    window: 'fixed',
    retentionMs: retention,
    slots: concurrency,
    // One for each video's reports and result, and one to claim the next videos.
    maxConnections: Math.min(10, concurrency + 1),
    onError: (err) => log.error({ err }, 'the database failed'),
  });
  const stopping = Promise.withResolvers<undefined>();
  output.onStop(() => stopping.resolve(undefined));
  try {
    const worker = await startWorker({
      stores,
      blobs: await openFilesLocation(location, systemAfter),
      dataDir,
      log,
      after: systemAfter,
      renderer: new RenderPool({ workers: concurrency }),
      concurrency,
      onUnusable: (error) => stopping.reject(error),
    });
    try {
      output.print({ working: concurrency });
      await stopping.promise;
    } finally {
      beginShutdownDeadline();
      await worker.close();
    }
  } finally {
    await stores.close();
    await flush();
  }
}
