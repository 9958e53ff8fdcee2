import { expect, it } from 'vitest';
import { plainText } from '../../../src/cli/display/safe-text.ts';

it.each([
  ['a colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a control sequence of one byte', '\u009b2Jclear', 'clear'],
  ['a link', '\u001b]8;;https://a.test\u0007link\u001b]8;;\u001b\\', 'link'],
  ['a window title', '\u001b]0;title\u001b\\text', 'text'],
  ['a reset', '\u001bctext', 'text'],
  ['an unterminated string, whose text remains', '\u001b]0;title', '0;title'],
  ['line breaks', 'a\r\nb\u2028c', 'a b c'],
  ['marks that reorder text', 'a\u202eb\u2066c', 'abc'],
])('removes from a line for the terminal: %s', (_, text, plain) => {
  expect(plainText(text)).toBe(plain);
});
