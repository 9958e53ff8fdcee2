import path from 'node:path';
import { BrowserWindow, nativeTheme, screen, shell, type Session } from 'electron';
import { APP_ORIGIN, isAppAddress } from './app-origin.ts';
import { documentationPages } from '../host/settings/service-offers.ts';
import type { WindowState } from './window-state.ts';
import { mayOpenExternally } from './external-links.ts';
import { icon } from './icons.ts';
import { isPermitted } from './permissions.ts';
import { initialPlacement, MIN_SIZE } from './window-place.ts';

/** `--frame` of `tokens.css`. */
const BACKGROUND = { light: '#f5f3f1', dark: '#100f0e' } as const;

export interface WindowParts {
  readonly session: Session;
  readonly windowState: WindowState;
  /** Whether to show it as soon as its page has loaded. */
  readonly isShown: boolean;
  /** The origin of the service, whose pages may be opened in the browser. */
  readonly serviceOrigin: () => string;
}

/** The app's window: a page without Node that cannot navigate away from its own origin. */
export function openWindow({
  session,
  windowState,
  isShown,
  serviceOrigin,
}: WindowParts): BrowserWindow {
  const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()];
  const { bounds, maximized } = initialPlacement(
    windowState.values.place,
    areas.map(({ workArea }) => workArea),
  );
  const window = new BrowserWindow({
    title: 'Spool',
    ...bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
    // Visible before the page has loaded: the page's own background (`tokens.css`).
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    ...(process.platform === 'linux' ? { icon: icon(256) } : {}),
    webPreferences: {
      session,
      preload: path.join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // macOS has its own spelling checker. Elsewhere Chromium would download dictionaries from a
      // server that the user has not chosen.
      spellcheck: process.platform === 'darwin',
    },
  });
  const { webContents } = window;
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayOpenExternally(url, serviceOrigin(), documentationPages())) void shell.openExternal(url);
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
    windowState.update({
      place: { bounds: window.getNormalBounds(), maximized: window.isMaximized() },
    });
  });
  void window.loadURL(`${APP_ORIGIN}/`);
  return window;
}

/**
 * Denies all permissions that the page does not need: camera, location, notifications and so on.
 */
export function limitPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isPermitted(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermitted(permission, origin),
  );
}
