/** The text of a template's example row, by which a row that was left in is recognised. */
export const EXAMPLE = {
  en: 'Example: replace this row',
  de: 'Beispiel: Ersetzen Sie diese Zeile',
} as const;

export function isExample(text: string): boolean {
  return text === EXAMPLE.en || text === EXAMPLE.de;
}
