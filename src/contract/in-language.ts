/** The languages of Spool. */
export type Language = 'en' | 'de';

/** One text in every language: words, or a function that makes them from values. */
export interface Translation<Text = string> {
  readonly en: Text;
  readonly de: Text;
}

type Words = string | ((...values: never[]) => unknown);

/** A catalogue in one language. A text whose German takes other values becomes `never`. */
export type InLanguage<Catalogue> = Catalogue extends Words
  ? Catalogue
  : Catalogue extends { readonly en: infer English; readonly de: infer German }
    ? [German] extends [Words]
      ? Widened<German> extends Widened<English>
        ? Widened<English>
        : never
      : never
    : { readonly [Name in keyof Catalogue]: InLanguage<Catalogue[Name]> };

/** Without the literal texts, which differ between languages. */
type Widened<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Widened<Result>
    : Text;

/**
 * The texts of a catalogue in one language. The page's build has already replaced each translation
 * by one language's text (`build/one-language.ts`); those stay as they are.
 */
export function inLanguage<Catalogue extends object>(
  catalogue: Catalogue,
  language: Language,
): InLanguage<Catalogue> {
  return Object.fromEntries(
    Object.entries(catalogue).map(([name, value]: [string, unknown]) => [
      name,
      textOf(value, language),
    ]),
  ) as InLanguage<Catalogue>;
}

function textOf(value: unknown, language: Language): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'en' in value && 'de' in value ? value[language] : inLanguage(value, language);
}
