/** Replaces the decoder of old encodings if the intake runs in a page: with those that it has. */
export default {
  decode: (bytes: Uint8Array, encoding: string): string => new TextDecoder(encoding).decode(bytes),
};
