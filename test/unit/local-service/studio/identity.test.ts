import { describe, expect, test } from 'vitest';
import {
  Attempts,
  type SignInSource,
} from '../../../../src/local-service/studio/identity/attempts.ts';
import { cookiesFrom, setCookie } from '../../../../src/local-service/studio/identity/cookies.ts';
import {
  formTokenFor,
  isFormToken,
} from '../../../../src/local-service/studio/identity/form-token.ts';
import {
  issueOfPassword,
  hashPassword,
  isOutdated,
  isPassword,
} from '../../../../src/local-service/studio/identity/passwords.ts';

describe('a password', () => {
  test('matches in any Unicode form, and no other text does', async () => {
    const stored = await hashPassword('crème brûlée');
    expect(await isPassword('crème brûlée'.normalize('NFD'), stored)).toBe(true);
    expect(await isPassword('creme brulee', stored)).toBe(false);
    expect(await isPassword('', undefined)).toBe(false);
  });

  test('is hashed with a new salt at no less than 2^15', async () => {
    const [one, other] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
    expect(one.hash).not.toEqual(other.hash);
    expect(one.cost).toBeGreaterThanOrEqual(2 ** 15);
    expect(one.salt).toHaveLength(16);
    expect(one).toMatchObject({ blockSize: 8, parallelization: 3 });
    expect(isOutdated(one)).toBe(false);
    expect(isOutdated({ ...one, cost: 2 ** 14 })).toBe(true);
    expect(isOutdated({ ...one, parallelization: 1 })).toBe(true);
  });

  test('has 10 to 256 characters', () => {
    expect(issueOfPassword('x'.repeat(9))).toMatch(/at least 10/);
    expect(issueOfPassword('🎞'.repeat(10))).toBeUndefined();
    expect(issueOfPassword('x'.repeat(257))).toMatch(/at most 256/);
  });
});

describe('attempts to sign in', () => {
  const MINUTE = 60_000;
  const email = 'ada@example.com';
  const guesser = { email, network: 'loopback', knownBrowser: undefined };

  function attemptsAt(start: number) {
    const clock = { at: start, now: () => clock.at };
    const attempts = new Attempts(clock);
    const fail = (source: SignInSource): number => {
      const attempt = attempts.signIn(source);
      return attempt.kind === 'refused' ? attempt.until - clock.at : 0;
    };
    return { clock, attempts, fail };
  }

  test('wait twice as long after every failure but the first five, at most a minute', () => {
    const { clock, fail } = attemptsAt(0);
    const waits = Array.from({ length: 16 }, () => {
      const wait = fail(guesser);
      clock.at += wait;
      if (wait > 0) expect(fail(guesser)).toBe(0);
      return wait;
    });
    expect(waits).toEqual([
      0,
      0,
      0,
      0,
      0,
      1000,
      2000,
      4000,
      8000,
      16_000,
      32_000,
      MINUTE,
      MINUTE,
      MINUTE,
      MINUTE,
      MINUTE,
    ]);
  });

  test('that come too early are refused without a longer wait', () => {
    const { clock, fail } = attemptsAt(0);
    for (let count = 0; count < 6; count += 1) {
      clock.at += 1000;
      fail(guesser);
    }
    const wait = fail(guesser);
    for (let count = 0; count < 10_000; count += 1) fail(guesser);
    expect(fail(guesser)).toBe(wait);
    clock.at += wait;
    expect(fail(guesser)).toBe(0);
  });

  test('from a browser in which the account has signed in wait only for its own failures', () => {
    const { fail } = attemptsAt(0);
    const known = { ...guesser, knownBrowser: 'x' };
    for (let count = 0; count < 1000; count += 1) {
      fail({ ...guesser, network: `192.0.2.${count % 200}` });
      fail(guesser);
    }
    expect(fail(guesser)).toBeGreaterThan(0);
    for (let count = 0; count < 5; count += 1) expect(fail(known)).toBe(0);
    expect(fail(known)).toBe(1000);
  });

  test('from one address on many accounts, or from many addresses on one, are slowed down too', () => {
    const { fail } = attemptsAt(0);
    const spraying = Array.from({ length: 31 }, (_, n) =>
      fail({ ...guesser, email: `${n}@x.example` }),
    );
    expect(spraying.filter((wait) => wait > 0)).toEqual([1000]);
    const spread = Array.from({ length: 51 }, (_, n) =>
      fail({ ...guesser, email: 'eve@example.com', network: `192.0.2.${n}` }),
    );
    expect(spread.filter((wait) => wait > 0)).toEqual([1000]);
  });

  test('that succeed are not counted, and failures are forgotten after an hour', () => {
    const { clock, attempts, fail } = attemptsAt(0);
    for (let count = 0; count < 100; count += 1) {
      const attempt = attempts.signIn(guesser);
      expect(attempt.kind).toBe('allowed');
      if (attempt.kind === 'allowed') attempt.succeeded();
    }
    for (let count = 0; count < 5; count += 1) fail(guesser);
    expect(fail(guesser)).toBe(1000);
    clock.at += 60 * MINUTE;
    fail({ ...guesser, email: 'eve@example.com' });
    for (let count = 0; count < 5; count += 1) expect(fail(guesser)).toBe(0);
  });

  test('wait no longer when the clock is set back', () => {
    const { clock, fail } = attemptsAt(60 * MINUTE);
    for (let count = 0; count < 5; count += 1) fail(guesser);
    clock.at = 0;
    expect(fail(guesser)).toBe(1000);
  });

  test('of very many subjects use bounded memory, and the latest of them still wait', () => {
    const { fail } = attemptsAt(0);
    for (let count = 0; count < 3300; count += 1) {
      fail({ email: `${count}@x.example`, network: String(count), knownBrowser: undefined });
    }
    for (let count = 0; count < 5; count += 1) fail(guesser);
    expect(fail(guesser)).toBe(1000);
  });
});

describe('a cookie', () => {
  const value = 'x'.repeat(43);
  test('is found among others, and used only in our format', () => {
    const name = '__Host-spool-session';
    expect(cookiesFrom(`a=b; ${name}=${value}; c`, name)).toEqual([value]);
    expect(cookiesFrom(`${name}=short`, name)).toEqual([]);
    expect(cookiesFrom(`other-${name}=${value}`, name)).toEqual([]);
    expect(cookiesFrom(undefined, name)).toEqual([]);
    const planted = 'y'.repeat(43);
    expect(cookiesFrom(`${name}=${planted}; ${name}=${value}`, name)).toEqual([planted, value]);
  });

  test('is limited to this host and to HTTPS, and hidden from scripts', () => {
    expect(setCookie('__Host-spool-session', value, 5000)).toBe(
      `__Host-spool-session=${value}; Path=/; Max-Age=5; HttpOnly; Secure; SameSite=Lax`,
    );
  });
});

test('a form’s token is not valid with another cookie', () => {
  const token = formTokenFor('one');
  expect(isFormToken(token, 'one')).toBe(true);
  expect(isFormToken(token, 'other')).toBe(false);
  expect(isFormToken(undefined, 'one')).toBe(false);
});
