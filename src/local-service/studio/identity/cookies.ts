/**
 * The cookies: one for the session; one for a visitor before sign-in, which form tokens are derived
 * from; and one that marks browsers in which an account has signed in. Because of the prefix,
 * browsers accept them only over HTTPS and only from this host.
 */
export type CookieName = '__Host-spool-session' | '__Host-spool-visitor' | '__Host-spool-browser';

/** The value of each: 32 random bytes as base64url. Other values are ignored. */
const VALUE = /^[\w-]{43}$/;

/**
 * All values of a cookie. Another page of this host can set more cookies of the same name, and the
 * service's own need not be the first.
 *
 * @param header The request's `Cookie` header.
 */
export function cookiesFrom(header: string | undefined, name: CookieName): readonly string[] {
  return (header?.split(';') ?? []).flatMap((pair) => {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    return pair.slice(0, at).trim() === name && VALUE.test(value) ? [value] : [];
  });
}

/** The `Set-Cookie` header that sets a cookie for `lifeMs`, or deletes it for 0. */
export function setCookie(name: CookieName, value: string, lifeMs: number): string {
  const life = Math.floor(lifeMs / 1000);
  return `${name}=${value}; Path=/; Max-Age=${life}; HttpOnly; Secure; SameSite=Lax`;
}
