/** The value at a path of an `AnswerRules`; `undefined` when there is none. Own properties only. */
export function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
