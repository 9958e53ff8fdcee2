/** The formats of sounds that are sent. */
export type SoundFormat = 'mp3' | 'aac' | 'mp4' | 'wav' | 'ogg' | 'webm';

/** Brands of pictures in the container that MP4 has. */
const PICTURE_BRANDS = /^(?:avif|avis|hei[cfmsx]|hev[cx]|mif1|msf1)/;

/**
 * What the first bytes of a file say. Ignores its name, and does not check whether it contains sound
 * or can be decoded: the service does that.
 */
export function soundFormatOf(bytes: Buffer): SoundFormat | undefined {
  const text = bytes.toString('latin1', 0, 12);
  if (text.startsWith('ID3')) return 'mp3';
  if (text.startsWith('RIFF') && text.endsWith('WAVE')) return 'wav';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.slice(4, 8) === 'ftyp') return PICTURE_BRANDS.test(text.slice(8)) ? undefined : 'mp4';
  if (bytes.length >= 4 && bytes.readUInt32BE(0) === 0x1a45dfa3) return 'webm';
  // ISO 11172-3 §2.4.1.3 and ISO 13818-7 §6.2: the sync word; no layer is AAC's.
  if (bytes.length < 4 || bytes[0] !== 0xff || ((bytes[1] ?? 0) & 0xe0) !== 0xe0) return undefined;
  const layer = ((bytes[1] ?? 0) >> 1) & 3;
  if (layer === 1) return 'mp3';
  return layer === 0 && ((bytes[1] ?? 0) & 0xf0) === 0xf0 ? 'aac' : undefined;
}
