/** Electron's entry point: single instance, links and files from the system, then the app. */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { app, dialog, powerMonitor, protocol, session } from 'electron';
import { userMessage } from '../contract/user-message.ts';
import { EngineError, FolderLostError } from '../engine/engine-error.ts';
import { openKeyStore } from '../engine/keys/key-store.ts';
import { exposureOf } from '../engine/files/private-folder.ts';
import { proxySettings } from '../engine/proxy.ts';
import { systemClock } from '../engine/system-clock.ts';
import { defaultDataFolder } from '../host/data-folder.ts';
import { openLog } from '../host/log.ts';
import { logLevelOf } from '../host/log-level.ts';
import { peekAtSettings } from '../host/settings/settings-store.ts';
import { systemVideoFolder, videoFolderIn } from '../host/video-folder.ts';
import { registerApp, separateUserData } from './app-identity.ts';
import { APP_SCHEME } from './app-origin.ts';
import { appQueue } from './app-queue.ts';
import { DesktopApp } from './desktop-app.ts';
import { WindowState } from './window-state.ts';
import { electronComputer } from './electron-computer.ts';
import { AT_LOGIN, isLoginStart, loginStart, thisProgram } from './login-start.ts';
import { openedByArguments, openedByLink, type Opened } from './opened.ts';
import { appProxy } from './proxies.ts';
import { SafeQuit } from './safe-quit.ts';
import { textsIn } from './texts.ts';
import { trayCheck, TrayVisibility } from './tray-visibility.ts';
import { Updates } from './updates.ts';
import { PageRequests } from './page-requests.ts';

protocol.registerSchemesAsPrivileged([
  {
    scheme: APP_SCHEME,
    privileges: {
      standard: true,
      secure: true,
      stream: true,
      supportFetchAPI: true,
      codeCache: true,
    },
  },
]);

// Deleted because processes that the app starts would inherit the key, which is for the command
// line only. Chromium's processes started before this line and have it, so the app must not use it
// either.
const hasEnvironmentKey = (process.env.SPOOL_API_KEY ?? '') !== '';
delete process.env.SPOOL_API_KEY;

/** The same as that of commands. */
const EXIT_FOLDER_LOST = 6;

const named = app.commandLine.getSwitchValue('data-dir');
const dataDir = named === '' ? defaultDataFolder() : path.resolve(named);
try {
  separateUserData(app, dataDir);
} catch (error) {
  exitWithError(error);
}

// Checked before the queue opens: a second start hands over to the first instead of competing for
// it.
if (app.requestSingleInstanceLock()) {
  registerApp(app, process.platform, process.env);
  const opened = openedBySystem();
  app
    .whenReady()
    .then(() => start(opened))
    .catch(exitWithError);
} else {
  app.quit();
}

/** Requests from before the window exists are queued; later ones are handled immediately. */
interface PendingOpens {
  readonly waiting: Opened[];
  handle: (opened: readonly Opened[]) => void;
}

/** Subscribes before the app is ready: macOS reports the double-clicked file that early. */
function openedBySystem(): PendingOpens {
  const pendingOpens: PendingOpens = {
    waiting: [...openedByArguments(process.argv.slice(1), process.cwd())],
    handle: (opened) => pendingOpens.waiting.push(...opened),
  };
  app.on('open-file', (event, file) => {
    event.preventDefault();
    pendingOpens.handle(openedByArguments([file], '/'));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    const opened = openedByLink(link);
    pendingOpens.handle(opened ? [opened] : []);
  });
  app.on('second-instance', (_event, args, workingFolder) => {
    // A restored session has already started the app; the user did not ask for its window.
    if (args.includes(AT_LOGIN)) return;
    pendingOpens.handle(openedByArguments(args.slice(1), workingFolder));
  });
  return pendingOpens;
}

