import { createContext } from 'svelte';
import type { UserMessage } from '../../contract/user-message.ts';
import type { Language } from '../texts/languages.ts';
import type { ViewTexts } from '../texts/en-views.ts';
import type { Texts } from '../texts/en.ts';
import type { Sizes } from '../../contract/sizes.ts';
import type { Times } from './times.ts';

/** What a component needs to show data in the language of the page. */
export interface Localization extends Pick<Sizes, 'count' | 'bytes' | 'speed'> {
  readonly language: Language;
  readonly texts: Texts;
  /** The texts that only views use. They must not be used before a view is loaded. */
  readonly viewTexts: ViewTexts;
  readonly times: Times;
  /** In milliseconds since the epoch. Times are shown relative to it. */
  readonly now: number;
  /** A message of the engine in the page's language. */
  translate(message: UserMessage): string;
}

/** Components that only show data use this, and not the state of the whole app. */
export const [useLocalization, provideLocalization] = createContext<Localization>();
