import { type Command, Option } from 'commander';
import { z } from 'zod';
import { defaultLimits } from './accounts/rate-limits.ts';
import type { WindowType } from './accounts/rate-window.ts';
import { systemAfter, systemClock } from './clock.ts';
import {
  collectLimits,
  type NamedLimit,
  parsePort,
  parseRetention,
} from './command-line-values.ts';
import type { CommandOutput } from './command-output.ts';
import { filesLocation, openFilesLocation } from './storage/files-location.ts';
import { databaseAddress, databaseOption } from './database-address.ts';
import { DomainError } from './domain-error.ts';
import type { PostgresStores } from './postgres/postgres-stores.ts';
import { rendersAtOnce } from './renders-at-once.ts';
import { beginShutdownDeadline } from './shutdown-deadline.ts';
import { SchemaWatch } from './schema-watch.ts';
import type { Blobs } from './storage/blobs.ts';
import type { Logger } from 'pino';
import { DEFAULT_RETENTION_DAYS } from './videos/retention-time.ts';

interface StartOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly window: WindowType;
  readonly limit: readonly NamedLimit[];
  readonly retention?: number;
  readonly files?: string;
  readonly database?: string | true;
  readonly behindProxy?: string;
  readonly logLevel: string;
  readonly exitWithParent: boolean;
  readonly paused: boolean;
}

/** What the parent process may say, a line of JSON each. */
const orderSchema = z.object({
  /** Videos that are rendered at a time. With 0, running renders finish and none starts. */
  rendersAtOnce: z.int().nonnegative(),
});

/**
 * A parent starts one service. Another service on its data folder was orphaned by a killed parent:
 * it finishes its responses (at most 5 s) and ends.
 */
const ORPHAN_TIMEOUT_MS = 10_000;

/** Concurrent statements of one API process on a shared database. */
const API_CONNECTIONS = 10;

/** `start`: serves until stopped, and prints one line of JSON once it is ready. */
export function addStartCommand(program: Command, dataDir: string, output: CommandOutput): void {
  program
    .command('start')
    .description('Serve the API on this computer.')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port to listen on; 0 for any free one', parsePort, 8443)
    .option('--data-dir <folder>', 'where the service keeps its data', dataDir)
    .addOption(
      new Option('--window <type>', 'how requests are counted')
        .choices(['fixed', 'sliding'])
        .default('fixed'),
    )
    .option('--limit <limit>', 'such as generate=10/3600s; may be repeated', collectLimits, [])
    .option(
      '--retention <days>',
      `how long finished videos are kept (default: ${DEFAULT_RETENTION_DAYS})`,
      parseRetention,
    )
    .option(
      '--files <location>',
      'where videos and images are: s3://bucket/prefix, or a folder that several computers share',
    )
    .addOption(databaseOption())
    .option(
      '--behind-proxy <addresses>',
      'speak plain HTTP to a proxy at these addresses that ends TLS, such as 127.0.0.1',
    )
    .addOption(
      new Option('--log-level <level>', 'what to log, to standard error')
        .choices(['silent', 'error', 'warn', 'info', 'debug'])
        .default('info'),
    )
    .option('--exit-with-parent', 'stop when standard input closes', false)
    .option('--paused', 'render nothing until standard input says how much at a time', false)
    .action((options: StartOptions) => start(options, output));
}

/** Resolves once the service has stopped. */
async function start(options: StartOptions, output: CommandOutput): Promise<void> {
  // Loaded on demand: the other commands do not need these modules and start faster.
  const [{ openCommandLog }, { FramePreview }, { RenderPool }, { startService }] =
    await Promise.all([
      import('./command-log.ts'),
      import('./rendering/frame-preview.ts'),
      import('./rendering/render-pool.ts'),
      import('./server.ts'),
    ]);
  const workers = rendersAtOnce();
  const { log, flush } = openCommandLog(options.logLevel);
  const blobs =
    options.files === undefined
      ? undefined
      : await openFilesLocation(filesLocation(options.files), systemAfter);
  const stopping = Promise.withResolvers<undefined>();
  const shared = await openShared(options, blobs, log);
  using _watch =
    shared &&
    new SchemaWatch({
      check: () => shared.check(),
      onUnusable: (error) => stopping.reject(error),
    });
  const overrides = Object.fromEntries(options.limit.map(({ name, limit }) => [name, limit]));
  const service = await startService({
    dataDir: options.dataDir,
    ...(options.exitWithParent && { timeoutMs: ORPHAN_TIMEOUT_MS }),
    host: options.host,
    port: options.port,
    window: options.window,
    limits: { ...defaultLimits, ...overrides },
    behindProxy: options.behindProxy,
    ...(options.retention !== undefined && { retentionMs: options.retention }),
    ...(blobs && { blobs }),
    shared,
    clock: systemClock,
    log,
    renderer: new RenderPool({ workers }),
    frames: new FramePreview(),
    workers: options.paused ? 0 : workers,
  });
  if (options.paused) {
    output.onLine((line) => {
      const { data: order } = orderSchema.safeParse(parseJson(line));
      if (order) service.renderAtOnce(Math.min(order.rendersAtOnce, workers));
      else log.warn('the parent process said something unreadable');
    });
  }

  const stop = (): void => stopping.resolve(undefined);
  output.onStop(stop);
  if (options.exitWithParent) process.stdin.on('end', stop).on('error', stop).resume();

  const { url, studioUrl, caFile } = service;
  output.print({ url, studioUrl, ...(caFile !== undefined && { caFile }), rendersAtOnce: workers });
  try {
    await stopping.promise;
  } finally {
    beginShutdownDeadline();
    await service.close();
    await flush();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The stores that several computers share; `undefined` for a service on this computer only. */
async function openShared(
  { database, retention, window }: StartOptions,
  blobs: Blobs | undefined,
  log: Logger,
): Promise<PostgresStores | undefined> {
  if (database === undefined) return undefined;
  if (!blobs) {
    throw new DomainError(
      'FILES_UNUSABLE',
      'With --database, --files has to say where all computers find the finished videos.',
    );
  }
  const { openPostgresStores } = await import('./postgres/postgres-stores.ts');
  return openPostgresStores({
    url: databaseAddress(database),
    clock: systemClock,
    window,
    retentionMs: retention,
    slots: 0,
    maxConnections: API_CONNECTIONS,
    onError: (err) => log.error({ err }, 'the database failed'),
  });
}
