import type { z } from 'zod';
import { userMessageOf } from '../../contract/message-schema.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';

/**
 * The user message for a validation issue, without technical terms. If a schema attaches its own
 * message (`contract/user-message.ts`), that one is used. The parse must set `reportInput`, or a
 * missing value cannot be distinguished from one of the wrong type.
 */
export function issueMessage(issue: z.core.$ZodIssue): UserMessage {
  switch (issue.code) {
    case 'custom':
      return userMessageOf(issue) ?? userMessage('value-unfit');
    case 'invalid_value':
      return userMessage('value-one-of', { options: issue.values.map(String).join(', ') });
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return userMessage('value-empty');
      return issue.inclusive === false
        ? userMessage('value-more-than', { min: String(issue.minimum) })
        : userMessage('value-at-least', { min: String(issue.minimum) });
    case 'too_big': {
      const max = String(issue.maximum);
      if (issue.origin === 'string') return userMessage('value-too-long', { max });
      if (issue.origin === 'array') return userMessage('value-too-many', { max });
      return issue.inclusive === false
        ? userMessage('value-less-than', { max })
        : userMessage('value-at-most', { max });
    }
    case 'invalid_type':
      return issue.input === undefined ? userMessage('value-missing') : typeMessage(issue.expected);
    case 'invalid_format':
      return userMessage(issue.format === 'date' ? 'value-not-date' : 'value-unfit');
    case 'unrecognized_keys':
      return joinMessages(...issue.keys.map((name) => userMessage('value-unknown-name', { name })));
    case 'invalid_union':
      return unionMessage(issue);
    case 'invalid_key':
    case 'invalid_element': {
      const [first] = issue.issues;
      return first === undefined ? userMessage('value-unfit') : issueMessage(first);
    }
    case 'not_multiple_of':
      return userMessage('value-unfit');
  }
}

/** The message of the intended alternative: the one that has exactly the given fields. */
function unionMessage({ errors }: z.core.$ZodIssueInvalidUnion): UserMessage {
  const isOfOtherShape = (issue: z.core.$ZodIssue): boolean =>
    issue.code === 'unrecognized_keys' ||
    (issue.code === 'invalid_type' && (issue.path.length === 0 || issue.input === undefined));
  const [first] = errors.find((issues) => !issues.some(isOfOtherShape)) ?? [];
  return first === undefined ? userMessage('value-of-no-kind') : issueMessage(first);
}

function typeMessage(expected: string): UserMessage {
  switch (expected) {
    case 'string':
      return userMessage('value-not-text');
    case 'number':
      return userMessage('value-not-number');
    case 'int':
      return userMessage('value-not-whole');
    case 'boolean':
      return userMessage('value-not-switch');
    case 'array':
      return userMessage('value-not-list');
    case 'object':
    case 'record':
      return userMessage('value-not-object');
    default:
      return userMessage('value-of-other-kind');
  }
}
