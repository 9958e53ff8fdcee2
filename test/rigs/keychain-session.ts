/**
 * Executes one operation on the system's keychain and prints its result as JSON: `set ORIGIN KEY`,
 * `get ORIGIN` or `forget ORIGIN`. A separate process, because the keychain is found by environment
 * variables that are read once.
 */
import { openKeyStore } from '../../src/engine/keys/key-store.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

const [action = '', origin = '', key = ''] = process.argv.slice(2);
const store = await openKeyStore({ clock: systemClock, timeoutMs: 10_000 });
if (action === 'set') await store.set(origin, key);
if (action === 'forget') await store.forget(origin);
console.log(
  JSON.stringify({
    keptIn: store.keptIn,
    reason: store.reason?.message ?? null,
    key: await store.get(origin),
  }),
);
