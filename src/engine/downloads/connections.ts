import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { isPublicAddress, refusedAddress } from './address-policy.ts';
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
  readonly #public: Agent;
  readonly #exceptions = new Map<string, Agent>();

  constructor(policy: AddressPolicy, resolveAll: ResolveAll = systemLookup) {
    this.policy = policy;
    this.#public = agent({ lookup: publicOnly(resolveAll) });
    for (const { origin, ca } of policy.exceptions) {
      this.#exceptions.set(new URL(origin).origin, agent(ca === undefined ? {} : { ca }));
    }
  }

  /** The dispatcher that may open sockets for this URL. */
  dispatcherFor(url: URL): Dispatcher {
    return this.#exceptions.get(url.origin) ?? this.#public;
  }

  /** Ends every socket, transfers in flight included. */
  async close(): Promise<void> {
    await Promise.all([this.#public, ...this.#exceptions.values()].map((each) => each.destroy()));
  }
}

function agent(connect: { lookup?: LookupFunction; ca?: string }): Agent {
  return new Agent({
    connect,
    // The transfer watches for silence itself, on the injected clock.
    connectTimeout: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    // One transfer, one connection: a reset then costs one transfer and not its neighbours.
    allowH2: false,
    pipelining: 1,
  });
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
