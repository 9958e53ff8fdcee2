/** The origin of a service's address, without its path. */
export function originOf(address: string): string {
  return new URL(address).origin;
}
