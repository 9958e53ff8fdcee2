import type { Sizes } from './sizes.ts';

/** Fills a template. A placeholder without a kind shows a number unformatted. */
export function filled(
  template: string,
  values: Readonly<Record<string, string | number>>,
  sizes: Sizes,
): string {
  return template.replace(
    /\{(\w+)(?::(bytes|count))?\}/g,
    (_, name: string, kind?: 'bytes' | 'count') => {
      const value = values[name] ?? '';
      return kind !== undefined && typeof value === 'number' ? sizes[kind](value) : String(value);
    },
  );
}
