import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { connect as connectTcp, isIP } from 'node:net';
import type { LookupFunction, OnReadOpts, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { exceptionFor, isPublicAddress, refusedAddress } from './address-policy.ts';
import type { AddressPolicy } from './address-policy.ts';

/** Resolves a name to all its addresses; the system's resolver unless a test has its own. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * The sockets that downloads use. Every name is checked at the moment its socket is opened, on
 * the very addresses the socket will use, so a name that resolved to a public address a second
 * ago cannot turn into a private one in between (DNS rebinding).
 */
export class Connections {
  readonly policy: AddressPolicy;
  /** Origins that send the whole file although nothing changed: not asked with If-Range again. */
  readonly ignoringIfRange = new Set<string>();
  readonly #lookup: LookupFunction;

  constructor(policy: AddressPolicy, resolveAll: ResolveAll = systemLookup) {
    this.policy = policy;
    this.#lookup = publicOnly(resolveAll);
  }

  /**
   * Opens a socket to a URL that `checkLink` has passed.
   *
   * @param onread where bytes are put. The socket reads straight into the caller's memory: one
   *   buffer for each read, as streams have it, costs four times the CPU and 100 MiB of garbage.
   */
  connect(url: URL, onread: OnReadOpts): Socket {
    const exception = exceptionFor(url, this.policy);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const to = {
      host,
      port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      onread,
      ...(exception ? {} : { lookup: this.#lookup }),
    };
    if (url.protocol !== 'https:') return connectTcp(to);
    return connectTls({
      ...to,
      ALPNProtocols: ['http/1.1'],
      // Said although it is the usual: `NODE_TLS_REJECT_UNAUTHORIZED` in the environment would undo it.
      rejectUnauthorized: true,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(exception?.ca === undefined ? {} : { ca: exception.ca }),
    });
  }
}

function publicOnly(resolveAll: ResolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, []);
        return;
      }
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(refusedAddress(hostname), []);
      } else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
