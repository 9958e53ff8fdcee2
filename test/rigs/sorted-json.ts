/** JSON without spaces and with sorted names: how equal requests look the same. */
export function sortedJson(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
