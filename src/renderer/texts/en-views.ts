import { inLanguage } from '../../contract/in-language.ts';
import { MESSAGES, type MessageName } from '../../contract/messages.ts';
import { messagesOfPage } from './en.ts';
import { viewTexts } from './view-texts.ts';

/** The English texts of the views. */
export const enViews = inLanguage(viewTexts, 'en');

/** The texts of the views in any language. */
export type ViewTexts = typeof enViews;

/** Every message of engine and host, with those that the page words differently. */
export const enSentences: Readonly<Record<MessageName, string>> = {
  ...inLanguage(MESSAGES, 'en'),
  ...messagesOfPage,
};
