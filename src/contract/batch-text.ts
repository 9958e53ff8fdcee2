/** Every runtime has one, but the types that they share do not declare it. */
declare const TextDecoder: new (
  encoding: string,
  options?: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * Decodes a batch file, the same in every process: UTF-16 if it has a byte order mark, otherwise
 * UTF-8, otherwise the Windows code page in which older spreadsheets save CSV. A file that is not
 * text decodes to nonsense, which reading the batch refuses.
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
