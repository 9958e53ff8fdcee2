import { onTestFinished, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Account } from '../../../src/local-service/accounts/account.ts';
import { defaultLimits, RateLimits } from '../../../src/local-service/accounts/rate-limits.ts';
import type {
  RateLimitStatus,
  WindowType,
} from '../../../src/local-service/accounts/rate-window.ts';
import type { Charge } from '../../../src/local-service/accounts/request-counters.ts';
import { openCounters } from '../../../src/local-service/database.ts';
import { SqliteRequestCounters } from '../../../src/local-service/sqlite/sqlite-request-counters.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const START = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;
/** A killed service may lose this much, as `rate-limits.ts` says. */
const ON_DISK_WITHIN_MS = 20;

const account: Account = {
  id: 1,
  email: 'a@example.com',
  plan: 'free',
  signedUpAt: START,
  billingDate: undefined,
  customQuota: undefined,
  customLimits: {},
};

/** Counters on SQLite are synchronous. */
interface SyncLimits extends Pick<RateLimits, 'limitOf'> {
  chargeAccount(...charged: Parameters<RateLimits['chargeAccount']>): Charge;
  chargeAddress(...charged: Parameters<RateLimits['chargeAddress']>): Charge;
  accountStatus(...asked: Parameters<RateLimits['accountStatus']>): RateLimitStatus;
  addressStatus(...asked: Parameters<RateLimits['addressStatus']>): RateLimitStatus;
}

/** Counters in a new database, with a clock that a test sets. */
function open(window: WindowType = 'fixed') {
  const database = openCounters(temporaryFolder());
  onTestFinished(() => database.close());
  let now = START;
  const failures: unknown[] = [];
  const start = (): SyncLimits & Pick<SqliteRequestCounters, 'flush'> => {
    const clock = { now: () => now };
    const counters = new SqliteRequestCounters(database, clock, window, (error) =>
      failures.push(error),
    );
    const limits = new RateLimits(counters, defaultLimits) as SyncLimits;
    return {
      chargeAccount: limits.chargeAccount.bind(limits),
      chargeAddress: limits.chargeAddress.bind(limits),
      accountStatus: limits.accountStatus.bind(limits),
      addressStatus: limits.addressStatus.bind(limits),
      limitOf: limits.limitOf.bind(limits),
      flush: () => counters.flush(),
    };
  };
  return {
    limits: start(),
    failures,
    pass: (ms: number) => (now += ms),
    /** The counters of a service that starts now. */
    afterAKill: start,
    /** Makes writes to the disk succeed or fail. */
    setWritable: (isWritable: boolean) =>
      database.exec(`PRAGMA query_only = ${isWritable ? 'OFF' : 'ON'}`),
    stored: () =>
      database
        .prepare('SELECT subject FROM rate_window')
        .all()
        .map(({ subject }) => subject),
  };
}

