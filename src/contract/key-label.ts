import { z } from 'zod';
import { KEY_PREFIX } from './key-prefix.ts';
import { visible } from './visible-text.ts';

/** In characters of UTF-16, as `maxlength` of a field counts them. */
const LONGEST = 60;

/**
 * What the user calls a key, to tell it from others: one line of 1 to 60 characters, trimmed. It is
 * shown and kept in the open, so a key that was entered in its place is refused (`abuse.md` 17).
 */
export const keyLabelSchema = z
  .string()
  .trim()
  .min(1)
  .max(LONGEST)
  .refine(...visible)
  .refine((label) => !label.includes(KEY_PREFIX), 'That is a key. A label is shown, a key never.');
