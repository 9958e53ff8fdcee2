import { z } from 'zod';
import { visible } from './visible-text.ts';

const MAX_LENGTH = 200;

const line = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LENGTH)
  .refine(...visible);

/** What a field is called, or what it is for, in the languages of the page. */
export const fieldTextSchema = z.strictObject({ en: line, de: line.optional() });

export type FieldText = z.infer<typeof fieldTextSchema>;