function openMany({ limits }: ReturnType<typeof open>, count: number, prefix = '10.0'): void {
  for (let n = 0; n < count; n += 1) limits.chargeAddress(`${prefix}.${n >> 8}.${n & 255}`);
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

describe('the counters on disk', () => {
  test('have a request within that time, and are not written for each request', () => {
    const rig = open();
    rig.limits.chargeAccount(account, 'generate');
    rig.limits.chargeAccount(account, 'generate');
    expect(rig.stored()).toEqual([]);

    vi.advanceTimersByTime(ON_DISK_WITHIN_MS);

    expect(rig.afterAKill().accountStatus(account, 'generate').remaining).toBe(8);
  });

  test('follow later requests as well', () => {
    const rig = open();
    for (let sent = 0; sent < 3; sent += 1) {
      rig.limits.chargeAddress('10.0.0.1');
      vi.advanceTimersByTime(ON_DISK_WITHIN_MS);
    }
    expect(rig.afterAKill().addressStatus('10.0.0.1').remaining).toBe(27);
  });

  test('are complete after a flush, which leaves no timer', () => {
    const rig = open();
    rig.limits.chargeAccount(account, 'download');
    rig.limits.flush();
    expect(rig.afterAKill().accountStatus(account, 'download').remaining).toBe(29);
    expect(vi.getTimerCount()).toBe(0);

    rig.limits.chargeAccount(account, 'download');
    vi.advanceTimersByTime(ON_DISK_WITHIN_MS);
    expect(rig.afterAKill().accountStatus(account, 'download').remaining).toBe(28);
  });

  test.each(['fixed', 'sliding'] as const)(
    'are not written for refused requests and status reads: %s',
    (window) => {
      const rig = open(window);
      for (let sent = 0; sent < 10; sent += 1) rig.limits.chargeAccount(account, 'generate');
      rig.limits.flush();

      expect(rig.limits.chargeAccount(account, 'generate').kind).toBe('refused');
      rig.limits.accountStatus(account, 'status');
      rig.limits.addressStatus('10.0.0.1');
      expect(vi.getTimerCount()).toBe(0);
      rig.setWritable(false);
      rig.limits.flush();
      expect(rig.failures).toEqual([]);
    },
  );

  test('catch up once the disk can be written again, and refuse no request meanwhile', () => {
    const rig = open();
    rig.setWritable(false);
    rig.limits.chargeAccount(account, 'generate');
    vi.advanceTimersByTime(ON_DISK_WITHIN_MS);
    expect(rig.failures).toHaveLength(1);
    expect(rig.limits.chargeAccount(account, 'status').kind).toBe('accepted');
    vi.advanceTimersByTime(ON_DISK_WITHIN_MS);
    expect(rig.failures).toHaveLength(2);

    rig.setWritable(true);
    rig.limits.chargeAddress('10.0.0.1');
    vi.advanceTimersByTime(ON_DISK_WITHIN_MS);

    const again = rig.afterAKill();
    expect(again.accountStatus(account, 'generate').remaining).toBe(9);
    expect(again.accountStatus(account, 'status').remaining).toBe(59);
    expect(again.addressStatus('10.0.0.1').remaining).toBe(29);
    expect(rig.failures).toHaveLength(2);
  });
});

describe('old counters', () => {
  test('are deleted once there are a thousand callers, and those that still count are not', () => {
    const rig = open();
    openMany(rig, 500);
    rig.limits.flush();
    rig.pass(MINUTE);
    openMany(rig, 499, '10.1');
    rig.limits.flush();
    expect(rig.stored()).toHaveLength(999);

    rig.limits.chargeAddress('10.2.0.0');
    rig.limits.flush();

    expect(rig.stored()).toHaveLength(500);
    expect(rig.stored().every((subject) => /^address:10\.[12]\./.test(String(subject)))).toBe(true);
    expect(rig.limits.addressStatus('10.1.0.0').remaining).toBe(29);
    expect(rig.afterAKill().addressStatus('10.1.0.0').remaining).toBe(29);
  });

  test('are kept until their window ends, which for an account depends on its limit', () => {
    const rig = open();
    rig.limits.chargeAccount(account, 'generate');
    openMany(rig, 998);
    rig.pass(MINUTE - 1);
    rig.limits.chargeAddress('10.2.0.0');
    rig.limits.flush();
    expect(rig.stored()).toHaveLength(1000);

    rig.pass(1);
    openMany(rig, 1000, '10.1');
    rig.limits.flush();
    expect(rig.stored()).toHaveLength(1002);
    expect(rig.afterAKill().accountStatus(account, 'generate').remaining).toBe(9);
  });

  test('that were used again meanwhile are kept', () => {
    const rig = open();
    openMany(rig, 999);
    rig.limits.flush();
    rig.pass(MINUTE);
    rig.limits.chargeAddress('10.0.0.5');
    rig.limits.chargeAddress('10.1.0.0');
    rig.limits.flush();
    expect(rig.stored()).toEqual(['address:10.0.0.5', 'address:10.1.0.0']);
    expect(rig.limits.addressStatus('10.0.0.5').remaining).toBe(29);
  });

  test('refuse no request while the disk cannot be written', () => {
    const rig = open();
    openMany(rig, 999);
    rig.pass(MINUTE);
    rig.setWritable(false);
    expect(rig.limits.chargeAddress('10.1.0.0').kind).toBe('accepted');

    rig.limits.flush();
    rig.setWritable(true);
    rig.limits.flush();
    expect(rig.stored()).toEqual(['address:10.1.0.0']);
  });
});

describe('limits', () => {
  test('of addresses are thirty failed authentications a minute', () => {
    const { limits, pass } = open();
    const kinds = Array.from({ length: 31 }, () => limits.chargeAddress('10.0.0.1').kind);
    expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(30);
    expect(kinds.at(-1)).toBe('refused');
    expect(limits.addressStatus('10.0.0.1')).toEqual({
      remaining: 0,
      resetAt: START + MINUTE,
    });
    expect(limits.addressStatus('10.0.0.2').remaining).toBe(30);
    pass(MINUTE);
    expect(limits.chargeAddress('10.0.0.1').kind).toBe('accepted');
  });

  test('of accounts, endpoints and addresses are counted separately', () => {
    const { limits } = open();
    const other = { ...account, id: 2 };
    limits.chargeAccount(account, 'generate');
    limits.chargeAddress('1');
    expect(limits.accountStatus(account, 'generate').remaining).toBe(9);
    expect(limits.accountStatus(account, 'status').remaining).toBe(60);
    expect(limits.accountStatus(other, 'generate').remaining).toBe(10);
    expect(limits.addressStatus('1').remaining).toBe(29);
  });

  test('that were negotiated apply to their endpoint alone', () => {
    const { limits } = open();
    const own = { requests: 100, windowSeconds: 60 };
    const special = { ...account, customLimits: { generate: own } };
    expect(limits.limitOf(special, 'generate')).toEqual(own);
    expect(limits.limitOf(special, 'status')).toEqual(defaultLimits.status);
    limits.chargeAccount(special, 'generate');
    expect(limits.accountStatus(special, 'generate').remaining).toBe(99);
  });
});
