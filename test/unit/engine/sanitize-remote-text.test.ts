import { expect, test } from 'vitest';
import { sanitizeRemoteText } from '../../../src/engine/sanitize-remote-text.ts';

test.each([
  ['  space around  ', 'space around'],
  ['two\r\n\tlines', 'two lines'],
  ['\u001b[31mred\u0000\u007f\u0085', '[31mred'],
  ['user\u202egnp.exe\u2066', 'usergnp.exe'],
  ['half \ud83d of a character', 'half \ufffd of a character'],
  [
    '<b>stays</b> as it is: it is only ever shown as text',
    '<b>stays</b> as it is: it is only ever shown as text',
  ],
  ['日本 🎬', '日本 🎬'],
])('%j becomes %j', (theirs, text) => {
  expect(sanitizeRemoteText(theirs)).toBe(text);
});

test('text is cut to a length, and never through a character', () => {
  expect(sanitizeRemoteText('x'.repeat(3000))).toHaveLength(2000);
  expect(sanitizeRemoteText('abc🎬def', 5)).toBe('abc…');
  expect(sanitizeRemoteText('abcde', 5)).toBe('abcde');
});
