/** Messages in either language, for processes that have the catalogue of all. */
import { inLanguage, type Language } from './in-language.ts';
import { MESSAGES } from './messages.ts';
import { sizesIn } from './sizes.ts';
import { translated } from './translated.ts';
import type { UserMessage } from './user-message.ts';

const germanMessages = inLanguage(MESSAGES, 'de');

export function messageIn(language: Language, message: UserMessage): string {
  if (language === 'en') return message.message;
  return translated(message, germanMessages, sizesIn('de-DE'));
}
