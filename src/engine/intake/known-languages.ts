/**
 * The languages that headers name in other ways than `title[de]`: `title_de`, `Titel (DE)`, `Title
 * German`. Codes that are words or abbreviations as well, such as `id`, `no` and `nr`, are left out.
 */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  ar: ['arabic', 'arabisch'],
  bg: ['bulgarian', 'bulgarisch'],
  cs: ['czech', 'tschechisch'],
  da: ['danish', 'dänisch'],
  de: ['german', 'deutsch'],
  el: ['greek', 'griechisch'],
  en: ['english', 'englisch'],
  es: ['spanish', 'spanisch', 'español'],
  fi: ['finnish', 'finnisch'],
  fr: ['french', 'französisch', 'français'],
  hu: ['hungarian', 'ungarisch'],
  it: ['italian', 'italienisch', 'italiano'],
  ja: ['japanese', 'japanisch'],
  ko: ['korean', 'koreanisch'],
  nl: ['dutch', 'niederländisch', 'nederlands'],
  pl: ['polish', 'polnisch', 'polski'],
  pt: ['portuguese', 'portugiesisch', 'português'],
  ro: ['romanian', 'rumänisch'],
  ru: ['russian', 'russisch'],
  sk: ['slovak', 'slowakisch'],
  sv: ['swedish', 'schwedisch'],
  tr: ['turkish', 'türkisch'],
  uk: ['ukrainian', 'ukrainisch'],
  zh: ['chinese', 'chinesisch'],
};

const byName = new Map(
  Object.entries(LANGUAGES).flatMap(([code, names]) =>
    [code, ...names].map((name) => [name, code] as const),
  ),
);

/** The tag of a language that is named in English, German or by itself; `undefined` for any other text. */
export function knownLanguage(written: string): string | undefined {
  const text = written.normalize('NFC').toLowerCase();
  const named = byName.get(text);
  if (named !== undefined) return named;
  const [code = '', region = '', ...others] = text.split('-');
  const isTag = Object.hasOwn(LANGUAGES, code) && /^[a-z]{2}$/.test(region) && others.length === 0;
  return isTag ? text : undefined;
}
