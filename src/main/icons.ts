import path from 'node:path';

/** Sizes in pixels that the build draws from `resources/icons/mark.svg`. */
type IconSize = 16 | 32 | 64 | 256;

/** Absolute path of Spool's mark as a PNG. */
export function icon(size: IconSize): string {
  return path.join(import.meta.dirname, '..', 'icons', `${size}x${size}.png`);
}
