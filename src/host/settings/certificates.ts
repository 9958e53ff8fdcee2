import { X509Certificate } from 'node:crypto';

/** The headings of PEM blocks: certificates and everything else that OpenSSL reads. */
const HEADING = /-----BEGIN ([^-\n]{0,60})-----/g;
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * SHA-256 of each certificate in a PEM text, as `SHA-256 3F…`; empty when it contains anything else
 * that a TLS library might trust.
 */
export function fingerprintsOf(pem: string): string[] {
  const blocks = pem.match(BLOCK) ?? [];
  if ((pem.match(HEADING) ?? []).length !== blocks.length) return [];
  try {
    return blocks.map((block) => `SHA-256 ${new X509Certificate(block).fingerprint256}`);
  } catch {
    return [];
  }
}
