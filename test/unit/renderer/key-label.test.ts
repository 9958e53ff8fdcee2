import { describe, expect, it } from 'vitest';
import { isKey, labelIn } from '../../../src/renderer/formatting/key-label.ts';

describe('the label of a key', () => {
  it.each([
    ['svc_live_0123456789', ''],
    ['Studio svc_live_0123456789', ''],
    ['key: abc-123', ' abc-123 '],
  ])('must not contain a key: “%s”', (entered, key) => {
    expect(isKey(entered, key)).toBe(true);
  });

  it.each([
    ['Studio', ''],
    ['Studio', 'abc-123'],
    ['Studio', '  '],
  ])('may be “%s”', (entered, key) => {
    expect(isKey(entered, key)).toBe(false);
  });

  it('is trimmed, and absent when it is empty', () => {
    expect([labelIn(' Studio '), labelIn('  ')]).toEqual(['Studio', null]);
  });
});
