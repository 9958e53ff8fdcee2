import { inLanguage } from '../../contract/in-language.ts';
import type { MessageName } from '../../contract/messages.ts';
import { pageMessages } from './page-messages.ts';
import { pageTexts } from './page-texts.ts';

/** Messages that the page words differently from the engine. */
export const messagesOfPage = inLanguage(pageMessages, 'en');

/** The English texts that the page shows first. */
export const en = {
  ...inLanguage(pageTexts, 'en'),
  /** Other messages are shown as they come, in English (`translated`), until the rest is loaded. */
  sentences: messagesOfPage as Readonly<Partial<Record<MessageName, string>>>,
};

/** The texts in any language. */
export type Texts = typeof en;
