/** A font of the user's own. Its bytes are hostile: only a process that renders may register it. */
import { GlobalFonts, type TextMetrics } from '@napi-rs/canvas';
import { readFile } from 'node:fs/promises';
import { ImageUnreadableError } from './render-errors.ts';

/** Of TrueType, OpenType and WOFF2. */
const SIGNATURES = ['\0\u0001\0\0', 'true', 'OTTO', 'wOF2'];
const MAX_BYTES = 10_000_000;
const LETTERS = /[\p{L}\p{N}]/gu;
/** Of the font size: ink that is smaller in both directions is not seen; higher ink covers other lines. */
const INK = { least: 0.1, highest: 5 };
/** Of the font size: the mean width of letters that are not on top of each other. */
const LEAST_ADVANCE = 0.02;

/** What the first bytes of a file say. Does not check whether a text can be drawn with it. */
export function isFont(bytes: Buffer): boolean {
  return SIGNATURES.includes(bytes.toString('latin1', 0, 4));
}

/** The family that an upload is registered as. No other font has its name, so none is added to. */
export function familyOf(asset: string): string {
  return `Own ${asset}`;
}

/**
 * Makes the font of a storyboard available to this process, until it is disposed of.
 *
 * @param files of uploads, by their identifiers
 * @throws {ImageUnreadableError}
 */
export async function useOwnFont(
  { font }: { readonly font?: { readonly asset: string } | undefined },
  files: Readonly<Record<string, string>>,
): Promise<Disposable> {
  if (font === undefined) return { [Symbol.dispose]: () => undefined };
  const file = files[font.asset];
  if (file === undefined) throw new ImageUnreadableError('the font', undefined, 'is missing');
  const bytes = await readFile(file);
  // Checked again, since the file may have changed after the video was accepted.
  if (!isFont(bytes) || bytes.length > MAX_BYTES) {
    throw new ImageUnreadableError('the font', undefined, 'is not a font, or too large');
  }
  const key = GlobalFonts.register(bytes, familyOf(font.asset));
  if (key === null) throw new ImageUnreadableError('the font', undefined, 'is damaged');
  return { [Symbol.dispose]: () => GlobalFonts.remove(key) };
}

/**
 * Requires that a text is seen: fonts with damaged outlines, or without any, draw nothing.
 *
 * @param measured at this size, in pixels
 * @throws {ImageUnreadableError}
 */
export function requireLegible(text: string, measured: TextMetrics, size: number): void {
  const letters = text.match(LETTERS)?.length ?? 0;
  if (letters === 0) return;
  const height = (measured.actualBoundingBoxAscent + measured.actualBoundingBoxDescent) / size;
  const width = (measured.actualBoundingBoxLeft + measured.actualBoundingBoxRight) / size;
  // “一” and “ー” have hardly any height.
  const isSeen =
    Math.max(width, height) >= INK.least &&
    height <= INK.highest &&
    measured.width >= letters * LEAST_ADVANCE * size;
  if (isSeen) return;
  const reason = 'is damaged: its letters cannot be seen, or cover each other';
  throw new ImageUnreadableError('the font', undefined, reason);
}
