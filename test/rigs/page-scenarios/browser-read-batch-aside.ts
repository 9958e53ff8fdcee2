/** Replaces reading in a thread if the intake runs in a page, which gets no tables of brands. */
export function readBatchAside(): never {
  throw new Error('A page reads no tables of brands.');
}
