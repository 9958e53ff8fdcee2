/**
 * Identities of services. No imports at run time, so that a page can use it without loading a schema
 * library.
 */

/** Every runtime has one, but the types that they share do not declare it. */
declare const URL: {
  parse(text: string): {
    readonly protocol: string;
    readonly host: string;
    readonly hash: string;
  } | null;
};

/**
 * The identity of a service, by which its jobs, keys, profile and settings are stored: the origin of
 * its address, and the environment if the address names one, as in `https://api.shotstack.io#stage`.
 * Environments of one address have other paths, keys and videos.
 * @throws {TypeError} for an invalid address
 */
export function serviceIdOf(address: string): string {
  const url = URL.parse(address);
  if (url === null) throw new TypeError('This is not the address of a service.');
  const environment = /^#[a-z\d-]{1,40}/.exec(url.hash)?.[0] ?? '';
  return `${url.protocol}//${url.host}${environment}`;
}

/** The origin that requests to a service are sent to: its identity without the environment. */
export function originOf(serviceId: string): string {
  return serviceId.replace(/#.*$/s, '');
}

/** What a service is called where its profile has no name: its host, and its environment. */
export function hostOf(serviceId: string): string {
  return serviceId.replace('https://', '');
}
