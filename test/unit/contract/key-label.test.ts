import { expect, test } from 'vitest';
import { keyLabelSchema } from '../../../src/contract/key-label.ts';

test('a label is one line of 1 to 60 characters, trimmed', () => {
  expect(keyLabelSchema.parse('  Müllers Küche & Töchter \n')).toBe('Müllers Küche & Töchter');
  expect(keyLabelSchema.parse('x'.repeat(60))).toHaveLength(60);
  for (const text of ['', ' \t', 'x'.repeat(61), 'two\nlines', 'two\u2028lines', 'a\u0007bell']) {
    expect(keyLabelSchema.safeParse(text).success).toBe(false);
  }
});

test('a key that was entered as its label is refused', () => {
  expect(keyLabelSchema.safeParse('my svc_live_0123456789').success).toBe(false);
});
