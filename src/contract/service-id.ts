import { z } from 'zod';

/** In the form of URL parsers: lower case, without a default port. */
const normalised = z.url({ normalize: true });

/**
 * The identity of a service, by which its jobs, keys, profile and settings are stored: the origin of
 * its address, and the environment if the address names one, as in `https://api.shotstack.io#stage`.
 * Environments of one address have other paths, keys and videos.
 * @throws {z.ZodError} for an invalid address
 */
export function serviceIdOf(address: string): string {
  const [, scheme = '', host = '', environment = ''] =
    /^([a-z]+:\/\/)(?:[^/?#@]*@)?([^/?#]*)[^#]*(#[a-z\d-]{1,40})?/.exec(
      normalised.parse(address),
    ) ?? [];
  return scheme + host + environment;
}

/** The origin that requests to a service are sent to: its identity without the environment. */
export function originOf(serviceId: string): string {
  return serviceId.replace(/#.*$/s, '');
}

/** What a service is called where its profile has no name: its host, and its environment. */
export function hostOf(serviceId: string): string {
  return serviceId.replace('https://', '');
}
