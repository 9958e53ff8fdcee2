import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import open from 'open';
import { userMessage } from '../../contract/user-message.ts';
import { openInBrowser } from '../../host/browser-handover.ts';
import { hasScreen } from '../../host/desktop-computer.ts';
import { ensureBuilt, REPOSITORY } from '../built-app.ts';
import type { CommandContext } from '../command-context.ts';
import { forwardSignals } from '../forward-signals.ts';
import { EXIT, type ExitCode, exitCodeOfInterruption } from '../exit-codes.ts';
import type { QueueOptions } from '../options.ts';
import { serveInBrowser } from './serve.ts';
import { writeEvent } from '../write-event.ts';

const ELECTRON = path.join(REPOSITORY, 'node_modules', 'electron');

/**
 * Milliseconds, enough for Electron's 100 MB over a slow line; without a network it fails at once.
 */
const INSTALL_TIMEOUT_MS = 180_000;

/**
 * Opens the app: in Electron if its runtime is installed or can be downloaded, otherwise in the
 * default browser, otherwise by printing a link. Prints one line that says which and why. Options
 * for the service of this run open the browser: Electron's app takes the service from the settings.
 */
export async function startApp(
  options: QueueOptions & { readonly json?: boolean },
  context: CommandContext,
): Promise<ExitCode> {
  const { stdout, stderr } = context;
  if (!hasScreen(process.platform, process.env)) {
    const line = 'There is no display here, so open this link in a browser:';
    return serveInBrowser(options, context, (_, link) => `${line} ${link}`);
  }
  const forRunOnly = isServiceChosen(options);
  const electron = forRunOnly ? null : ((await installedElectron()) ?? (await installElectron()));
  if (electron !== null) {
    await ensureBuilt('app', (sentence) => stderr.write(`${sentence}\n`));
    if (options.json) writeEvent(context, { event: 'window' });
    else stdout.write('Spool opens in its own window: Electron is installed.\n');
    if (context.keyFromEnvironment !== null)
      stderr.write(`${userMessage('key-not-for-window').message}\n`);
    return openWindow(electron, options, context.interrupted);
  }
  return serveInBrowser(options, context, async (app, link) => {
    const why = forRunOnly
      ? 'the app’s window takes service, profile and plan from the settings'
      : 'Electron’s runtime cannot be downloaded here';
    try {
      await openInBrowser(app, options.dataDir, open);
      return `Spool opens in the browser, because ${why}. For another browser: ${link}`;
    } catch {
      return `Spool could not open a browser (${why}). Open this link in one: ${link}`;
    }
  });
}

/** Whether options override what Electron's app would take from the settings. */
function isServiceChosen({ service, ca, profile, accountPlan }: QueueOptions): boolean {
  return [service, ca, profile, accountPlan].some((option) => option !== undefined);
}

/** The path of Electron's executable, as its package recorded it; `null` if it is missing. */
export async function installedElectron(): Promise<string | null> {
  const name = await readFile(path.join(ELECTRON, 'path.txt'), 'utf8').catch(() => null);
  if (name === null) return null;
  const file = path.join(ELECTRON, 'dist', name.trim());
  return existsSync(file) ? file : null;
}

/** Runs the installer of Electron's package. */
async function installElectron(): Promise<string | null> {
  const child = spawn(process.execPath, [path.join(ELECTRON, 'install.js')], {
    stdio: 'ignore',
    timeout: INSTALL_TIMEOUT_MS,
  });
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
  return installedElectron();
}

async function openWindow(
  electron: string,
  { dataDir, logLevel }: QueueOptions,
  interrupted: AbortSignal,
): Promise<ExitCode> {
  const child = spawn(electron, [REPOSITORY, `--data-dir=${dataDir}`], {
    stdio: 'inherit',
    env: { ...process.env, SPOOL_LOG: logLevel },
  });
  forwardSignals(child, interrupted);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (interrupted.aborted) return exitCodeOfInterruption(interrupted);
  return code === 0 ? EXIT.allSaved : EXIT.someFailed;
}
