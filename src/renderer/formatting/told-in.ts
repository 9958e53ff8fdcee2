import { filled } from '../../contract/sentences.ts';
import type { Told } from '../../contract/told.ts';
import type { Texts } from '../texts/en.ts';
import { Sizes } from './sizes.ts';

/**
 * What the engine told, in the page's language. A sentence that the page does not know, as of a
 * newer engine or of an old entry, leaves all of it in English.
 */
export function toldIn({ message, says }: Told, { sentences, locale }: Texts): string {
  if (says === undefined) return message;
  const known = new Map<string, string>(Object.entries(sentences));
  const parts = says.map(({ sentence, values }) => {
    const template = known.get(sentence);
    return template === undefined
      ? null
      : filled(template, values, (bytes) => new Sizes(locale).bytes(bytes));
  });
  return parts.includes(null) ? message : parts.join(' ');
}
