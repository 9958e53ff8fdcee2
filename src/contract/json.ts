import { z } from 'zod';
import { faultOf, userMessage } from './user-message.ts';

/** Deeper than any request, and far below what exhausts the stack of a recursive parser. */
export const MAX_JSON_DEPTH = 64;

/**
 * Untrusted JSON, at most 64 levels deep. Zod's own schema of JSON recurses for each level and
 * throws a `RangeError` at about two thousand.
 */
export const jsonSchema = z.custom<z.core.util.JSONType>(
  isShallowJson,
  faultOf(userMessage('value-not-json', { max: MAX_JSON_DEPTH })),
);

/** Whether a value can be JSON, and is not nested deeper than {@link MAX_JSON_DEPTH}. */
export function isShallowJson(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) return false;
    const next: unknown[] = [];
    for (const each of level) {
      if (Array.isArray(each)) for (const element of each as unknown[]) next.push(element);
      else if (isPlainObject(each)) for (const child of Object.values(each)) next.push(child);
      else if (!isScalar(each)) return false;
    }
    level = next;
  }
  return true;
}

function isScalar(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    Number.isFinite(value)
  );
}

/** An object as `JSON.parse` returns it. A property `__proto__` would be lost in copies. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, '__proto__'))
    return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
