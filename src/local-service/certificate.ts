import 'reflect-metadata';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import * as x509 from '@peculiar/x509';
import { completePart, partPath } from './durable-file.ts';
import { nameConstraints } from './name-constraints.ts';
import { STUDIO_NAMES } from './studio/studio-host.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const AUTHORITY_LIFE_MS = 3650 * DAY_MS;
const SERVER_LIFE_MS = 397 * DAY_MS;
const RENEW_BEFORE_MS = 30 * DAY_MS;
/** A client whose clock is a little slow must not reject the certificate as not valid yet. */
const BACKDATE_MS = DAY_MS;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const authorityName = 'CN=Spool local service authority';
const loopback = ['127.0.0.1', '::1', 'localhost'];

/** A TLS server's certificate, and the file that clients verify it with. */
export interface ServerCertificate {
  /** PEM: the server's certificate. */
  readonly cert: string;
  /** PEM: its private key. */
  readonly key: string;
  /** Path of the authority's certificate, for clients to pin. A renewal keeps the authority. */
  readonly caFile: string;
  /** When the certificate stops being valid, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

interface CertificateAndKey {
  readonly certificate: x509.X509Certificate;
  readonly cert: string;
  readonly key: string;
}

/**
 * Returns the certificate for loopback, the studio's names and `host`: the one in `dataDir`, or a
 * new one if that is missing, not valid yet, expires within 30 days or does not name them. The data
 * folder has its own certificate authority, so clients that pinned it accept a renewed certificate.
 * The authority's name constraints limit it to these hosts: a stolen key cannot impersonate another
 * host. Another `host` gets a new authority. Only this user can read the files.
 */
export async function obtainCertificate(
  dataDir: string,
  host: string,
  now: number,
): Promise<ServerCertificate> {
  const folder = path.join(dataDir, 'tls');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = [...new Set([...loopback, host])].filter(
    (name) => name !== '0.0.0.0' && name !== '::',
  );

  let authority = read(folder, 'authority');
  let server = read(folder, 'server');
  const constraints = nameConstraints(names);
  if (
    !authority ||
    !isValid(authority, now, now + SERVER_LIFE_MS) ||
    !isConstrainedTo(authority, constraints)
  ) {
    authority = await issueAuthority(constraints, now);
    await write(folder, 'authority', authority);
    server = undefined;
  }
  const served = [...names, STUDIO_NAMES];
  if (!server || !isValid(server, now, now + RENEW_BEFORE_MS) || !coversNames(server, served)) {
    server = await issueServer(authority, served, now);
    await write(folder, 'server', server);
  }
  return {
    cert: server.cert,
    key: server.key,
    caFile: path.join(folder, 'authority.pem'),
    expiresAt: server.certificate.notAfter.getTime(),
  };
}

/** When to obtain a new certificate, in milliseconds since the epoch. */
export function renewalDue(certificate: ServerCertificate): number {
  return certificate.expiresAt - RENEW_BEFORE_MS;
}

async function issueAuthority(
  constraints: x509.Extension,
  now: number,
): Promise<CertificateAndKey> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: authorityName,
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + AUTHORITY_LIFE_MS),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      constraints,
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return withKey(certificate, keys.privateKey);
}

async function issueServer(
  authority: CertificateAndKey,
  names: string[],
  now: number,
): Promise<CertificateAndKey> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.certificate.subject,
    notBefore: new Date(now - BACKDATE_MS),
    notAfter: new Date(now + SERVER_LIFE_MS),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
    ],
  });
  return withKey(certificate, keys.privateKey);
}

async function withKey(
  certificate: x509.X509Certificate,
  privateKey: PrivateKey,
): Promise<CertificateAndKey> {
  const key = x509.PemConverter.encode(
    await crypto.subtle.exportKey('pkcs8', privateKey),
    'PRIVATE KEY',
  );
  return { certificate, cert: `${certificate.toString('pem')}\n`, key: `${key}\n` };
}

function isConstrainedTo({ certificate }: CertificateAndKey, constraints: x509.Extension): boolean {
  const own = certificate.getExtension(constraints.type);
  return own !== null && Buffer.from(own.value).equals(Buffer.from(constraints.value));
}

/** False also for a certificate of the future: the clock was ahead when it was issued. */
function isValid({ certificate }: CertificateAndKey, from: number, until: number): boolean {
  return certificate.notBefore.getTime() <= from && certificate.notAfter.getTime() > until;
}

function coversNames({ certificate }: CertificateAndKey, names: readonly string[]): boolean {
  const extension = certificate.getExtension(x509.SubjectAlternativeNameExtension);
  const covered = new Set(extension?.names.items.map((item) => item.value));
  return names.every((name) => covered.has(name));
}

/**
 * `undefined` if a file is missing or unreadable, or if certificate and key do not match, as after
 * a kill between the two writes. The caller then issues new ones; only pinned clients notice.
 */
function read(folder: string, name: string): CertificateAndKey | undefined {
  try {
    const cert = readFileSync(path.join(folder, `${name}.pem`), 'utf8');
    const key = readFileSync(path.join(folder, `${name}-key.pem`), 'utf8');
    if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return undefined;
    return { certificate: new x509.X509Certificate(cert), cert, key };
  } catch {
    return undefined;
  }
}

async function write(
  folder: string,
  name: string,
  { cert, key }: CertificateAndKey,
): Promise<void> {
  await replaceFile(path.join(folder, `${name}-key.pem`), key);
  await replaceFile(path.join(folder, `${name}.pem`), cert);
}

async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(partPath(file), text, { mode: 0o600 });
  await completePart(file);
}

async function importKey(pem: string): Promise<PrivateKey> {
  const [der] = x509.PemConverter.decode(pem);
  if (!der) throw new Error('The authority’s private key cannot be read.');
  return crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
}
