/** How the first words beyond ASCII of a file look in each encoding, for the menu of encodings. */
import { ENCODINGS, type Encoding } from '../../contract/text-reading.ts';

/** Bytes in which such words are looked for. */
const SEARCHED = 256 * 1024;
/** Bytes around the first one that are decoded, and characters that are shown. */
const BEFORE = 24;
const AFTER = 60;
const MAX_SHOWN = 24;

/** The sample of an encoding that these bytes cannot have. */
const UNFIT = '\ufffd';

/** The upper halves of code pages that browsers do not decode. */
const CODE_PAGES = {
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
    'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■ ',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤' +
    'đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■ ',
};

/**
 * By encoding; one that cannot decode these bytes has U+FFFD in its sample. Empty if the file is
 * ASCII, which looks the same in all.
 */
export function encodingSamples(bytes: Uint8Array): Partial<Record<Encoding, string>> {
  const searched = bytes.subarray(0, SEARCHED);
  const isWide = searched[0] === 0xff || searched[0] === 0xfe || searched.includes(0);
  const at = isWide ? 0 : searched.findIndex((byte) => byte >= 0x80);
  if (at < 0) return {};
  const start = isWide ? 0 : startOfWords(searched, at);
  const piece = searched.subarray(start, at + AFTER);
  return Object.fromEntries(
    ENCODINGS.map((encoding) => {
      const isPossible = isWide || !encoding.startsWith('utf-16');
      return [encoding, isPossible ? shorten(decode(piece, encoding)) : UNFIT];
    }),
  );
}

function startOfWords(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && at - start < BEFORE && !isEnd(bytes[start - 1] ?? 0)) start -= 1;
  return start;
}

/** Line ends, quotation marks and separators. */
function isEnd(byte: number): boolean {
  return [0x0a, 0x0d, 0x09, 0x22, 0x2c, 0x3b, 0x7c].includes(byte);
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case 'cp850':
    case 'cp852':
      return Array.from(bytes, (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : (CODE_PAGES[encoding][byte - 0x80] ?? ''),
      ).join('');
    case 'utf-8-twice':
      return withoutDoubleEncoding(new TextDecoder().decode(bytes));
    default:
      return new TextDecoder(encoding).decode(bytes);
  }
}

/** UTF-8 that was taken for Windows-1252 and saved as UTF-8 again. */
function withoutDoubleEncoding(text: string): string {
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [
      new TextDecoder('windows-1252').decode(Uint8Array.of(code)),
      code,
    ]),
  );
  const bytes = Array.from(text, (character) => codes.get(character));
  const known = bytes.filter((code) => code !== undefined);
  return known.length < bytes.length ? UNFIT : new TextDecoder().decode(Uint8Array.from(known));
}

function shorten(text: string): string {
  // The last bytes may be a part of a character.
  const whole = text.replace(/(?<=.)\ufffd$/s, '');
  const [words = ''] = whole.split(/[\r\n\t",;|]/).filter((part) => /\P{ASCII}/u.test(part));
  return (words === '' ? whole : words)
    .replace(/\p{Cc}/gu, '\ufffd')
    .trim()
    .slice(0, MAX_SHOWN);
}
