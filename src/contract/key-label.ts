import { z } from 'zod';
import { KEY_PREFIX } from './key-text.ts';
import { visible } from './visible-text.ts';

/** In UTF-16 code units, like `maxlength` of a field. */
const MAX_LENGTH = 60;

/**
 * The user's name for a key: one line of 1 to 60 characters, trimmed. It is shown and stored in
 * plain text, so a key entered here by mistake is refused (`abuse.md` 17).
 */
export const keyLabelSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LENGTH)
  .refine(...visible)
  .refine((label) => !label.includes(KEY_PREFIX), 'That is a key. A label is shown, a key never.');
