import { z } from 'zod';

/** In the form of URL parsers: lower case, without a default port. */
const normalised = z.url({ normalize: true });

/**
 * The identity of a service, by which its jobs, keys, profile and settings are stored: the origin of
 * its address.
 * @throws {z.ZodError} for an invalid address
 */
export function serviceIdOf(address: string): string {
  const [, scheme = '', host = ''] =
    /^([a-z]+:\/\/)(?:[^/?#@]*@)?([^/?#]*)/.exec(normalised.parse(address)) ?? [];
  return scheme + host;
}
