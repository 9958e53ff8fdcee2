import { z } from 'zod';
import { issueOf, userMessage } from './user-message.ts';

type SafeParseResult<T> =
  | { readonly success: true; readonly data: T; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: z.ZodError };

/**
 * Zod's `safeParse`, but it never throws. Zod 4.6 compares the length of anything that has one,
 * even if a text or a list is expected, so it throws a `TypeError` at `{"length":{"toString":0}}`.
 * An uncaught one ends the process that reads the value.
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  context?: Parameters<Schema['safeParse']>[1],
): SafeParseResult<z.output<Schema>> {
  try {
    return schema.safeParse(value, context);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const { error: message, params } = issueOf(userMessage('value-unfit'));
    const issues: z.core.$ZodIssue[] = [
      { code: 'custom', path: [], message, params, input: value },
    ];
    return { success: false, error: new z.ZodError(issues) };
  }
}
