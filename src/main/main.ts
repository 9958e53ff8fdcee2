import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { app, dialog, protocol } from 'electron';
import { userMessage } from '../contract/user-message.ts';
import { EngineError } from '../engine/engine-error.ts';
import { openKeyStore } from '../engine/keys/key-store.ts';
import { exposureOf } from '../engine/private-folder.ts';
import { systemClock } from '../engine/system-clock.ts';
import { defaultDataFolder } from '../host/data-folder.ts';
import { logLevelOf, openLog } from '../host/log.ts';
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
import { SafeQuit } from './safe-quit.ts';
import { textsIn } from './texts.ts';
import { askForTray, TrayPlace } from './tray-place.ts';
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

// A key for the command line is for that alone: processes that the app starts would inherit it.
// Chromium's processes started before this line and have it, so the app must not use it either.
const hasKeyOfShell = (process.env.SPOOL_API_KEY ?? '') !== '';
delete process.env.SPOOL_API_KEY;

const named = app.commandLine.getSwitchValue('data-dir');
const dataDir = named === '' ? defaultDataFolder() : path.resolve(named);
try {
  separateUserData(app, dataDir);
} catch (error) {
  giveUp(error);
}

// Before the queue opens: a second start hands over to the first instead of competing for it.
if (app.requestSingleInstanceLock()) {
  registerApp(app, process.platform, process.env);
  const opened = openedBySystem();
  app
    .whenReady()
    .then(() => start(opened))
    .catch(giveUp);
} else {
  app.quit();
}

/** What is asked for before there is a window waits; afterwards it is done at once. */
interface PendingOpens {
  readonly waiting: Opened[];
  take: (opened: readonly Opened[]) => void;
}

/** Listens from the first moment on: macOS says what was double clicked before the app is ready. */
function openedBySystem(): PendingOpens {
  const openings: PendingOpens = {
    waiting: [...openedByArguments(process.argv.slice(1), process.cwd())],
    take: (opened) => openings.waiting.push(...opened),
  };
  app.on('open-file', (event, file) => {
    event.preventDefault();
    openings.take(openedByArguments([file], '/'));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    const opened = openedByLink(link);
    openings.take(opened ? [opened] : []);
  });
  app.on('second-instance', (_event, args, workingFolder) => {
    // A session that was restored has started the app already; nobody asked for its window.
    if (args.includes(AT_LOGIN)) return;
    openings.take(openedByArguments(args.slice(1), workingFolder));
  });
  return openings;
}

async function start(openings: PendingOpens): Promise<void> {
  const log = openLog(dataDir, logLevelOf(process.env));
  process.on('uncaughtExceptionMonitor', (error) => log.defect(error));
  const keys = await openKeyStore({
    clock: systemClock,
    onUsable: () => log.logger.info({}, 'The keychain can be used now.'),
  });
  if (keys.reason !== null) log.logger.warn({}, keys.reason.message);
  const wishes = new PageRequests();
  const updates = new Updates(
    () => Date.now(),
    (error) => log.defect(error),
  );
  const notes = new WindowState(path.join(dataDir, 'desktop.json'));
  if (notes.noted.running) {
    log.logger.warn({}, 'The last run of the app ended without coming to its end.');
    wishes.add({ kind: 'tell-recovered' });
  }
  const settings = peekAtSettings(dataDir);
  if (hasKeyOfShell && settings.service.kind === 'remote') {
    const unused = userMessage('key-not-for-window');
    log.logger.warn({}, unused.message);
    wishes.add({ kind: 'tell', failure: { code: 'not-possible-now', ...unused } });
  }
  const computer = electronComputer(() => desktop.window, wishes, updates);
  const queue = appQueue({ dataDir, videoFolder: videoFolder(), keys, computer, log });
  const trayPlace = new TrayPlace(askForTray(process.platform));
  const desktop = new DesktopApp({
    queue,
    settings,
    wishes,
    notes,
    loginStart: loginStart(process.platform, app, thisProgram(app, named === '' ? null : dataDir)),
    trayPlace,
    updates,
    logFile: log.file,
    onSessionEnd: () => quit.endWithSession(),
    onDefect: (error) => log.defect(error),
  });
  desktop.start();
  openings.take = (opened) => {
    desktop.show();
    desktop.open(opened);
  };
  app.on('activate', () => desktop.show());
  // Electron starts the graphics process and the like anew by itself.
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.logger.warn({ type, reason, exitCode }, 'A process of the app has ended.');
  });
  app.on('window-all-closed', () => app.quit());
  const quit = new SafeQuit({
    ...{ app, clock: systemClock, close: () => desktop.close() },
    onEnding: () => notes.note({ running: false }),
    takeOver: () => updates.installForRestart(),
    onTooLate: (waitedMs) => log.logger.warn({ waitedMs }, 'The app quit before it was done.'),
  });
  desktop.open(openings.waiting);
  await Promise.all([
    queue.opened.then(() => {
      notes.note({ running: true });
      const exposure = exposureOf(dataDir);
      if (exposure === null) return;
      log.logger.warn({}, exposure.message);
      wishes.add({ kind: 'tell', failure: { code: 'data-exposed', ...exposure } });
    }),
    showUnlessAtLogin(desktop, trayPlace),
  ]);
}

/** Who logs in wants to do something else; without a tray, the window is how the app is found. */
async function showUnlessAtLogin(desktop: DesktopApp, trayPlace: TrayPlace): Promise<void> {
  const staysUnseen =
    isLoginStart(process.platform, app, process.argv) && (await trayPlace.appears(pause));
  if (!staysUnseen) desktop.show();
  // Windows sends the end of the session to a window.
  else if (process.platform === 'win32') desktop.openUnseen();
}

/** The system's folder for videos, whatever its name in the user's language. */
function videoFolder(): string {
  try {
    return videoFolderIn(app.getPath('videos'));
  } catch {
    return videoFolderIn(systemVideoFolder());
  }
}

function giveUp(error: unknown): void {
  const { cannotStart, told } = textsIn(peekAtSettings(dataDir).language, app.getLocale());
  const words = error instanceof EngineError ? told(error.failure) : String(error);
  dialog.showErrorBox(cannotStart, words);
  app.exit(1);
}
