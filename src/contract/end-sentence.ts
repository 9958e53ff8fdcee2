/** Adds the full stop, unless an abbreviation such as “Min.” ends the sentence with one. */
export function endSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
