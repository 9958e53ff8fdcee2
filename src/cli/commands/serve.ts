import { setTimeout as pause } from 'node:timers/promises';
import { desktopComputer } from '../../host/desktop-computer.ts';
import { lastPort, rememberPort } from '../../host/last-port.ts';
import { ReconnectingQueue } from '../../host/reconnecting-queue.ts';
import { openLog } from '../../host/log.ts';
import { serveWebSocket } from '../../host/serve-contract.ts';
import { RunNames, webSecret } from '../../host/run-names.ts';
import type { OneTimeLink } from '../../host/one-time-links.ts';
import { serveApp, type WebHost } from '../../host/web-host.ts';
import { ensureBuilt, PAGE_FOLDER } from '../built-app.ts';
import type { CommandContext } from '../command-context.ts';
import { plainText, visibleText } from '../display/safe-text.ts';
import { type ExitCode, exitCodeOfInterruption } from '../exit-codes.ts';
import { queueOpener } from '../open-queue.ts';
import type { QueueOptions } from '../options.ts';
import { writeEvent } from '../write-event.ts';
import { resolveQueueSettings, type QueueSettings } from '../queue-settings.ts';

export interface ServeOptions extends QueueOptions {
  readonly port?: number;
  /** Serves no page, and does not build it. */
  readonly withoutPage?: boolean;
  readonly json?: boolean;
}

/**
 * Serves the app to this computer's browsers until it is interrupted. Another process may run the
 * queue; when that process ends, this one takes over and the page continues.
 *
 * @param introduce the sentence with the first link
 * @throws {FolderLostError} when this process runs the queue and loses its data folder
 */
export async function serveInBrowser(
  options: ServeOptions,
  context: CommandContext,
  introduce: (
    app: Pick<WebHost, 'port' | 'createLink'>,
    link: string,
  ) => Promise<string> | string = (_, link) => `Spool is at ${link}`,
): Promise<ExitCode> {
  const { stderr } = context;
  const hasPage = options.withoutPage !== true;
  if (hasPage) await ensureBuilt('page', (sentence) => stderr.write(`${sentence}\n`));
  const settings = await resolveQueueSettings(options);
  const queue = await openReconnectingQueue(settings, context);
  try {
    const app = await serveApp({
      answer: (page) => serveWebSocket(queue.router, page, printDefects(context)),
      client: queue.client,
      pageFolder: hasPage ? PAGE_FOLDER : null,
      names: new RunNames(await webSecret(settings.dataDir)),
      port: options.port,
      preferredPort: lastPort(settings.dataDir),
    });
    try {
      rememberPort(settings.dataDir, app.port);
      await printLinks(app, options, context, introduce);
      await whenAborted(AbortSignal.any([context.interrupted, queue.folderLost]));
      queue.folderLost.throwIfAborted();
      return exitCodeOfInterruption(context.interrupted);
    } finally {
      await app.close();
    }
  } finally {
    await queue.close();
  }
}

/** Prints the first link, and another one after each that was used. */
async function printLinks(
  app: WebHost,
  { json }: Pick<ServeOptions, 'json'>,
  context: CommandContext,
  introduce: NonNullable<Parameters<typeof serveInBrowser>[2]>,
): Promise<void> {
  const { stdout } = context;
  const first = app.createLink();
  const words = await introduce(app, first.link);
  if (json) writeEvent(context, { event: 'link', link: first.link });
  else stdout.write(`${words}\n`);
  if (!json && process.platform === 'darwin') {
    stdout.write('Safari can open it from macOS 26 on; otherwise use Chrome, Edge or Firefox.\n');
  }
  const printNext = async ({ ended }: OneTimeLink): Promise<void> => {
    if ((await ended) === 'closed') return;
    const next = app.createLink();
    if (json) writeEvent(context, { event: 'link', link: next.link });
    else stdout.write(`The link was used. For another browser: ${next.link}\n`);
    await printNext(next);
  };
  void printNext(first);
}

/**
 * Fails if the queue cannot be opened at first; prints later changes of the process that runs it.
 */
async function openReconnectingQueue(
  settings: QueueSettings,
  context: CommandContext,
): Promise<ReconnectingQueue> {
  const open = queueOpener(settings, context, { readOnlyIfFull: true, startsAll: true });
  const first = await open();
  const queue = new ReconnectingQueue(
    {
      open,
      computer: desktopComputer(process.platform, process.env),
      log: openLog(settings.dataDir, settings.logLevel),
      onOpenError: printDefects(context),
      sleep: pause,
    },
    first,
  );
  void reportWorkerChanges(queue, context);
  return queue;
}

async function reportWorkerChanges(
  queue: ReconnectingQueue,
  { stderr }: CommandContext,
): Promise<void> {
  for await (const worker of queue.workers()) {
    if (worker.kind !== 'none') continue;
    const failure = worker.failure?.message;
    const ended = 'The Spool running this queue has ended; this one takes over.';
    stderr.write(`${failure === undefined ? ended : plainText(failure)}\n`);
  }
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Writes errors that no page is shown to the terminal. */
function printDefects({ stderr }: CommandContext): (error: unknown) => void {
  return (error) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    stderr.write(`${visibleText(words)}\n`);
  };
}
