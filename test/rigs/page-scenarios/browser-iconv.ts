/** Replaces the decoder of old encodings if the intake runs in a page: with those that it has. */
export default {
  decode: (bytes: Uint8Array, encoding: string): string =>
    // A browser lacks code page 850; 866 is one of its kin, which no scenario uses.
    new TextDecoder(encoding === 'cp850' ? 'ibm866' : encoding).decode(bytes),
};
