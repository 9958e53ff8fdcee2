import { homedir } from 'node:os';
import path from 'node:path';
import { app, dialog, ipcMain, protocol, session, type BrowserWindow } from 'electron';
import { EngineError } from '../engine/engine-error.ts';
import { openKeyStore } from '../engine/keys/open-key-store.ts';
import { systemClock } from '../engine/system-clock.ts';
import { usualDataFolder } from '../host/data-folder.ts';
import { openHost, type Host } from '../host/open-host.ts';
import { serveMessagePort } from '../host/router.ts';
import { LOCAL_SERVICE_FILE } from '../host/service-program.ts';
import { APP_SCHEME } from './app-origin.ts';
import { serveAppScheme } from './app-protocol.ts';
import { serviceInUtilityProcess } from './service-in-utility-process.ts';
import { isTrustedSender } from './trusted-sender.ts';
import { denyPermissions, openWindow } from './window.ts';

const PAGE_FOLDER = path.join(import.meta.dirname, '..', 'renderer');

protocol.registerSchemesAsPrivileged([
  { scheme: APP_SCHEME, privileges: { standard: true, secure: true, stream: true } },
]);

// Before the queue opens: a second start hands over to the first instead of competing for it.
if (app.requestSingleInstanceLock()) {
  app.whenReady().then(start).catch(giveUp);
} else {
  app.quit();
}

async function start(): Promise<void> {
  const { store: keys } = await openKeyStore({ clock: systemClock });
  const host = await openHost({
    dataDir: app.commandLine.getSwitchValue('data-dir') || usualDataFolder(),
    isApp: true,
    defaultFolder: path.join(homedir(), 'Videos', 'Spool'),
    keys,
    serviceProgram: serviceInUtilityProcess(LOCAL_SERVICE_FILE),
  });
  const { defaultSession } = session;
  denyPermissions(defaultSession);
  serveAppScheme(defaultSession, PAGE_FOLDER, host.client);
  ipcMain.on('port', (event) => {
    const [port] = event.ports;
    if (!port || !isTrustedSender(event)) return;
    serveMessagePort(host.router, port, (error) => console.error(error));
    port.start();
  });
  keepWindow(openWindow(defaultSession));
  closeBeforeQuit(host);
}

function keepWindow(window: BrowserWindow): void {
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on('window-all-closed', () => app.quit());
}

/** A request that is on its way is waited for, so that its outcome is known at the next start. */
function closeBeforeQuit(host: Host): void {
  let closed = false;
  app.on('before-quit', (event) => {
    if (closed) return;
    event.preventDefault();
    void host.close().finally(() => {
      closed = true;
      app.quit();
    });
  });
}

function giveUp(error: unknown): void {
  const words = error instanceof EngineError ? error.failure.message : String(error);
  dialog.showErrorBox('Spool cannot start', words);
  app.exit(1);
}
