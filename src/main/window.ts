import path from 'node:path';
import { BrowserWindow, type Session } from 'electron';
import { APP_ORIGIN, isAppAddress } from './app-origin.ts';

/** The app's window: a page without Node, without a way out of its own origin. */
export function openWindow(session: Session): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Spool',
    width: 1200,
    height: 800,
    minWidth: 720,
    minHeight: 480,
    show: false,
    webPreferences: {
      session,
      preload: path.join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    },
  });
  const { webContents } = window;
  webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  webContents.on('will-navigate', (event) => {
    if (!isAppAddress(event.url)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}

/** A page that needs no camera, no location and no notifications gets none. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
}
