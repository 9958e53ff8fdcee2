import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpeedMeter } from '../../../../src/engine/downloads/progress.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MB = 1e6;

/** A meter that receives bytes in pieces of 0.1 s. */
class Stream {
  readonly clock = new VirtualClock();
  readonly meter = new SpeedMeter(this.clock);
  received = 0;

  async receive(seconds: number, bytesPerSecond: number): Promise<void> {
    for (let passed = 0; passed < seconds * 10; passed += 1) {
      await this.clock.advance(100);
      this.received += bytesPerSecond / 10;
      this.meter.add(bytesPerSecond / 10);
    }
  }

  progress(total: number | null = null) {
    return this.meter.progress(this.received, total);
  }
}

describe('the speed of a transfer', () => {
  it('is unknown until enough was received', async () => {
    const stream = new Stream();
    expect(stream.progress(100)).toMatchObject({ bytesPerSecond: null });
    await stream.receive(0.7, 10 * MB);
    expect(stream.progress().bytesPerSecond).toBeNull();
    await stream.receive(0.1, 10 * MB);
    expect(stream.progress().bytesPerSecond).toBe(10 * MB);
  });

  it('follows a change smoothly: most of it within eight seconds, little of it within one', async () => {
    const stream = new Stream();
    await stream.receive(20, 10 * MB);
    await stream.receive(1, 2 * MB);
    expect(stream.progress().bytesPerSecond).toBeGreaterThan(8 * MB);
    await stream.receive(7, 2 * MB);
    expect(stream.progress().bytesPerSecond).toBeLessThan(3.2 * MB);
  });

  it('does not jump with bytes that come in bursts', async () => {
    const stream = new Stream();
    const speeds: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      await stream.receive(0.1, 40 * MB);
      await stream.receive(0.9, 0);
      if (second > 30) speeds.push(stream.progress().bytesPerSecond ?? 0);
    }
    expect(Math.max(...speeds) / Math.min(...speeds)).toBeLessThan(1.2);
  });

  it('is unknown after five seconds without bytes, and later bytes are not averaged over that pause', async () => {
    const stream = new Stream();
    await stream.receive(10, 10 * MB);
    await stream.clock.advance(4_900);
    expect(stream.progress(1e9).bytesPerSecond).not.toBeNull();
    await stream.clock.advance(200);
    expect(stream.progress(1e9)).toMatchObject({ bytesPerSecond: null });
    await stream.clock.advance(20_000);
    await stream.receive(0.5, 10 * MB);
    expect(stream.progress().bytesPerSecond).toBeNull();
    await stream.receive(1, 10 * MB);
    expect(stream.progress().bytesPerSecond).toBe(10 * MB);
  });

  it('is never negative and never infinite, however bytes arrive', async () => {
    const pieces = fc.array(fc.record({ ms: fc.nat(9_000), bytes: fc.nat(1e9) }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (all) => {
        const stream = new Stream();
        for (const { ms, bytes } of all) {
          await stream.clock.advance(ms);
          stream.meter.add(bytes);
          const { bytesPerSecond } = stream.progress(1e12);
          expect(bytesPerSecond ?? 0).toBeGreaterThanOrEqual(0);
          expect(bytesPerSecond ?? 0).toBeLessThan(Infinity);
        }
      }),
    );
  });
});
