import { filled } from './fill-template.ts';
import type { UserMessage } from './message-schema.ts';
import type { Sizes } from './sizes.ts';

// Separate from `user-message.ts`, so that a page can show messages without their English table.

/**
 * A message in another language. If a part has no translation, for example one from a newer Spool,
 * the whole message stays in English.
 *
 * @param sentences of the language, by their names
 * @param sizes of the language
 */
export function translated(
  { message, says }: UserMessage,
  sentences: Readonly<Record<string, string>>,
  sizes: Sizes,
): string {
  const parts = says.map(({ sentence, values }) => {
    const template = Object.hasOwn(sentences, sentence) ? sentences[sentence] : undefined;
    return template === undefined ? null : filled(template, values, sizes);
  });
  return parts.includes(null) ? message : parts.join(' ');
}
