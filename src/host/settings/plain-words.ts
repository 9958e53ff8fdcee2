import type { z } from 'zod';

/**
 * What is wrong with something that somebody entered, as a sentence without a programmer's words.
 * Given to a parse, it speaks where a schema has no sentence of its own; `undefined` leaves it to
 * the library.
 */
export const plainWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_value':
      return `This must be one of: ${issue.values.map(String).join(', ')}.`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'This must not be empty.';
      return issue.inclusive === false
        ? `This must be more than ${issue.minimum}.`
        : `This must be at least ${issue.minimum}.`;
    case 'too_big':
      if (issue.origin === 'string') return `This must have at most ${issue.maximum} characters.`;
      if (issue.origin === 'array') return `There are at most ${issue.maximum} of these.`;
      return `This must be at most ${issue.maximum}.`;
    case 'invalid_type':
      return issue.input === undefined
        ? 'This is missing.'
        : `This must be ${TYPES[issue.expected] ?? 'of another kind'}.`;
    case 'unrecognized_keys':
      return `There is no ${issue.keys.map((key) => `“${key}”`).join(', ')} here.`;
    case 'invalid_union':
      return 'This is none of the kinds that there are.';
    default:
      return undefined;
  }
};

const TYPES: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
