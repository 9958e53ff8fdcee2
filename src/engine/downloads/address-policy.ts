import { BlockList, isIP } from 'node:net';
import { tell, type Told } from '../../contract/told.ts';

/**
 * Where a download may connect to. A link comes from a service's answer, so it is a stranger's
 * text: without this check it could make this computer call its own router, a database on
 * loopback, or a cloud's metadata address.
 */
export interface AddressPolicy {
  /** Origins that are allowed although they are private: the local service, `--allow-host`. */
  readonly exceptions: readonly AllowedOrigin[];
}

/** Exactly one origin, port included, to which the general rules do not apply. */
export interface AllowedOrigin {
  /** Such as `https://127.0.0.1:8443`. A plain `http:` origin is allowed only by naming it here. */
  readonly origin: string;
  /** PEM of the only certificate authority accepted for this origin; the system's when absent. */
  readonly ca?: string;
}

/** Nothing private, nothing but https. */
export const PUBLIC_ONLY: AddressPolicy = { exceptions: [] };

/** The policy that `--allow-host HOST:PORT` asks for. */
export function allowHost(hostAndPort: string): AllowedOrigin {
  return { origin: new URL(`https://${hostAndPort}`).origin };
}

export type RefusalCode = 'link-invalid' | 'link-not-https' | 'address-refused';

/** A URL or an address that the policy does not let a download connect to. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError';
  readonly code: RefusalCode;
  readonly told: Told;

  constructor(code: RefusalCode, told: Told) {
    super(told.message);
    this.told = told;
    this.code = code;
  }
}

/** The exception that covers this URL, if there is one. */
export function exceptionFor(url: URL, policy: AddressPolicy): AllowedOrigin | undefined {
  return policy.exceptions.find((exception) => new URL(exception.origin).origin === url.origin);
}

/**
 * Parses a link and checks all that can be checked before a name is looked up. Names are checked
 * again at every socket lookup ({@link isPublicAddress}), because DNS may answer differently by
 * then.
 *
 * @throws {AddressRefusedError} when the link must not be followed.
 */
export function checkLink(link: string, policy: AddressPolicy, base?: URL): URL {
  const url = URL.parse(link, base?.href);
  if (!url) throw new AddressRefusedError('link-invalid', tell('link-no-address'));
  if (url.username || url.password) {
    throw new AddressRefusedError('link-invalid', tell('link-with-login'));
  }
  if (exceptionFor(url, policy)) return url;
  if (url.protocol !== 'https:') {
    throw new AddressRefusedError('link-not-https', tell('link-not-https'));
  }
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) {
    // `https://2130706433/` and `https://0x7f.1/` parse to 127.0.0.1: nobody honest writes so.
    const asWritten = link.toLowerCase().includes(`//${url.host}`);
    if (!asWritten || !isPublicAddress(address)) throw refusedAddress(url.host);
  } else if (/(^|\.)localhost\.?$/.test(url.hostname)) {
    throw refusedAddress(url.host);
  }
  return url;
}

/** The error for a host whose address is not a public one. */
export function refusedAddress(host: string): AddressRefusedError {
  return new AddressRefusedError('address-refused', tell('link-not-public', { host }));
}

/** IANA's special-purpose registries: nothing in them is a place to fetch a video from. */
const SPECIAL: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, and the metadata address of every large cloud
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3], // multicast, reserved and broadcast
];

const specialAddresses = new BlockList();
for (const [network, prefix] of SPECIAL) specialAddresses.addSubnet(network, prefix, 'ipv4');

/** IPv6 that is routed today is 2000::/3; these parts of it are not places of their own. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const specialInGlobalUnicast = new BlockList();
specialInGlobalUnicast.addSubnet('2001::', 23, 'ipv6'); // protocol assignments, Teredo
specialInGlobalUnicast.addSubnet('2001:db8::', 32, 'ipv6');
specialInGlobalUnicast.addSubnet('2002::', 16, 'ipv6'); // 6to4 wraps any IPv4 address
specialInGlobalUnicast.addSubnet('3fff::', 20, 'ipv6');

/**
 * Whether an address literal is one of the public internet. IPv4 wrapped in IPv6 (mapped,
 * NAT64, 6to4, Teredo) counts as private whatever it wraps.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialAddresses.check(address, 'ipv4');
    case 6:
      return (
        !address.includes('%') &&
        globalUnicast.check(address, 'ipv6') &&
        !specialInGlobalUnicast.check(address, 'ipv6')
      );
    default:
      return false;
  }
}

/** A link as it may be shown or logged: without the query, which carries the signature. */
export function withoutQuery(link: string): string {
  const url = URL.parse(link);
  return url ? `${url.origin}${url.pathname}` : '(not a web address)';
}
