/** Finds prices in texts: what stands alone, or at the end of a list's item. */

const AMOUNT = String.raw`(?:[€$£]\s?\d[\d.,]*|\d[\d.,]*(?:[-–]|,–|,-)?\s?(?:€|EUR|\$|£|CHF))`;
const UNIT = String.raw`(?:\s?(?:/|pro|per|p\.)\s?[\p{L}.]+)?`;
const PRICE = new RegExp(`^(?:(?:ab|nur|from|only)\\s)?${AMOUNT}${UNIT}$`, 'iu');
const AT_END = new RegExp(
  String.raw`^(.*?\S)(?:\s*[:–—|·]\s*|\s*\.{2,}\s*|\s*…\s*|\s+)((?:(?:ab|nur|from|only)\s)?${AMOUNT}${UNIT})$`,
  'iu',
);

export function isPrice(text: string): boolean {
  return PRICE.test(text.trim());
}

/** An item and the price that it ends with, if it does. */
export function splitPrice(text: string): { name: string; price: string | undefined } {
  const [, name, price] = AT_END.exec(text.trim()) ?? [];
  return name === undefined ? { name: text, price: undefined } : { name, price };
}
