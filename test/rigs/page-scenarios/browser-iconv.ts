/** Replaces the decoder of old encodings if the intake runs in a page: with those that it has. */
export default {
  decode: (bytes: Uint8Array, encoding: string): string =>
    // A browser lacks code pages 850 and 852; 866 is one of their kin, which no scenario uses.
    new TextDecoder(encoding.startsWith('cp85') ? 'ibm866' : encoding).decode(bytes),
  /** Browsers encode UTF-8 alone; scenarios write no other text than Latin-1. */
  encode: (text: string): Uint8Array =>
    Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff),
};
