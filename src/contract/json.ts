import { z } from 'zod';
import { isShallowJson, MAX_JSON_DEPTH } from './json-text.ts';
import { issueOf, userMessage } from './user-message.ts';

/**
 * Untrusted JSON, at most 64 levels deep. Zod's own schema of JSON recurses for each level and
 * throws a `RangeError` at about two thousand.
 */
export const jsonSchema = z.custom<z.core.util.JSONType>(
  isShallowJson,
  issueOf(userMessage('value-not-json', { max: MAX_JSON_DEPTH })),
);
