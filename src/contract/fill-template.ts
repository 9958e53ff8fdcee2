/** How a language formats amounts. */
export interface AmountWords {
  /** A formatted number of bytes. */
  readonly bytes: (bytes: number) => string;
  /** A formatted count, such as “1,000”. */
  readonly count: (count: number) => string;
}

/** Fills a template. A placeholder without a kind shows a number unformatted. */
export function filled(
  template: string,
  values: Readonly<Record<string, string | number>>,
  words: AmountWords,
): string {
  return template.replace(
    /\{(\w+)(?::(bytes|count))?\}/g,
    (_, name: string, kind?: keyof AmountWords) => {
      const value = values[name] ?? '';
      return kind !== undefined && typeof value === 'number' ? words[kind](value) : String(value);
    },
  );
}
