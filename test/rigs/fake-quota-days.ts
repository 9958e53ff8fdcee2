import type { QuotaDays } from '../../src/contract/quota-days.ts';

const DAY = 24 * 3_600_000;

interface FakeQuota {
  readonly now: number;
  readonly limit: number;
  /** Videos of the whole cycle, with corrections. */
  readonly used: number;
  readonly held: number;
  readonly resetAt: number;
  readonly corrections: readonly { readonly at: number; readonly used: number }[];
  readonly refused: boolean;
}

/** A cycle whose use is as uneven as a real week, and adds up to the number used. */
export function fakeQuotaDays(quota: FakeQuota): QuotaDays {
  const { now, limit, used, held, resetAt, refused } = quota;
  const start = resetAt - 30 * DAY;
  const count = Math.max(1, Math.ceil((now - start) / DAY));
  let counted = 0;
  const corrections = quota.corrections.map(({ at, used: said }) => {
    const difference = said - counted;
    counted = said;
    return { at, used: said, difference };
  });
  // A user's first correction covers everything that the days contain.
  const charged = corrections.length === 0 ? used : 0;
  const weights = Array.from({ length: count }, (_, day) =>
    day % 7 > 4 ? 0 : 1 + ((day * 5) % 4),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let given = 0;
  let weighed = 0;
  const days = weights.map((weight, day) => {
    weighed += weight;
    const sum = whole === 0 ? 0 : Math.round((charged * weighed) / whole);
    const today = sum - given;
    given = sum;
    const from = start + day * DAY;
    return {
      date: new Date(from).toISOString().slice(0, 10),
      from,
      charged: today,
      held: day === count - 1 ? held : 0,
    };
  });
  return {
    cycle: { start, end: resetAt },
    limit,
    days,
    corrections,
    refusedAt: refused ? now - 3_600_000 : null,
  };
}
