/**
 * The two cookies: who is signed in, and, before that, which visitor a form was made for. The prefix
 * makes browsers take them over HTTPS only, from this very host only.
 */
export type CookieName = '__Host-spool-session' | '__Host-spool-visitor';

/** What both carry: 32 random bytes. Anything else is taken for no cookie at all. */
const VALUE = /^[\w-]{43}$/;

/** @param header The request's `Cookie` header. */
export function cookieFrom(header: string | undefined, name: CookieName): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() !== name) continue;
    const value = pair.slice(at + 1).trim();
    return VALUE.test(value) ? value : undefined;
  }
  return undefined;
}

/** The `Set-Cookie` header that gives a cookie for `lifeMs`; for 0 it takes the cookie away. */
export function setCookie(name: CookieName, value: string, lifeMs: number): string {
  const life = Math.floor(lifeMs / 1000);
  return `${name}=${value}; Path=/; Max-Age=${life}; HttpOnly; Secure; SameSite=Lax`;
}
