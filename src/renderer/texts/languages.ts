import { en, type Texts } from './en.ts';

/** Languages of the page, each by its own name. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

export const LANGUAGES: readonly Language[] = ['en', 'de'];

/**
 * The texts of a language. English is part of the page, so that there are always texts to show.
 *
 * @throws when those of another language cannot be fetched
 */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return en;
    case 'de':
      return (await import('./de.ts')).de;
  }
}
