import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 24 * 60 * 60 * 1000;

/** Key and certificate of a TLS server, in PEM, and the authority by which clients recognise it. */
export interface TestCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A certificate for `names`, signed by a new authority; `expired` ones ended yesterday. */
export async function issueCertificate(
  names: readonly string[] = ['127.0.0.1', 'localhost'],
  { expired = false } = {},
): Promise<TestCertificate> {
  const now = Date.now();
  const life = {
    notBefore: new Date(now - 30 * DAY_MS),
    notAfter: new Date(expired ? now - DAY_MS : now + 30 * DAY_MS),
  };
  const authorityKeys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    notBefore: life.notBefore,
    notAfter: new Date(now + 30 * DAY_MS),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Test service',
    issuer: authority.subject,
    signingKey: authorityKeys.privateKey,
    publicKey: keys.publicKey,
    signingAlgorithm: algorithm,
    ...life,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.SubjectAlternativeNameExtension(
        names.map((name) => ({
          type: isIP(name) ? ('ip' as const) : ('dns' as const),
          value: name,
        })),
      ),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    ca: authority.toString('pem'),
    cert: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString('base64')}\n-----END PRIVATE KEY-----\n`,
  };
}
