declare module 'fastify' {
  interface FastifyRequest {
    /** The origin that the client used to reach the service, for links in responses. */
    readonly serviceOrigin: string;
  }
}

const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,253})|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

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
