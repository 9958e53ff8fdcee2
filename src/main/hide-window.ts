import type { BrowserWindow } from 'electron';

/**
 * Hides a window. A full-screen window leaves full screen first: macOS would leave the screen
 * black.
 */
export function hideWindow(
  window: Pick<BrowserWindow, 'hide' | 'isFullScreen' | 'setFullScreen' | 'once'>,
): void {
  if (!window.isFullScreen()) {
    window.hide();
    return;
  }
  window.once('leave-full-screen', () => window.hide());
  window.setFullScreen(false);
}
