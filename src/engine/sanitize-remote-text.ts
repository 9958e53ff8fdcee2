/** The longest text from another computer that is kept in a failure (`contract/failure.ts`). */
const LONGEST = 2000;

/**
 * Removes control characters and marks that reverse the writing direction from untrusted text, and
 * cuts it to `longest` characters.
 */
export function sanitizeRemoteText(text: string, longest = LONGEST): string {
  const plain = text
    .replace(/[\t\n\r]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '')
    .toWellFormed()
    .trim();
  return plain.length <= longest
    ? plain
    : `${plain.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
