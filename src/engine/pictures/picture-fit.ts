/** Which pictures are converted before they are sent, and to what. */
import { SENT_FORMATS, type PictureHeader, type SentFormat } from './picture-format.ts';

/** What a service takes. */
export interface PictureLimits {
  /** Of a file; in the request, base64 makes it longer. */
  readonly maxBytes?: number | undefined;
  /** Pixels of the longer side. */
  readonly maxSide?: number | undefined;
  readonly formats?: readonly SentFormat[] | undefined;
  readonly send?: 'data-url' | 'part' | 'upload' | undefined;
  /** Whether pictures are turned by their metadata, which the service ignores. */
  readonly upright?: boolean | undefined;
}

/** How a picture is converted. */
export interface PictureFit {
  /** Pixels of the longer side; it is never enlarged. */
  readonly maxSide: number;
  readonly maxBytes: number;
  /** The first is preferred. */
  readonly format: SentFormat;
}

/**
 * Converts a picture. It decodes untrusted bytes, so it does that in another process.
 * @returns `null` if that is not possible
 */
export type FitPicture = (
  bytes: Buffer,
  fit: PictureFit,
  signal?: AbortSignal,
) => Promise<Buffer | null>;

/** Of drawings without pixels. */
const DRAWING_SIDE = 2048;
/** Larger than any picture that is read. */
const NO_LIMIT = 2 ** 31 - 1;
/** A base64 text is longer than its bytes by this factor. */
const BASE64 = 4 / 3;

/** How many bytes a picture's file may have, as it is sent. */
export function maxBytesOf({ maxBytes = NO_LIMIT, send }: PictureLimits): number {
  return send === 'data-url' ? Math.floor(maxBytes / BASE64) : maxBytes;
}

/** How a picture is converted before it is sent; `null` for one that is sent as it is. */
export function fitFor(
  { format, width, height, size, hasAlpha, orientation }: PictureHeader & { readonly size: number },
  limits: PictureLimits,
): PictureFit | null {
  const { formats = SENT_FORMATS, maxSide = NO_LIMIT, upright = false } = limits;
  const maxBytes = maxBytesOf(limits);
  const isTaken = formats.some((taken) => taken === format);
  const fits = size <= maxBytes && Math.max(width, height) <= maxSide;
  if (isTaken && fits && (orientation === 1 || !upright)) return null;
  // Photos are smallest as JPEG, which has no transparent parts.
  const order: readonly SentFormat[] = hasAlpha ? ['png', 'webp'] : ['jpeg', 'webp', 'png'];
  const to = order.find((each) => formats.includes(each)) ?? formats[0] ?? 'jpeg';
  const side = format === 'svg' ? Math.min(maxSide, DRAWING_SIDE) : maxSide;
  return { maxSide: side, maxBytes, format: to };
}

/** The size that a converted picture has, unless its bytes require a smaller one. */
export function fittedSize(
  { width, height, orientation }: Pick<PictureHeader, 'width' | 'height' | 'orientation'>,
  maxSide: number,
): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const [w, h] = orientation > 4 ? [height, width] : [width, height];
  return { width: Math.max(1, Math.round(w * scale)), height: Math.max(1, Math.round(h * scale)) };
}
