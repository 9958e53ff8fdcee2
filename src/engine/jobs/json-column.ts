import { z } from 'zod';

/** A column with JSON in it, which a damaged file may not have any more. */
export const jsonColumn = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('It is no JSON.');
    return z.NEVER;
  }
});
