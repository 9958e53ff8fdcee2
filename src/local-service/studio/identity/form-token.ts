import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a form carries to show that it was made for this visitor. Another site can send a form and
 * the browser adds the cookie, but it cannot read the cookie that the token is derived from.
 */
export function formTokenFor(cookie: string): string {
  return createHmac('sha256', cookie).update('form').digest('base64url');
}

export function isFormToken(presented: string | undefined, cookie: string): boolean {
  const expected = Buffer.from(formTokenFor(cookie));
  const given = Buffer.from(presented ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
