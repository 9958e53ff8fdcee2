import { describe, expect, test } from 'vitest';
import { Attempts } from '../../../../src/local-service/studio/identity/attempts.ts';
import { cookieFrom, setCookie } from '../../../../src/local-service/studio/identity/cookies.ts';
import {
  formTokenFor,
  isFormToken,
} from '../../../../src/local-service/studio/identity/form-token.ts';
import {
  faultOfPassword,
  hashPassword,
  isPassword,
} from '../../../../src/local-service/studio/identity/passwords.ts';

describe('a password', () => {
  test('is recognised however its letters are composed, and no other is', async () => {
    const stored = await hashPassword('crème brûlée');
    expect(await isPassword('crème brûlée'.normalize('NFD'), stored)).toBe(true);
    expect(await isPassword('creme brulee', stored)).toBe(false);
    expect(await isPassword('', undefined)).toBe(false);
  });

  test('is hashed with a salt of its own at no less than 2^15', async () => {
    const [one, other] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
    expect(one.hash).not.toEqual(other.hash);
    expect(one.cost).toBeGreaterThanOrEqual(2 ** 15);
    expect(one.salt).toHaveLength(16);
  });

  test('has 10 to 256 characters', () => {
    expect(faultOfPassword('x'.repeat(9))).toMatch(/at least 10/);
    expect(faultOfPassword('🎞'.repeat(10))).toBeUndefined();
    expect(faultOfPassword('x'.repeat(257))).toMatch(/at most 256/);
  });
});

describe('attempts', () => {
  test('are refused after ten on one account, and allowed again at the moment that was told', () => {
    let now = Date.UTC(2026, 0, 1);
    const attempts = new Attempts({ now: () => now });
    const tryAt = (account: string): number | undefined =>
      attempts.refusedUntil('sign-in-account', account);
    for (let count = 0; count < 10; count += 1) expect(tryAt('ada@example.com')).toBeUndefined();
    const until = tryAt('ADA@example.com');
    expect(until).toBe(now + 600_000);
    expect(tryAt('eve@example.com')).toBeUndefined();
    now = until! - 1;
    expect(tryAt('ada@example.com')).toBe(until);
    now = until!;
    expect(tryAt('ada@example.com')).toBeUndefined();
  });

  test('of very many subjects do not fill the memory, nor free the latest of them', () => {
    const attempts = new Attempts({ now: () => 0 });
    for (let count = 0; count < 10; count += 1) attempts.refusedUntil('sign-in-account', 'a');
    for (let count = 0; count < 9000; count += 1) {
      attempts.refusedUntil('sign-in-address', String(count));
    }
    expect(attempts.refusedUntil('sign-in-account', 'a')).toBeDefined();
  });
});

describe('a cookie', () => {
  const value = 'x'.repeat(43);
  test('is found among others and taken only if it looks like one of ours', () => {
    const name = '__Host-spool-session';
    expect(cookieFrom(`a=b; ${name}=${value}; c`, name)).toBe(value);
    expect(cookieFrom(`${name}=short`, name)).toBeUndefined();
    expect(cookieFrom(`other-${name}=${value}`, name)).toBeUndefined();
    expect(cookieFrom(undefined, name)).toBeUndefined();
  });

  test('is for this host alone, over HTTPS alone, and out of reach of scripts', () => {
    expect(setCookie('__Host-spool-session', value, 5000)).toBe(
      `__Host-spool-session=${value}; Path=/; Max-Age=5; HttpOnly; Secure; SameSite=Lax`,
    );
  });
});

test('a form’s token is worth nothing with another cookie', () => {
  const token = formTokenFor('one');
  expect(isFormToken(token, 'one')).toBe(true);
  expect(isFormToken(token, 'other')).toBe(false);
  expect(isFormToken(undefined, 'one')).toBe(false);
});
