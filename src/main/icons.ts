import path from 'node:path';

/** Sizes in pixels that the build draws from `resources/icons/mark.svg`. */
type IconSize = 32 | 64 | 256;

/** Absolute path of Spool's mark as a PNG. */
export function icon(size: IconSize): string {
  return path.join(import.meta.dirname, '..', 'icons', `${size}x${size}.png`);
}

/**
 * The picture in the tray. macOS tints it as it likes by its name, and finds its sharper version
 * (`@2x`) by that as well.
 */
export function trayIcon(platform: NodeJS.Platform): string {
  if (platform !== 'darwin') return icon(32);
  return path.join(import.meta.dirname, '..', 'icons', 'trayTemplate.png');
}
