import { describe, expect, it } from 'vitest';
import { nextPoll } from '../../../../src/engine/pacing/polling.ts';
import type { PollTarget } from '../../../../src/engine/pacing/polling.ts';
import { LogNormal } from '../../../../src/engine/pacing/render-times.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const SPACING = 1250;
const FREE = { limit: 60, windowMs: 60_000, remaining: 40, nextAt: NOW };
const twoMinutes = new LogNormal(Math.log(120), 0.5);

function rendering(ageMs: number, askedMsAgo: number | null = null): PollTarget {
  return {
    submittedAt: NOW - ageMs,
    askedAt: askedMsAgo === null ? null : NOW - askedMsAgo,
    renderTime: twoMinutes,
    isUnanswered: false,
  };
}

describe('nextPoll', () => {
  it('asks about nothing when nothing is being rendered', () => {
    expect(nextPoll([], FREE, null, NOW)).toBeNull();
  });

  it('does not ask about a young render before the fastest like it would be done', () => {
    const poll = nextPoll([rendering(0)], FREE, null, NOW);
    expect(poll?.at).toBeCloseTo(NOW + twoMinutes.quantile(0.005));
    // Also if the user has asked about it in between.
    const asked = nextPoll([rendering(1000, 500)], FREE, null, NOW);
    expect(asked?.at).toBeCloseTo(NOW - 1000 + twoMinutes.quantile(0.005));
  });

  it('asks about a late render less and less often, unless its last request had no answer', () => {
    const days = 10 * 86_400_000;
    expect(nextPoll([rendering(days, 5000)], FREE, null, NOW)?.at).toBe(NOW + 295_000);
    const unanswered = { ...rendering(days, 5000), isUnanswered: true };
    expect(nextPoll([unanswered], FREE, null, NOW)?.at).toBe(NOW);
  });

  it('asks about a late render soon while a video waits for its slot', () => {
    const awaited = { ...rendering(1_200_000, 0), isAwaited: true };
    expect(nextPoll([awaited], FREE, null, NOW)?.at).toBe(NOW + 12_000);
    const stuck = { ...rendering(86_400_000, 0), isAwaited: true };
    expect(nextPoll([stuck], FREE, null, NOW)?.at).toBe(NOW + 15_000);
  });

  it.each([
    [30, 60_000 / 24],
    [5, 60_000 / 4],
    [1, 60_000],
  ])('keeps a fifth of a limit of %i a minute free', (limit, spacingMs) => {
    const budget = { ...FREE, limit, remaining: limit };
    const poll = nextPoll([rendering(120_000, 0)], budget, NOW, NOW);
    expect(poll?.at).toBeCloseTo(NOW + spacingMs);
  });

  it('keeps 12 of 60 calls a minute free by spacing the others', () => {
    let lastAt = NOW;
    let asked = 0;
    const target = rendering(120_000, 0);
    while (lastAt < NOW + 60_000) {
      const poll = nextPoll([target], FREE, lastAt, lastAt)!;
      target.askedAt = poll.at;
      lastAt = poll.at;
      asked++;
    }
    expect(asked).toBe(48);
  });

  it('asks rarely while others have used up all but the reserve', () => {
    const target = rendering(120_000, 5000);
    const left = (remaining: number) => nextPoll([target], { ...FREE, remaining }, NOW, NOW)?.at;
    expect(left(12)).toBe(NOW + SPACING);
    expect(left(11)).toBe(NOW + 5000);
    const unknown = { ...FREE, remaining: null };
    expect(nextPoll([target], unknown, NOW, NOW)?.at).toBe(NOW + SPACING);
  });

  it('uses a limit above the documented one', () => {
    const target = rendering(120_000, 5000);
    const more = { ...FREE, limit: 132, remaining: 40 };
    expect(nextPoll([target], more, NOW, NOW)?.at).toBe(NOW + 500);
  });

  it('never asks before the rate window allows it', () => {
    const blocked = { ...FREE, remaining: 0, nextAt: NOW + 42_000 };
    expect(nextPoll([rendering(120_000)], blocked, null, NOW)?.at).toBe(NOW + 42_000);
  });

  /** The target that is asked about now, which is the same in reverse order. */
  function preferred(targets: readonly PollTarget[]): PollTarget | undefined {
    const first = nextPoll(targets, FREE, null, NOW)!;
    const reversed = targets.toReversed();
    const second = nextPoll(reversed, FREE, null, NOW)!;
    expect([first.at, second.at]).toEqual([NOW, NOW]);
    expect(reversed[second.index]).toBe(targets[first.index]);
    return targets[first.index];
  }

  it('prefers the render that is likelier to have finished unnoticed', () => {
    const likelier = rendering(100_000, 10_000);
    expect(preferred([rendering(50_000, 10_000), likelier])).toBe(likelier);
  });

  it('prefers the one asked about longer ago among renders of one age', () => {
    const longerAgo = rendering(100_000, 9000);
    expect(preferred([rendering(100_000, 2000), longerAgo])).toBe(longerAgo);
  });

  it('prefers a render that is due over one that is not, however likely that one is', () => {
    const due = rendering(60_000, 1);
    expect(preferred([rendering(0), due, rendering(1_200_000, 0)])).toBe(due);
  });

  it('assumes that a render never asked about can have finished at any time', () => {
    const never = rendering(100_000);
    expect(preferred([rendering(100_000, 9000), never])).toBe(never);
  });

  it('asks about all of many renders in turn', () => {
    const targets = Array.from({ length: 60 }, (_, n) => rendering(60_000 + n * 1000));
    const asked = new Set<number>();
    for (let at = NOW; at < NOW + 4 * 60_000; at += SPACING) {
      const poll = nextPoll(targets, FREE, at - SPACING, at)!;
      targets[poll.index]!.askedAt = at;
      asked.add(poll.index);
    }
    expect(asked.size).toBe(60);
  });

  it('asks about a render that is far too late after a tenth of its age, at most 5 minutes', () => {
    const late = 1_200_000;
    expect(nextPoll([rendering(late, 0)], FREE, null, NOW)?.at).toBeCloseTo(NOW + late / 10);
    expect(nextPoll([rendering(10 * late, 0)], FREE, null, NOW)?.at).toBe(NOW + 300_000);
    // Its status was requested a minute ago, so it is not requested at once.
    const at = nextPoll([rendering(late + 60_000, 60_000)], FREE, null, NOW)?.at;
    expect(at).toBeCloseTo(NOW - 60_000 + late / 10);
  });

  it('does not hold back requests about a render up to three times the usual age', () => {
    const usual = twoMinutes.quantile(0.95);
    expect(nextPoll([rendering(2.9 * usual, 0)], FREE, null, NOW)?.at).toBe(NOW);
    expect(nextPoll([rendering(3.1 * usual, 0)], FREE, null, NOW)?.at).toBeGreaterThan(NOW);
  });
});
