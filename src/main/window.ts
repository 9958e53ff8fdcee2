import path from 'node:path';
import { BrowserWindow, nativeTheme, screen, shell, type Session } from 'electron';
import { APP_ORIGIN, isAppAddress } from './app-origin.ts';
import type { WindowState } from './window-state.ts';
import { mayOpenOutside } from './external-links.ts';
import { icon } from './icons.ts';
import { isPermitted } from './permissions.ts';
import { placeFor, SMALLEST } from './window-place.ts';

/** `--frame` of `tokens.css`. */
const BACKGROUND = { light: '#f5f3f1', dark: '#100f0e' } as const;

export interface WindowParts {
  readonly session: Session;
  readonly notes: WindowState;
  /** Whether it is shown as soon as its page is. */
  readonly isShown: boolean;
  /** The origin of the service, whose pages may be opened in the browser. */
  readonly serviceOrigin: () => string;
}

/** The app's window: a page without Node, without a way out of its own origin. */
export function openWindow({ session, notes, isShown, serviceOrigin }: WindowParts): BrowserWindow {
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  const { bounds, maximized } = placeFor(
    notes.noted.place,
    areas.map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    title: 'Spool',
    ...bounds,
    minWidth: SMALLEST.width,
    minHeight: SMALLEST.height,
    show: false,
    // What is seen before the page is: its own background (`tokens.css`).
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    ...(process.platform === 'linux' ? { icon: icon(256) } : {}),
    webPreferences: {
      session,
      preload: path.join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // The spelling of macOS itself. Elsewhere Chromium would get dictionaries from a server that
      // the owner of this computer has not chosen.
      spellcheck: process.platform === 'darwin',
    },
  });
  const { webContents } = window;
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url, serviceOrigin())) void shell.openExternal(url);
    return { action: 'deny' };
  });
  webContents.on('will-navigate', (event) => {
    if (!isAppAddress(event.url)) event.preventDefault();
  });
  webContents.on('will-attach-webview', (event) => event.preventDefault());
  window.once('ready-to-show', () => {
    if (!isShown) return;
    if (maximized) window.maximize();
    window.show();
  });
  window.on('close', () => {
    notes.note({ place: { bounds: window.getNormalBounds(), maximized: window.isMaximized() } });
  });
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}

/** A page that needs no camera, no location and no notifications gets none. */
export function limitPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isPermitted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermitted(permission, origin),
  );
}
