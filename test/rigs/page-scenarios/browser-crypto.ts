/**
 * Replaces Node's hash if the intake runs in a page, where no requests are compared by it. It has as
 * many digits as SHA-256, which the rows of a batch are packed by.
 */
export function hash(_algorithm: string, text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) >>> 0;
  return sum.toString(16).padStart(64, '0');
}

/** Replaces Node's hash of a file that is read in parts: a page reads no files. */
export function createHash(): never {
  throw new Error('A page reads no files.');
}

/** Replaces Node's certificate parser: only distinguishes one text from another. */
export class X509Certificate {
  readonly fingerprint256: string;

  constructor(pem: string) {
    this.fingerprint256 = hash('sha256', pem);
  }
}
