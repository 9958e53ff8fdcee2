import { BlockList, isIP } from 'node:net';
import { userMessage } from '../../contract/user-message.ts';
import { DownloadRefusedError } from './download-failures.ts';

/**
 * Where a download may connect to. A link comes from a service's response, so it is untrusted:
 * without this check it could make this computer call its own router, a database on loopback, or a
 * cloud's metadata address.
 */
export interface AddressPolicy {
  /** Origins that are allowed although they are private: the local service, `--allow-host`. */
  readonly exceptions: readonly AllowedOrigin[];
  /**
   * Whether names may resolve to addresses of VPNs and NAT64; not when left out. Links that contain
   * such an address literally are refused either way.
   */
  readonly allowVpnAddresses?: boolean;
  /**
   * The only origins that are allowed, redirects included; `null` or left out: every public
   * address.
   */
  readonly onlyOrigins?: readonly string[] | null;
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

/** A name that resolves to an address of a VPN or of NAT64, while the policy does not allow those. */
export class AddressBlockedError extends Error {
  override readonly name = 'AddressBlockedError';
  readonly host: string;

  constructor(host: string) {
    super(`${host} resolves to an address of a VPN or of NAT64.`);
    this.host = host;
  }
}

/** The exception that matches this URL, if there is one. */
export function exceptionFor(url: URL, policy: AddressPolicy): AllowedOrigin | undefined {
  return policy.exceptions.find((exception) => new URL(exception.origin).origin === url.origin);
}

/**
 * Parses a link and checks all that can be checked before a name is looked up. Names are checked
 * again at every socket lookup ({@link checkAddresses}), because DNS may answer differently by
 * then.
 *
 * @throws {DownloadRefusedError} when the link must not be followed.
 */
export function checkLink(link: string, policy: AddressPolicy, base?: URL): URL {
  const url = URL.parse(link, base?.href);
  if (!url) throw new DownloadRefusedError('link-invalid', userMessage('link-no-address'));
  if (url.username || url.password) {
    throw new DownloadRefusedError('link-invalid', userMessage('link-with-login'));
  }
  if (policy.onlyOrigins && !policy.onlyOrigins.includes(url.origin)) {
    const { host } = url;
    throw new DownloadRefusedError(
      'address-refused',
      userMessage('link-of-other-origin', { host }),
    );
  }
  if (exceptionFor(url, policy)) return url;
  if (url.protocol !== 'https:') {
    throw new DownloadRefusedError('link-not-https', userMessage('link-not-https'));
  }
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) {
    // `https://2130706433/` and `https://0x7f.1/` parse to 127.0.0.1. Legitimate links do not write
    // addresses so.
    const asWritten = link.toLowerCase().includes(`//${url.host}`);
    if (!asWritten || addressKind(address) !== 'public') throw refusedAddress(url.host);
  } else if (/(^|\.)localhost\.?$/.test(url.hostname)) {
    throw refusedAddress(url.host);
  }
  return url;
}

/** The error for a host whose address is not a public one. */
export function refusedAddress(host: string): DownloadRefusedError {
  return new DownloadRefusedError('address-refused', userMessage('link-not-public', { host }));
}

/** IANA's special-purpose registries: no video is downloaded from these addresses. */
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

/** Globally routed IPv6 is 2000::/3; these parts of it are not public addresses. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const specialInGlobalUnicast = new BlockList();
specialInGlobalUnicast.addSubnet('2001::', 23, 'ipv6'); // protocol assignments, Teredo
specialInGlobalUnicast.addSubnet('2001:db8::', 32, 'ipv6');
specialInGlobalUnicast.addSubnet('2002::', 16, 'ipv6'); // 6to4 wraps any IPv4 address
specialInGlobalUnicast.addSubnet('3fff::', 20, 'ipv6');

/** RFC 2544. VPN clients answer with addresses of this range and resolve names on their server. */
const fakeIp = new BlockList();
fakeIp.addSubnet('198.18.0.0', 15, 'ipv4');

/** RFC 6052: the last 32 bits are the IPv4 address that the network's gateway connects to. */
const nat64 = new BlockList();
nat64.addSubnet('64:ff9b::', 96, 'ipv6');
const nat64AroundSpecial = new BlockList();
for (const [network, prefix] of SPECIAL) {
  nat64AroundSpecial.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}

/**
 * How a download treats an address. `vpn`: it leads through a VPN client that answers for names
 * (198.18.0.0/15), or through NAT64 to a public IPv4 address (64:ff9b::/96). Its destination cannot
 * be checked, so only the user can allow it. `private`: everything else that is not on the public
 * internet, including any other form of IPv4 embedded in IPv6 (mapped, 6to4, Teredo).
 */
export type AddressKind = 'public' | 'vpn' | 'private';

export function addressKind(address: string): AddressKind {
  switch (isIP(address)) {
    case 4:
      if (!specialAddresses.check(address, 'ipv4')) return 'public';
      return fakeIp.check(address, 'ipv4') ? 'vpn' : 'private';
    case 6:
      if (address.includes('%')) return 'private';
      if (nat64.check(address, 'ipv6')) {
        return nat64AroundSpecial.check(address, 'ipv6') ? 'private' : 'vpn';
      }
      return globalUnicast.check(address, 'ipv6') && !specialInGlobalUnicast.check(address, 'ipv6')
        ? 'public'
        : 'private';
    default:
      return 'private';
  }
}

/**
 * Checks what a name resolved to. One private address refuses the name, whatever else it resolves
 * to and whatever is allowed.
 *
 * @throws {DownloadRefusedError} permanently
 * @throws {AddressBlockedError} until DNS gives another address or the policy allows it
 */
export function checkAddresses(
  host: string,
  addresses: readonly string[],
  { allowVpnAddresses = false }: AddressPolicy,
): void {
  const kinds = new Set(addresses.map(addressKind));
  if (kinds.size === 0 || kinds.has('private')) throw refusedAddress(host);
  if (kinds.has('vpn') && !allowVpnAddresses) throw new AddressBlockedError(host);
}

/** A link as it may be shown or logged: without the query, which carries the signature. */
export function withoutQuery(link: string): string {
  const url = URL.parse(link);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb ? `${url.origin}${url.pathname}` : '(not a web address)';
}
