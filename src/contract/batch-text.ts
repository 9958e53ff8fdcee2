/** Every process has one, and the types that they share do not know it. */
declare const TextDecoder: new (
  encoding: string,
  options?: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/**
 * A batch file's bytes as the text of a `BatchSource`, the same for whoever reads the file: UTF-16
 * where its mark says so, else UTF-8, else the Windows code page in which older spreadsheets save CSV.
 * What is no text at all comes out as nonsense, which reading the batch refuses.
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
