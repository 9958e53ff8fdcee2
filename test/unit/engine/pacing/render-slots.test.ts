import { describe, expect, it } from 'vitest';
import { RenderSlots } from '../../../../src/engine/pacing/render-slots.ts';

const NOW = Date.UTC(2026, 4, 4, 9);
const MINUTE = 60_000;

function refusedAt(underWay: number, retryAfterMs: number | null = null) {
  const slots = new RenderSlots(5);
  slots.refused({ underWay, now: NOW, retryAfterMs, renderMs: 2 * MINUTE });
  return slots;
}

describe('render slots', () => {
  it('are free until as many videos are under way as the service renders', () => {
    const slots = new RenderSlots(3);
    expect([0, 2, 3, 4].map((underWay) => slots.wait(underWay, NOW))).toEqual([
      0,
      0,
      Infinity,
      Infinity,
    ]);
  });

  it('are limited after a refusal to those under way, until one ends', () => {
    const slots = refusedAt(3);
    expect(slots.room).toBe(3);
    expect(slots.wait(3, NOW)).toBeGreaterThan(5000);
    expect(slots.wait(2, NOW)).toBe(0);
  });

  it('are tried again after a while, later after each refusal, and at least every ten minutes', () => {
    const slots = refusedAt(3);
    let [now, before] = [NOW, 0];
    for (let n = 0; n < 30; n += 1) {
      const wait = slots.wait(3, now);
      expect(wait).toBeGreaterThanOrEqual(before);
      before = wait;
      now += wait;
      expect(slots.wait(3, now)).toBe(0);
      slots.refused({ underWay: 3, now, retryAfterMs: null, renderMs: 2 * MINUTE });
    }
    expect(before).toBe(10 * MINUTE);
  });

  it('are tried again within a render time while others use all of them', () => {
    const slots = new RenderSlots(5);
    for (let n = 0; n < 30; n += 1)
      slots.refused({ underWay: 0, now: NOW, retryAfterMs: null, renderMs: 2 * MINUTE });
    expect(slots.wait(0, NOW)).toBe(2 * MINUTE);
  });

  it('are all available again once one more was accepted', () => {
    const slots = refusedAt(3);
    slots.accepted(2);
    expect(slots.room).toBe(3);
    slots.accepted(3);
    expect(slots.room).toBe(5);
    expect(slots.wait(4, NOW)).toBe(0);
  });

  it('wait for the Retry-After, whatever ends meanwhile', () => {
    const slots = refusedAt(3, 10 * MINUTE);
    expect(slots.wait(2, NOW + MINUTE)).toBe(9 * MINUTE);
    expect(slots.wait(2, NOW + 10 * MINUTE)).toBe(0);
  });

  it('ignore a wait beyond one hour', () => {
    expect(refusedAt(0, 1e12).wait(0, NOW)).toBe(60 * MINUTE);
  });

  it('wait no longer because the clock was set back', () => {
    const slots = refusedAt(3, 10 * MINUTE);
    expect(slots.wait(3, NOW - 86_400_000)).toBe(10 * MINUTE);
  });

  it('are restored after a restart', () => {
    const slots = new RenderSlots(5, refusedAt(3).state);
    expect(slots.room).toBe(3);
  });
});
