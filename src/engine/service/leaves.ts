import { MAX_PATH } from '../../contract/answer-rules.ts';

/** A value in an answer that has no values in it, and where it is. */
export interface Leaf {
  /** As `AnswerRules` write it. */
  readonly path: string;
  /** The last name on the path, without its case and without `_` and `-`: `videourl`. */
  readonly name: string;
  readonly value: string | number | boolean | null;
}

/** More than any answer has; a pasted page of data must not hold up whoever pasted it. */
const MAX_LEAVES = 2000;

/** All leaves of an answer, the shallower first, in the order of the answer. */
export function leavesOf(json: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  let level: { readonly path: string; readonly name: string; readonly value: unknown }[] = [
    { path: '', name: '', value: json },
  ];
  while (level.length > 0 && leaves.length < MAX_LEAVES) {
    const next: typeof level = [];
    for (const { path, name, value } of level) {
      if (Array.isArray(value)) {
        // One element speaks for all of them.
        if (value.length > 0) next.push({ path: `${path}[0]`, name, value: value[0] });
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, child] of Object.entries(value as Record<string, unknown>)) {
          const childPath = path === '' ? key : `${path}.${key}`;
          // Names that a path cannot write are names that no rule can use.
          if (!/^[^.[\]\s]+$/.test(key) || childPath.length > MAX_PATH) continue;
          next.push({
            path: childPath,
            name: key.toLowerCase().replace(/[_-]/g, ''),
            value: child,
          });
        }
      } else if (path !== '' && isScalar(value)) {
        leaves.push({ path, name, value });
      }
    }
    level = next;
  }
  return leaves;
}

function isScalar(value: unknown): value is Leaf['value'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
