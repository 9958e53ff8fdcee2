import { z } from 'zod';
import { MAX_LABEL, isNoKey } from './key-text.ts';
import { visible } from './visible-text.ts';

/**
 * The user's name for a key: one line of 1 to 60 characters, trimmed. It is shown and stored in
 * plain text, so a key entered here by mistake is refused (`abuse.md` 17).
 */
export const keyLabelSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LABEL)
  .refine(...visible)
  .refine(isNoKey, 'That is a key. A label is shown, a key never.');
