import { usualVideoFolder } from '../../host/data-folder.ts';
import { serveApp } from '../../host/web-host.ts';
import { ensureBuilt, PAGE_FOLDER } from '../built-app.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openOwnQueue } from '../open-queue.ts';
import type { EngineSettings } from '../settings.ts';

export interface ServeSettings extends EngineSettings {
  readonly port?: number;
}

/**
 * Serves the app to this computer's browsers until it is interrupted.
 *
 * @param onReady gets the first link; prints it when left out
 */
export async function serveInBrowser(
  settings: ServeSettings,
  context: CommandContext,
  onReady?: (link: string) => Promise<void>,
): Promise<ExitCode> {
  const { stdout, stderr, interrupted } = context;
  await ensureBuilt((sentence) => stderr.write(`${sentence}\n`));
  const host = await openOwnQueue(settings, usualVideoFolder(), context);
  try {
    const app = await serveApp({
      router: host.router,
      client: host.client,
      pageFolder: PAGE_FOLDER,
      port: settings.port,
      onDefect: (error) => stderr.write(`${defectWords(error)}\n`),
    });
    try {
      if (onReady) await onReady(app.link);
      else stdout.write(`Spool is at ${app.link}\n`);
      return await untilOver(host.serviceLost, interrupted, stderr);
    } finally {
      await app.close();
    }
  } finally {
    await host.close();
  }
}

async function untilOver(
  serviceLost: Promise<void>,
  interrupted: AbortSignal,
  stderr: NodeJS.WriteStream,
): Promise<ExitCode> {
  const stopped = new Promise<'stopped'>((resolve) => {
    if (interrupted.aborted) resolve('stopped');
    interrupted.addEventListener('abort', () => resolve('stopped'), { once: true });
  });
  const why = await Promise.race([stopped, serviceLost.then(() => 'lost' as const)]);
  if (why === 'stopped') return EXIT.interrupted;
  stderr.write('The local service ended by itself. Start Spool again to go on.\n');
  return EXIT.someFailed;
}

function defectWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
