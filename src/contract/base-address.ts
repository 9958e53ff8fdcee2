/** Which addresses a service can have. No schema library is imported, so that a command starts quickly. */

/**
 * Whether an address can be a service's base address: without a user name, which could be mistaken
 * for the host, and with nothing after its path but the environment (`serviceIdOf`).
 */
export function isBaseAddress(address: string): boolean {
  return /^[a-z]+:\/\/[^@?#\\\s]+(?:#[a-z\d-]{1,40})?$/i.test(address);
}

/**
 * Whether the host is a number that parsers of addresses read as an IP address: `https://8080`, which
 * somebody may mean as a port of this computer, is 0.0.31.144.
 */
export function hasNumberAsHost(address: string): boolean {
  const [, host = ''] = /^[a-z]+:\/\/([^/:@?#\s]+)/i.exec(address.trim()) ?? [];
  const endsInNumber = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host);
  return endsInNumber && !/^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(host);
}
