import { usualVideoFolder } from '../../host/data-folder.ts';
import { serveApp } from '../../host/web-host.ts';
import { ensureBuilt, PAGE_FOLDER } from '../built-app.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openQueue, type Queue } from '../open-queue.ts';
import type { EngineSettings } from '../settings.ts';

export interface ServeSettings extends EngineSettings {
  readonly port?: number;
}

/**
 * Serves the app to this computer's browsers until it is interrupted. Another process may work the
 * queue; when that one ends, this one goes on with it, and the page does not have to know.
 *
 * @param onReady gets the first link; prints it when left out
 */
export async function serveInBrowser(
  settings: ServeSettings,
  context: CommandContext,
  onReady?: (link: string) => Promise<void>,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  await ensureBuilt((sentence) => stderr.write(`${sentence}\n`));
  let queue = await openQueue(settings, usualVideoFolder(), context);
  try {
    const app = await serveApp({
      answer: (page) => queue.answer(page),
      client: () => queue.client,
      pageFolder: PAGE_FOLDER,
      port: settings.port,
    });
    try {
      if (onReady) await onReady(app.link);
      else stdout.write(`Spool is at ${app.link}\n`);
      for (;;) {
        switch (await whatEnds(queue, context)) {
          case 'interrupted':
            return EXIT.interrupted;
          case 'service-ended':
            stderr.write('The local service ended by itself. Start Spool again to go on.\n');
            return EXIT.someFailed;
          case 'owner-ended':
            stderr.write('The Spool that worked the queue has ended; this one goes on with it.\n');
            await queue.close();
            queue = await openQueue(settings, usualVideoFolder(), context);
        }
      }
    } finally {
      await app.close();
    }
  } finally {
    await queue.close();
  }
}

function whatEnds({ lost }: Queue, { interrupted }: CommandContext) {
  const stopped = new Promise<'interrupted'>((resolve) => {
    if (interrupted.aborted) resolve('interrupted');
    interrupted.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  return Promise.race([stopped, lost]);
}
