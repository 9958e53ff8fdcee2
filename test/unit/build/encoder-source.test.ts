import { describe, expect, it } from 'vitest';
import { encoderSource } from '../../../build/encoder-source.ts';

describe('an installer', () => {
  it.each(['', 'the source', 'http://example.org/source'])(
    'is not made without the address of its encoder’s source: %j',
    (address) => {
      expect(() => encoderSource({ SPOOL_ENCODER_SOURCE: address })).toThrow(/GPL 3/);
    },
  );

  it('names the source of its encoder', () => {
    const address = 'https://example.org/source.tar.gz';
    expect(encoderSource({ SPOOL_ENCODER_SOURCE: address })).toBe(address);
  });
});
