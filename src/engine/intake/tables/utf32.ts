/** Reads text in UTF-32, which few programs write, as UTF-16: the same text in fewer bytes. */

const REPLACEMENT = 0xff_fd;

/** The same file in UTF-16 with its mark if it begins with the mark of UTF-32. */
export function withoutUtf32<Content extends string | Uint8Array>(
  content: Content,
): Content | Uint8Array {
  if (typeof content === 'string') return content;
  const data = Buffer.from(content.buffer, content.byteOffset, content.length);
  const isLittle = data.length > 3 && data.readUInt32LE(0) === 0xfe_ff;
  const isBig = data.length > 3 && data.readUInt32BE(0) === 0xfe_ff;
  if (!isLittle && !isBig) return content;
  const pieces: string[] = [];
  for (let at = 0; at < data.length; at += 4) {
    const isWhole = at + 4 <= data.length;
    const code = !isWhole ? REPLACEMENT : isLittle ? data.readUInt32LE(at) : data.readUInt32BE(at);
    pieces.push(String.fromCodePoint(code > 0x10_ff_ff ? REPLACEMENT : code));
  }
  return Buffer.from(pieces.join(''), 'utf16le');
}
