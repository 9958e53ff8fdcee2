import { LOOPBACK_HOSTS } from '../loopback.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The origin that the client used to reach the service, for links in responses. */
    readonly serviceOrigin: string;
  }
}

const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,253})|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Whether clients reach the service by this host. A header that names any other must not choose where
 * the links of a response lead.
 *
 * @param host in URL notation, in lower case
 * @param ownHost that the service listens on
 * @param localAddress of the connection, for a service that listens on all addresses
 */
export function isOwnHost(
  host: string,
  ownHost: string,
  localAddress: string | undefined,
): boolean {
  const address = localAddress?.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
  const own = [ownHost.toLowerCase(), ...(address === undefined ? [] : [address])];
  const inUrls = own.map((each) => (each.includes(':') ? `[${each}]` : each));
  return LOOPBACK_HOSTS.includes(host) || inUrls.includes(host);
}

/** Parses `Host` headers. Most clients send the same one, so the last result is cached. */
export class OriginReader {
  #host: string | undefined;
  #origin: string | undefined;

  /** The origin for a `Host` header; `undefined` when it is not a plain host and port. */
  originOf(host: string): string | undefined {
    if (host !== this.#host) {
      const origin = `https://${host.toLowerCase()}`;
      this.#origin = HOST.test(host) && URL.canParse(origin) ? origin : undefined;
      this.#host = host;
    }
    return this.#origin;
  }
}
