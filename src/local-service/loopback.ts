/** The addresses and the name that every program of this computer can serve pages at. */

/** In URL notation, as the service's certificate has them. */
export const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];

/** @param host in URL notation */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOSTS.includes(host) || host.startsWith('127.');
}
