/**
 * A process that downloads one file and is there to be killed.
 * Arguments: the link, the target. Prints the outcome as JSON.
 */
import { Connections } from '../../src/engine/downloads/connections.ts';
import { DiskRoom } from '../../src/engine/downloads/disk-room.ts';
import { download } from '../../src/engine/downloads/download.ts';
import type { Clock } from '../../src/engine/clock.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

/** Time passes 50 times as fast, so that what happens every second happens within a short life. */
const HASTE = 50;
const hastyClock: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * HASTE,
  sleep: (ms, signal) => systemClock.sleep(ms / HASTE, signal),
};

const [url = '', target = ''] = process.argv.slice(2);
const outcome = await download(
  {
    link: { url, expiresAt: null },
    target,
    onCollision: 'number',
    signal: new AbortController().signal,
  },
  {
    clock: hastyClock,
    random: Math.random,
    connections: new Connections({ exceptions: [{ origin: new URL(url).origin }] }),
    room: new DiskRoom(),
  },
);
process.stdout.write(JSON.stringify(outcome));
