import { issueOf, userMessage } from './user-message.ts';

/** Control characters, lone surrogates, and marks that hide or reorder the text around them. */
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Whether a text of one line, such as a path or a name, has invisible characters. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Arguments of a schema's `refine`: a text of one line without invisible characters. */
export const visible = [
  (text: string) => !hasInvisible(text),
  issueOf(userMessage('value-invisible')),
] as const;
