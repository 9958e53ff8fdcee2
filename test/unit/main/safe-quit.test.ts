import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { SafeQuit } from '../../../src/main/safe-quit.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

/** Electron's `app`: listeners can prevent `quit`, but not `exit`. */
class FakeApp extends EventEmitter {
  readonly events: string[] = [];

  quit(): void {
    const isPrevented = (name: string): boolean => {
      let prevented = false;
      this.emit(name, { preventDefault: () => (prevented = true) });
      return prevented;
    };
    if (!isPrevented('before-quit') && !isPrevented('will-quit')) this.events.push('quit');
  }

  exit(code: number): void {
    this.events.push(`exit ${code}`);
  }
}

function quitting(installUpdate = false) {
  const app = new FakeApp();
  const clock = new VirtualClock();
  const safePoint = Promise.withResolvers<undefined>();
  let closed = 0;
  const quit = new SafeQuit({
    app: app as never,
    clock,
    close() {
      closed += 1;
      return safePoint.promise;
    },
    onEnding: () => app.events.push('ends'),
    installUpdate: () => installUpdate,
    onTimeout: (waitedMs) => app.events.push(`late after ${waitedMs}`),
  });
  return { app, clock, quit, safePoint, closed: () => closed };
}

describe('quitting', () => {
  it('waits for the safe point once, however often it is requested', async () => {
    const { app, clock, safePoint, closed } = quitting();
    app.quit();
    app.quit();
    await clock.advance(60_000);
    expect(app.events).toEqual([]);
    safePoint.resolve(undefined);
    await clock.settle();
    expect(app.events).toEqual(['quit']);
    expect(closed()).toBe(1);
    expect(clock.sleeping).toBe(0);
  });

  it('exits after a timeout when the safe point is never reached', async () => {
    const { app, clock } = quitting();
    app.quit();
    await clock.advance(180_000);
    expect(app.events).toEqual(['ends', 'late after 180000', 'exit 0']);
  });

  it('exits within seconds when the session ends, instead of blocking that', async () => {
    const { app, clock, quit } = quitting();
    app.quit();
    await clock.advance(1000);
    quit.endWithSession();
    expect(app.events).toEqual(['ends']);
    await clock.advance(4000);
    expect(app.events.at(-1)).toBe('exit 0');
  });

  it('quits when closing fails', async () => {
    const { app, clock, safePoint } = quitting();
    app.quit();
    safePoint.reject(new Error('The disk is gone.'));
    await clock.settle();
    expect(app.events).toEqual(['quit']);
    expect(clock.sleeping).toBe(0);
  });

  it('closes when only the last event arrives', async () => {
    const { app, clock, safePoint, closed } = quitting();
    let isPrevented = false;
    app.emit('will-quit', { preventDefault: () => (isPrevented = true) });
    expect(isPrevented).toBe(true);
    safePoint.resolve(undefined);
    await clock.settle();
    expect(closed()).toBe(1);
    expect(app.events).toEqual(['quit']);
  });

  it('leaves the exit to a new version that takes over', async () => {
    const { app, clock, safePoint } = quitting(true);
    app.quit();
    safePoint.resolve(undefined);
    await clock.settle();
    expect(app.events).toEqual([]);
  });
});
