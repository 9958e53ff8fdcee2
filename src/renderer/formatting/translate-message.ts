import { sizesIn } from '../../contract/sizes.ts';
import { translated } from '../../contract/translated.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import { pageMessages } from '../texts/page-messages.ts';
import type { Texts } from '../texts/en.ts';

/** A message of the engine in the page's language. */
export function translateMessage(message: UserMessage, { sentences, locale }: Texts): string {
  return translated(message, sentences, sizesIn(locale));
}

/** The technical cause that a message names, such as an error code; `null` if it names none. */
export function technicalCause(message: UserMessage | null): string | null {
  const causes = (message?.says ?? [])
    .filter(({ sentence }) => sentence in pageMessages)
    .flatMap(({ values }) => values.cause ?? values.code ?? []);
  return causes.length === 0 ? null : causes.join(', ');
}
