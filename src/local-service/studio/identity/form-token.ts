import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The token that proves that a form was generated for this visitor. Another site can send a form,
 * to which the browser adds the cookie, but cannot read the cookie that the token is derived from.
 */
export function formTokenFor(cookie: string): string {
  return createHmac('sha256', cookie).update('form').digest('base64url');
}

export function isFormToken(presented: string | undefined, cookie: string): boolean {
  const expected = Buffer.from(formTokenFor(cookie));
  const given = Buffer.from(presented ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
