import path from 'node:path';

/** Sizes in pixels that the build draws from `resources/icons/mark.svg`. */
type IconSize = 32 | 64 | 256;

/** Absolute path of Spool's icon as a PNG. */
export function icon(size: IconSize): string {
  return path.join(import.meta.dirname, '..', 'icons', `${size}x${size}.png`);
}

/**
 * The tray icon. On macOS its file name marks it as a template image that the system tints, and
 * leads to the high-resolution version (`@2x`).
 */
export function trayIcon(platform: NodeJS.Platform): string {
  if (platform !== 'darwin') return icon(32);
  return path.join(import.meta.dirname, '..', 'icons', 'trayTemplate.png');
}
