import type { ViewTexts } from './en-views.ts';
import { en, type Texts } from './en.ts';

/** Languages of the page, each with its name in that language. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

export const LANGUAGES: readonly Language[] = ['en', 'de'];

export interface AllTexts {
  readonly texts: Texts;
  readonly views: ViewTexts;
}

const germanTexts = () => import('./de.ts');
const englishViews = () => import('./en-views.ts');

/**
 * The texts that the page shows first. English ones are part of the page, so that there are always
 * texts to show.
 *
 * @throws when those of another language cannot be fetched
 */
export async function loadTexts(language: Language): Promise<Texts> {
  switch (language) {
    case 'en':
      return en;
    case 'de':
      return (await germanTexts()).de;
  }
}

/**
 * The texts of the page and of its views.
 *
 * @throws when they cannot be fetched
 */
export async function loadAllTexts(language: Language): Promise<AllTexts> {
  switch (language) {
    case 'en': {
      const { enViews, enSentences } = await englishViews();
      return { texts: { ...en, sentences: enSentences }, views: enViews };
    }
    case 'de': {
      const { de, deViews } = await germanTexts();
      return { texts: de, views: deViews };
    }
  }
}
