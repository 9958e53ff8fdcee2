/**
 * A file's bytes as text: UTF-16 where its mark says so, else UTF-8, else the Windows code page in
 * which older spreadsheets save CSV. What is no text at all comes out as nonsense, which `readBatch`
 * refuses.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
