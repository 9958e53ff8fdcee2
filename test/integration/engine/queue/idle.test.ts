import { StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Three loops wake every half minute, to notice that the computer slept. */
const MAX_WAKE_UPS_AN_HOUR = 3 * 120 + 10;

class CountingClock extends VirtualClock {
  sleeps = 0;

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps += 1;
    return super.sleep(ms, signal);
  }
}

test('an idle queue that is not watched wakes rarely and reads nothing from its database', async () => {
  const clock = new CountingClock();
  const rig = await EngineRig.open({ clock });
  await rig.add(['One']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  await clock.advance(HOUR);
  const all = vi.spyOn(StatementSync.prototype, 'all');
  const get = vi.spyOn(StatementSync.prototype, 'get');
  onTestFinished(() => void vi.restoreAllMocks());
  clock.sleeps = 0;
  await clock.advance(HOUR);

  expect(clock.sleeps).toBeLessThanOrEqual(MAX_WAKE_UPS_AN_HOUR);
  expect(all).not.toHaveBeenCalled();
  expect(get).not.toHaveBeenCalled();
});

test('a queue that waits for the next month makes two short reads every half minute', async () => {
  const rig = await EngineRig.open({ limit: 1, zone: 'Europe/Berlin' });
  await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  await rig.clock.advance(HOUR);
  const all = vi.spyOn(StatementSync.prototype, 'all');
  const get = vi.spyOn(StatementSync.prototype, 'get');
  const calendars = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => void vi.restoreAllMocks());
  await rig.clock.advance(HOUR);

  expect(all.mock.calls.length + get.mock.calls.length).toBeLessThanOrEqual(2 * 121);
  expect(calendars).not.toHaveBeenCalled();
});

test('a watcher that starts after an idle hour receives progress', async () => {
  const rig = await EngineRig.open();
  await rig.clock.advance(HOUR);
  const watching = rig.engine.watch(undefined, new AbortController().signal);
  await watching.next();
  let updates = 0;
  const count = async (): Promise<void> => {
    for await (const update of watching) updates += update.seq > 0 ? 1 : 0;
  };
  void count();
  rig.service.renderMs = HOUR;
  await rig.add(['One']);
  await rig.clock.advance(MINUTE);
  const before = updates;
  // Only time passes: the estimated progress of a render still advances.
  await rig.clock.advance(10_000);

  expect(updates - before).toBeGreaterThanOrEqual(5);
});
