/** Reads text in UTF-32, which few programs write, as UTF-16: the same text in fewer bytes. */

const MARK = 0xfe_ff;
const REPLACEMENT = 0xff_fd;
const MAX_CODE = 0x10_ff_ff;

/** The same file in UTF-16 with its mark if it begins with the mark of UTF-32. */
export function withoutUtf32<Content extends string | Uint8Array>(
  content: Content,
): Content | Uint8Array {
  if (typeof content === 'string' || content.length < 4) return content;
  const data = new DataView(content.buffer, content.byteOffset, content.length);
  const isLittle = data.getUint32(0, true) === MARK;
  if (!isLittle && data.getUint32(0) !== MARK) return content;
  const codes: string[] = [];
  for (let at = 0; at < data.byteLength; at += 4) {
    const code = at + 4 <= data.byteLength ? data.getUint32(at, isLittle) : REPLACEMENT;
    codes.push(String.fromCodePoint(code > MAX_CODE ? REPLACEMENT : code));
  }
  const text = codes.join('');
  const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return new Uint8Array(units.buffer);
}
