/** Formats that no service is sent: they are converted before. */
import type { PictureHeader } from './picture-format.ts';

/** Properties of an AVIF picture come before its pixels, in the first kilobytes. */
const AVIF_HEADER = 64 * 1024;
/** The role of a second image that holds the transparency (MIAF, ISO/IEC 23000-22 §7.3.5.2). */
const AVIF_ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha';

/** AVIF (AV1 in HEIF, ISO/IEC 23008-12 §6.5.3): the largest of the images that it says to have. */
export function readAvif(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length < 32 || bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const brand = bytes.toString('latin1', 8, 12);
  if (brand !== 'avif' && brand !== 'avis') return undefined;
  const head = bytes.subarray(0, AVIF_HEADER);
  let [width, height] = [0, 0];
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    if (at + 16 > head.length) break;
    width = Math.max(width, head.readUInt32BE(at + 8));
    height = Math.max(height, head.readUInt32BE(at + 12));
  }
  return {
    format: 'avif',
    width,
    height,
    isAnimated: brand === 'avis',
    isCmyk: false,
    isComplete: hasAllBoxes(bytes),
    hasAlpha: head.includes(AVIF_ALPHA),
    orientation: 1,
    isActive: false,
  };
}

/** Whether each box of the file (ISO/IEC 14496-12 §4.2) is there to its end. */
function hasAllBoxes(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at);
    // The last box may extend to the end of the file; the size of a large one follows its type.
    if (size === 0) return true;
    const isLarge = size === 1 && at + 16 <= bytes.length;
    const length = isLarge ? Number(bytes.readBigUInt64BE(at + 8)) : size;
    if (length < 8) return false;
    at += length;
  }
  return at <= bytes.length;
}

/** Of a drawing; longer ones are rather data than drawings. */
const MAX_SVG_BYTES = 4 * 1024 * 1024;
/** In pixels, of a drawing that does not say its size. */
const DEFAULT_SIDE = 512;

/** What may come before the outermost element. A page with a drawing in it is no drawing. */
const PROLOG = /^\ufeff?(?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!doctype(?:[^>[]|\[[^\]]*\])*>)*/i;

/**
 * What could run or lead out of the file. References within the file and embedded pictures are
 * possible; entities could multiply (“billion laughs”), and styles could import.
 */
const ACTIVE = [
  /<\s*(?:script|foreignobject|iframe|handler|listener)\b/i,
  /<!\s*(?:entity|doctype[^>[]*\[)/i,
  /<\?xml-stylesheet/i,
  /\son[a-z]+\s*=/i,
  /@import/i,
  /(?:href|src)\s*=\s*["']?(?!["']?(?:#|data:image\/(?:png|jpe?g|webp)[;,]))[^\s>]/i,
  /url\(\s*["']?(?!["']?#)[^)\s]/i,
];

/** An SVG drawing, whose size is what it says, or the shape of its view box. */
export function readSvg(bytes: Buffer): PictureHeader | undefined {
  if (bytes.length > MAX_SVG_BYTES || bytes.includes(0)) return undefined;
  const start = bytes.toString('utf8', 0, 4096).replace(PROLOG, '');
  if (!/^<svg[\s/>]/i.test(start)) return undefined;
  const text = bytes.toString('utf8');
  const [tag = ''] = /<svg[\s>][^>]*/i.exec(text) ?? [];
  const [, , boxWidth = 0, boxHeight = 0] = (attribute(tag, 'viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  const [ownWidth, ownHeight] = [lengthOf(tag, 'width'), lengthOf(tag, 'height')];
  // Nothing of it is drawn (SVG 2 §8.2).
  if (ownWidth === 0 || ownHeight === 0) return undefined;
  const width = ownWidth ?? boxWidth;
  const height = ownHeight ?? boxHeight;
  const isSized = width > 0 && height > 0 && Number.isFinite(width * height);
  return {
    format: 'svg',
    width: isSized ? Math.ceil(width) : DEFAULT_SIDE,
    height: isSized ? Math.ceil(height) : DEFAULT_SIDE,
    isAnimated: /<\s*(?:animate|set)\b/i.test(text),
    isCmyk: false,
    isComplete: /<\/svg\s*>\s*(?:<!--[^]*-->\s*)?$/i.test(text.trimEnd()),
    hasAlpha: true,
    orientation: 1,
    isActive: ACTIVE.some((pattern) => pattern.test(text)),
  };
}

function attribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`, 'i').exec(tag)?.[1];
}

/** In pixels; `undefined` for a part of its surroundings, such as 100 %. */
function lengthOf(tag: string, name: string): number | undefined {
  const [, number] =
    /^\s*(\d+(?:\.\d+)?)\s*(?:px|pt|mm|cm|in)?\s*$/.exec(attribute(tag, name) ?? '') ?? [];
  return number === undefined ? undefined : Number(number);
}
