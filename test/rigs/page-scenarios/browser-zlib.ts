/** Replaces Node's compression if the intake runs in a page, which gets no workbooks. */
export function inflateRawSync(): never {
  throw new Error('A page reads no workbooks.');
}

export function crc32(): never {
  throw new Error('A page reads no workbooks.');
}

export function deflateRawSync(): never {
  throw new Error('A page writes no workbooks.');
}
