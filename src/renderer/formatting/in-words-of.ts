import { toldIn, type Told } from '../../contract/told.ts';
import type { Texts } from '../texts/en.ts';
import { Sizes } from './sizes.ts';

/** What the engine told, in the page's language. */
export function inWordsOf(told: Told, { sentences, locale }: Texts): string {
  const sizes = new Sizes(locale);
  return toldIn(told, sentences, {
    bytes: (bytes) => sizes.bytes(bytes),
    count: (count) => sizes.count(count),
  });
}