async function start(pendingOpens: PendingOpens): Promise<void> {
  const log = openLog(dataDir, logLevelOf(process.env));
  process.on('uncaughtExceptionMonitor', (error) => log.defect(error));
  const keys = await openKeyStore({
    clock: systemClock,
    onUsable: () => log.logger.info({}, 'The keychain can be used now.'),
  });
  if (keys.reason !== null) log.logger.warn({}, keys.reason.message);
  const pageRequests = new PageRequests();
  const proxies = proxySettings(process.env);
  const updates = new Updates(
    () => Date.now(),
    (error) => log.defect(error),
    { proxies },
  );
  const windowState = new WindowState(path.join(dataDir, 'desktop.json'));
  if (windowState.values.running) {
    log.logger.warn({}, 'The last run of the app ended without coming to its end.');
    pageRequests.add({ kind: 'tell-recovered' });
  }
  const settings = peekAtSettings(dataDir);
  if (hasEnvironmentKey && settings.service.kind === 'remote') {
    const unused = userMessage('key-not-for-window');
    log.logger.warn({}, unused.message);
    pageRequests.add({ kind: 'tell', failure: { code: 'not-possible-now', ...unused } });
  }
  const computer = electronComputer(
    () => desktop.window,
    pageRequests,
    updates,
    () => desktop.texts,
  );
  const findProxy = appProxy(proxies, session.defaultSession);
  const queue = appQueue({
    dataDir,
    videoFolder: videoFolder(),
    keys,
    findProxy,
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
    computer,
    log,
  });
  const trayVisibility = new TrayVisibility(trayCheck(process.platform));
  const desktop = new DesktopApp({
    queue,
    settings,
    pageRequests,
    windowState,
    loginStart: loginStart(process.platform, app, thisProgram(app, named === '' ? null : dataDir)),
    trayVisibility,
    updates,
    logFile: log.file,
    onSessionEnd: () => quit.endWithSession(),
    onDefect: (error) => log.defect(error),
  });
  desktop.start();
  pendingOpens.handle = (opened) => {
    desktop.show();
    desktop.open(opened);
  };
  app.on('activate', () => desktop.show());
  // Electron restarts the GPU process and similar ones itself.
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.logger.warn({ type, reason, exitCode }, 'A process of the app has ended.');
  });
  app.on('window-all-closed', () => app.quit());
  const quit = new SafeQuit({
    app,
    clock: systemClock,
    close: () => desktop.close(),
    onEnding: () => windowState.update({ running: false }),
    installUpdate: () => updates.installForRestart(),
    onTimeout: (waitedMs) => log.logger.warn({ waitedMs }, 'The app quit before it was done.'),
  });
  queue.folderLost.addEventListener('abort', () => exitWithError(queue.folderLost.reason));
  desktop.open(pendingOpens.waiting);
  await Promise.all([
    queue.opened.then(() => {
      windowState.update({ running: true });
      const exposure = exposureOf(dataDir);
      if (exposure === null) return;
      log.logger.warn({}, exposure.message);
      pageRequests.add({ kind: 'tell', failure: { code: 'data-exposed', ...exposure } });
    }),
    showUnlessStartedAtLogin(desktop, trayVisibility),
  ]);
}

/**
 * Stays hidden at login unless the desktop has no tray: then the window is the only way to the app.
 */
async function showUnlessStartedAtLogin(
  desktop: DesktopApp,
  trayVisibility: TrayVisibility,
): Promise<void> {
  const staysHidden =
    isLoginStart(process.platform, app, process.argv) &&
    (await trayVisibility.waitUntilVisible(pause));
  if (!staysHidden) desktop.show();
  // Windows reports the end of the session only to a window.
  else if (process.platform === 'win32') desktop.openHidden();
}

/** The system's video folder, whose name depends on the user's language. */
function videoFolder(): string {
  try {
    return videoFolderIn(app.getPath('videos'));
  } catch {
    return videoFolderIn(systemVideoFolder());
  }
}

function exitWithError(error: unknown): void {
  const texts = textsIn(peekAtSettings(dataDir).language, app.getLocale());
  const text = error instanceof EngineError ? texts.translate(error.failure) : String(error);
  const isFolderLost = error instanceof FolderLostError;
  dialog.showErrorBox(isFolderLost ? texts.stopped : texts.cannotStart, text);
  app.exit(isFolderLost ? EXIT_FOLDER_LOST : 1);
}
