import { toldIn, type Told } from '../../contract/told.ts';
import type { Texts } from '../texts/en.ts';
import { Sizes } from './sizes.ts';

/** What the engine told, in the page's language. */
export function inWordsOf(told: Told, { sentences, locale }: Texts): string {
  return toldIn(told, sentences, (bytes) => new Sizes(locale).bytes(bytes));
}
