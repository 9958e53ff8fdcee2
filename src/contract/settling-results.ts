import type { Failure } from './failure.ts';
import type { MessageName } from './messages.ts';

/** Results for uncertain requests that only the user can settle. */
const RESULTS: readonly string[] = [
  'not-in-list',
  'not-in-part-of-list',
  'repeat-refused',
  'repeats-over',
  'identifier-of-another',
] satisfies MessageName[];

/** Whether a failure says what was found out about an uncertain request. */
export function isSettlingResult(failure: Failure | null): failure is Failure {
  return failure?.says.some(({ sentence }) => RESULTS.includes(sentence)) ?? false;
}
