// @peculiar/x509 needs this polyfill first, and the build loads this module before certificate.ts.
import 'reflect-metadata';
import { isIPv4, isIPv6 } from 'node:net';
import { Extension } from '@peculiar/x509';

const NAME_CONSTRAINTS = '2.5.29.30';

/** DER tags; those of a GeneralName are implicit (RFC 5280 §4.2.1.6). */
const TAG = { sequence: 0x30, permittedSubtrees: 0xa0, dnsName: 0x82, ipAddress: 0x87 } as const;

/**
 * The extension that restricts an authority's certificates to these hosts (RFC 5280 §4.2.1.10): a
 * name permits its subdomains too, and an address in 127.0.0.0/8 permits that whole block. The
 * extension is critical, so a client that does not support it rejects every certificate.
 */
export function nameConstraints(hosts: readonly string[]): Extension {
  const subtrees = hosts.map((host) => der(TAG.sequence, generalName(host)));
  const permitted = der(TAG.permittedSubtrees, Buffer.concat(subtrees));
  return new Extension(NAME_CONSTRAINTS, true, Uint8Array.from(der(TAG.sequence, permitted)));
}

function generalName(host: string): Buffer {
  if (isIPv4(host)) {
    const address = Buffer.from(host.split('.').map(Number));
    const isLoopback = address[0] === 127;
    const [base, mask] = isLoopback
      ? [
          [127, 0, 0, 0],
          [255, 0, 0, 0],
        ]
      : [address, ALL_BITS];
    return der(TAG.ipAddress, Buffer.concat([Buffer.from(base), Buffer.from(mask).subarray(0, 4)]));
  }
  if (isIPv6(host)) {
    return der(TAG.ipAddress, Buffer.concat([bytesOfIPv6(host), ALL_BITS]));
  }
  return der(TAG.dnsName, Buffer.from(host, 'ascii'));
}

const ALL_BITS = Buffer.alloc(16, 0xff);

/** The URL parser returns an address in its canonical form, without embedded IPv4. */
function bytesOfIPv6(host: string): Buffer {
  const [head = '', tail] = new URL(`http://[${host}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [first, last] = [groups(head), groups(tail)];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...first, ...zeros, ...last].entries()) {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  }
  return bytes;
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
