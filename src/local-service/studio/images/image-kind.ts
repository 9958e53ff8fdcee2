/** The kinds of picture that a scene can show. */
export type ImageKind = 'png' | 'jpeg' | 'webp';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** The kind that a file is by its first bytes, whatever it is called; `undefined` for any other. */
export function imageKindOf(bytes: Buffer): ImageKind | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'jpeg';
  const container = bytes.toString('latin1', 0, 4);
  if (container === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  return undefined;
}
