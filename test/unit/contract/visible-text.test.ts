import { expect, test } from 'vitest';
import { hasInvisible } from '../../../src/contract/visible-text.ts';

test.each([
  ['a line break', '\n'],
  ['an escape', '\u001b'],
  ['a C1 control', '\u009b'],
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
  ['a lone surrogate', '\ud800'],
  ['an Arabic letter mark', '\u061c'],
  ['a space without width', '\u200b'],
  ['a left-to-right mark', '\u200e'],
  ['a right-to-left mark', '\u200f'],
  ['a left-to-right embedding', '\u202a'],
  ['a right-to-left override', '\u202e'],
  ['a word joiner', '\u2060'],
  ['a left-to-right isolate', '\u2066'],
  ['a pop of an isolate', '\u2069'],
  ['a byte order mark', '\ufeff'],
])('%s is invisible', (_, character) => {
  expect(hasInvisible(`Loss${character}3`)).toBe(true);
});

test.each(['Loss 3', 'Müllers Küche', '影片', 'خسارة', '👩\u200d🚀', 'naïve\u0301', 'a\u00a0b'])(
  'a text without such characters is not: %s',
  (text) => {
    expect(hasInvisible(text)).toBe(false);
  },
);
