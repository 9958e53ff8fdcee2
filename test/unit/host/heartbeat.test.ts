import { expect, test } from 'vitest';
import { Heartbeat } from '../../../src/host/heartbeat.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

const PING_INTERVAL_MS = 5000;
const ROUND_TRIP_MS = 1000;

/** A process that answers each ping after a second, as long as `other.answers`. */
function beating() {
  const clock = new VirtualClock();
  const other = { answers: true, pings: 0 };
  const heartbeat = new Heartbeat(clock, () => {
    other.pings += 1;
    void clock.sleep(ROUND_TRIP_MS).then(() => {
      if (other.answers) heartbeat.recordActivity();
    });
  });
  return { clock, other, heartbeat };
}

test('a process that answers every ping is never silent', async () => {
  const { clock, heartbeat } = beating();
  for (let ping = 0; ping < 20; ping += 1) {
    await clock.advance(PING_INTERVAL_MS);
    expect(heartbeat.answering.value).toBe(true);
  }
  heartbeat.stop();
});

test('a process is silent after three unanswered pings, until it answers again', async () => {
  const { clock, other, heartbeat } = beating();
  other.answers = false;
  await clock.advance(2 * PING_INTERVAL_MS);
  expect(heartbeat.answering.value).toBe(true);
  await clock.advance(2 * PING_INTERVAL_MS);
  expect(heartbeat.answering.value).toBe(false);
  other.answers = true;
  await clock.advance(ROUND_TRIP_MS);
  for (let ping = 0; ping < 5; ping += 1) {
    await clock.advance(PING_INTERVAL_MS);
    expect(heartbeat.answering.value).toBe(true);
  }
  heartbeat.stop();
});

test('no ping is sent after the end of the connection', async () => {
  const { clock, other, heartbeat } = beating();
  heartbeat.stop();
  await clock.advance(ROUND_TRIP_MS);
  const { pings } = other;
  await clock.advance(10 * PING_INTERVAL_MS);
  expect(other.pings).toBe(pings);
  expect(clock.sleeping).toBe(0);
});
