/** Where long words may be hyphenated, in the languages that have patterns here. */
import type { Hyphenate } from './line-breaks.ts';

export type Language = 'de' | 'en';

/** Shorter words are never hyphenated. */
const MIN_LETTERS = 10;
/** Letters that stay together at the beginning and the end of a word. */
const MIN_PART = 3;
const SOFT_HYPHEN = '\u00ad';
const LONG_WORD = new RegExp(String.raw`\p{L}{${MIN_LETTERS}}`, 'u');
const ENGLISH = /\b(?:the|and|of|to|for|with|is|are|you|your|our|from|this|that|on)\b/iu;
const GERMAN =
  /[äöüß]|\b(?:der|die|das|und|für|mit|ist|ein|eine|nicht|auf|von|zum|zur|im|wir|sie)\b/iu;

/**
 * The language of texts that do not say theirs. A long word without any other sign is a compound,
 * and so German rather than English.
 */
export function guessLanguage(texts: readonly string[]): Language {
  const all = texts.join(' ');
  return !GERMAN.test(all) && ENGLISH.test(all) ? 'en' : 'de';
}

/**
 * Loads the patterns of a language, if one of the texts has a word that is long enough: reading
 * them takes tens of milliseconds.
 */
export async function hyphenationOf(
  texts: readonly string[],
  language: Language = guessLanguage(texts),
): Promise<Hyphenate> {
  if (!texts.some((text) => LONG_WORD.test(text))) return (word) => [word];
  const [{ default: createHyphenator }, { default: patterns }] = await Promise.all([
    import('hyphen'),
    language === 'de' ? import('hyphen/patterns/de-1996.js') : import('hyphen/patterns/en-us.js'),
  ]);
  const hyphenate = createHyphenator(patterns, { minWordLength: MIN_LETTERS });
  return (word) => {
    if (!LONG_WORD.test(word)) return [word];
    const hyphenated = hyphenate(word);
    return typeof hyphenated === 'string' ? joinShort(hyphenated.split(SOFT_HYPHEN)) : [word];
  };
}

/** A word neither begins nor ends with a part that is too short to stand on a line. */
function joinShort(parts: readonly string[]): string[] {
  const [first = '', second, ...rest] = parts;
  if (second !== undefined && first.length < MIN_PART) return joinShort([first + second, ...rest]);
  const last = parts.at(-1) ?? '';
  if (parts.length < 2 || last.length >= MIN_PART) return [...parts];
  return [...parts.slice(0, -2), (parts.at(-2) ?? '') + last];
}
