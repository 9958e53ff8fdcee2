/** Replaces reading of fonts if the intake runs in a page, which gets no files of rows. */
export function checkFont(): never {
  throw new Error('A page reads no fonts.');
}

export function lackingCharacters(): never {
  throw new Error('A page reads no fonts.');
}
