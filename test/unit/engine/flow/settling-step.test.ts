import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serviceApiSchema } from '../../../../src/contract/service-profile.ts';
import {
  ASSUMED_KEY_LIFE_MS,
  LOOKS_BEFORE_REPORT,
  settlingStep,
  type UncertainRequest,
} from '../../../../src/engine/flow/settling-step.ts';
import { NOT_LOOKED_FOR } from '../../../../src/engine/jobs/attempt-mark.ts';

const SENT = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const list = { path: '/v1/videos', items: 'data', id: 'id', ours: 'ref' };
const onceOf = (once: unknown) => serviceApiSchema.parse({ once }).once;
const KEYED = onceOf({ idempotencyHeader: 'Idempotency-Key' });
const LISTED = onceOf({ idField: 'ref', list });
const BOTH = onceOf({ idField: 'ref', list, idempotencyHeader: 'Idempotency-Key' });

const REQUEST: UncertainRequest = {
  startedAt: SENT,
  mark: { ownId: 'ID', idField: 'ref', header: 'idempotency-key', sha256: 'abc' },
  settling: NOT_LOOKED_FOR,
  sha256: 'abc',
  hasItsKey: true,
  knownForMs: 0,
};

describe('settlingStep', () => {
  it('leaves to the user what it cannot settle', () => {
    const none = onceOf({});
    expect(settlingStep(REQUEST, none, SENT)).toEqual({ kind: 'none' });
    expect(settlingStep(REQUEST, onceOf({ idField: 'ref' }), SENT)).toEqual({ kind: 'none' });
  });

  it('repeats a request with its idempotency key, less often each time', () => {
    expect(settlingStep(REQUEST, KEYED, SENT)).toEqual({ kind: 'repeat', at: SENT + 30_000 });
    const lastRepeatAt = SENT + 30_000;
    const after = (repeats: number) => ({
      ...REQUEST,
      settling: { ...NOT_LOOKED_FOR, repeats, lastRepeatAt },
    });
    expect(settlingStep(after(1), KEYED, SENT).kind).toBe('repeat');
    expect(settlingStep(after(1), KEYED, lastRepeatAt)).toMatchObject({
      at: lastRepeatAt + MINUTE,
    });
    expect(settlingStep(after(2), KEYED, lastRepeatAt)).toMatchObject({
      at: lastRepeatAt + 4 * MINUTE,
    });
  });

  it.each([
    ['of unknown lifetime', null, ASSUMED_KEY_LIFE_MS],
    ['of known lifetime', 24 * HOUR, 24 * HOUR],
  ])('never repeats close to the expiry of a key %s', (_name, keyLifeMs, lifeMs) => {
    const once = onceOf({ idempotencyHeader: 'Idempotency-Key', keyLifeMs });
    expect(settlingStep(REQUEST, once, SENT + lifeMs - 6 * MINUTE).kind).toBe('repeat');
    expect(settlingStep(REQUEST, once, SENT + lifeMs - 5 * MINUTE).kind).toBe('none');
    expect(settlingStep(REQUEST, once, SENT + 30 * 24 * HOUR).kind).toBe('none');
  });

  it('never repeats after its key expired, even if the clock was set back', () => {
    expect(settlingStep(REQUEST, KEYED, SENT - 1).kind).toBe('none');
    expect(settlingStep({ ...REQUEST, knownForMs: HOUR }, KEYED, SENT + MINUTE).kind).toBe('none');
  });

  it.each([
    ['the account may differ', { hasItsKey: false }],
    ['the bytes would differ', { sha256: 'abd' }],
    ['it was sent without the key', { mark: { ...REQUEST.mark, header: null } }],
    ['the header differs', { mark: { ...REQUEST.mark, header: 'x-key' } }],
    ['a repetition was refused', { settling: { ...NOT_LOOKED_FOR, isRepeatRefused: true } }],
    ['settling has ended', { settling: { ...NOT_LOOKED_FOR, isOver: true } }],
  ])('never repeats a request where %s', (_name, change) => {
    expect(settlingStep({ ...REQUEST, ...change }, KEYED, SENT + MINUTE).kind).toBe('none');
  });

  it('looks in the list after 0.5, 3 and 7 minutes, then every hour for a day', () => {
    const gaps: number[] = [];
    let settling = NOT_LOOKED_FOR;
    let before = SENT;
    for (;;) {
      const step = settlingStep({ ...REQUEST, settling }, LISTED, before);
      if (step.kind !== 'look') break;
      gaps.push((step.at - before) / MINUTE);
      settling = { ...settling, looks: settling.looks + 1, lastLookAt: step.at };
      before = step.at;
    }
    expect(gaps.slice(0, 4)).toEqual([0.5, 3, 7, 60]);
    expect(gaps).toHaveLength(LOOKS_BEFORE_REPORT + 24);
  });

  it('looks in the list after the key’s lifetime, and after a refused repeat', () => {
    expect(settlingStep(REQUEST, BOTH, SENT).kind).toBe('repeat');
    expect(settlingStep(REQUEST, BOTH, SENT + HOUR).kind).toBe('look');
    const settling = { ...NOT_LOOKED_FOR, isRepeatRefused: true };
    expect(settlingStep({ ...REQUEST, settling }, BOTH, SENT).kind).toBe('look');
  });

  it('does not look for a request without our identifier, or of another account', () => {
    const mark = { ...REQUEST.mark, idField: null };
    expect(settlingStep({ ...REQUEST, mark }, LISTED, SENT).kind).toBe('none');
    expect(settlingStep({ ...REQUEST, hasItsKey: false }, LISTED, SENT).kind).toBe('none');
  });

  it('repeats nothing after the key’s lifetime, for any history and time', () => {
    fc.assert(
      fc.property(
        fc.record({
          now: fc.integer({ min: -HOUR, max: 3 * HOUR }),
          repeats: fc.nat(10),
          lastAt: fc.option(fc.integer({ min: -HOUR, max: 3 * HOUR })),
          knownForMs: fc.integer({ min: 0, max: 3 * HOUR }),
        }),
        ({ now, repeats, lastAt, knownForMs }) => {
          const lastRepeatAt = lastAt === null ? null : SENT + lastAt;
          const settling = { ...NOT_LOOKED_FOR, repeats, lastRepeatAt };
          const step = settlingStep({ ...REQUEST, settling, knownForMs }, KEYED, SENT + now);
          if (step.kind !== 'repeat') return;
          const at = Math.max(step.at, SENT + now);
          expect(at - SENT).toBeLessThan(ASSUMED_KEY_LIFE_MS - 5 * MINUTE);
          expect(knownForMs + at - SENT - now).toBeLessThan(ASSUMED_KEY_LIFE_MS - 5 * MINUTE);
        },
      ),
    );
  });
});
