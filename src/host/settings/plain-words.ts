import type { z } from 'zod';
import { toldOf } from '../../contract/said.ts';
import { tell, tellAll, type Told } from '../../contract/told.ts';

/**
 * What is wrong with something that somebody entered, without a programmer's words. Where a schema
 * says of its own what it found wrong (`contract/told.ts`), those words hold. The parse must report its
 * input, or what is missing cannot be told from what is of another kind.
 */
export function plainWords(issue: z.core.$ZodIssue): Told {
  switch (issue.code) {
    case 'custom':
      return toldOf(issue) ?? tell('value-unfit');
    case 'invalid_value':
      return tell('value-one-of', { options: issue.values.map(String).join(', ') });
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return tell('value-empty');
      return issue.inclusive === false
        ? tell('value-more-than', { min: String(issue.minimum) })
        : tell('value-at-least', { min: String(issue.minimum) });
    case 'too_big': {
      const max = String(issue.maximum);
      if (issue.origin === 'string') return tell('value-too-long', { max });
      if (issue.origin === 'array') return tell('value-too-many', { max });
      return issue.inclusive === false
        ? tell('value-less-than', { max })
        : tell('value-at-most', { max });
    }
    case 'invalid_type':
      return issue.input === undefined ? tell('value-missing') : kindWords(issue.expected);
    case 'invalid_format':
      return tell(issue.format === 'date' ? 'value-not-date' : 'value-unfit');
    case 'unrecognized_keys':
      return tellAll(...issue.keys.map((name) => tell('value-unknown-name', { name })));
    case 'invalid_union':
      return tell('value-of-no-kind');
    case 'invalid_key':
    case 'invalid_element': {
      const [first] = issue.issues;
      return first === undefined ? tell('value-unfit') : plainWords(first);
    }
    case 'not_multiple_of':
      return tell('value-unfit');
  }
}

function kindWords(expected: string): Told {
  switch (expected) {
    case 'string':
      return tell('value-not-text');
    case 'number':
      return tell('value-not-number');
    case 'int':
      return tell('value-not-whole');
    case 'boolean':
      return tell('value-not-switch');
    case 'array':
      return tell('value-not-list');
    case 'object':
    case 'record':
      return tell('value-not-object');
    default:
      return tell('value-of-other-kind');
  }
}
