declare module 'fastify' {
  interface FastifyRequest {
    /** The origin that the client used to reach the service, for links that lead back to it. */
    readonly serviceOrigin: string;
  }
}

const HOST = /^(?:[a-z\d](?:[a-z\d.-]{0,253})|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** The origin for a `Host` header; `undefined` when it is not a plain host and port. */
export function originOf(host: string): string | undefined {
  const origin = `https://${host.toLowerCase()}`;
  return HOST.test(host) && URL.canParse(origin) ? origin : undefined;
}
