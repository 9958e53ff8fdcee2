import { expect, test } from 'vitest';
import { inEnglish } from '../../../../src/contract/user-message.ts';
import { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { KeyNotes } from '../../../../src/engine/keys/key-notes.ts';
import { MemoryKeyStore, openKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { FakeKeychain } from '../../../rigs/fake-keychain.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ORIGIN = 'https://api.example.com';
const KEY = 'svc_live_0123456789abcdefghijKLMNOP';
const NOTE = { since: 0, label: null };

/** A keychain that worked when Spool started, and the ring of an engine that uses it. */
async function setUp(kept: string | null = null, trouble: FakeKeychain['trouble'] = 'none') {
  const keychain = new FakeKeychain();
  const store = await openKeyStore({
    clock: new VirtualClock(),
    loadKeychain: () => Promise.resolve(keychain),
  });
  if (kept !== null) await store.set(ORIGIN, kept);
  keychain.trouble = trouble;
  return { keychain, ring: await ApiKey.open(store, new KeyNotes(temporaryFolder()), ORIGIN) };
}

// abuse.md 21
test('a key entered while the keychain is locked is kept in memory, and the user is informed', async () => {
  const { keychain, ring } = await setUp(null, 'locked');

  await ring.set(KEY, NOTE);

  expect(ring.forOrigin(ORIGIN)).toBe(KEY);
  expect(ring.status).toMatchObject({ state: 'untested', lastFour: 'MNOP', keptIn: 'memory' });
  expect(ring.status.trouble?.message).toContain('cannot be used (The keychain is locked)');
  expect(ring.status.trouble?.message).toContain('kept in memory');

  keychain.trouble = 'none';
  await ring.catchUp();

  expect(ring.status).toMatchObject({ keptIn: 'keychain', trouble: null });
  expect(keychain.secrets.get(ORIGIN)).toBe(KEY);
});

test('a keychain that is locked when the engine opens is read once it is unlocked', async () => {
  const { keychain, ring } = await setUp(KEY, 'locked');

  expect(ring.isUsable).toBe(false);
  expect(ring.status).toMatchObject({ state: 'absent', keptIn: null });
  expect(ring.status.trouble?.message).toContain('Unlock it');

  keychain.trouble = 'none';
  await ring.catchUp();

  expect(ring.forOrigin(ORIGIN)).toBe(KEY);
  expect(ring.status).toMatchObject({ keptIn: 'keychain', trouble: null });
});

test('a keychain that locks later takes nothing away', async () => {
  const { keychain, ring } = await setUp(KEY);
  keychain.trouble = 'locked';
  await ring.catchUp();

  expect(ring.forOrigin(ORIGIN)).toBe(KEY);
  expect(ring.status).toMatchObject({ keptIn: 'keychain', trouble: null });
});

test('a key that the keychain will not forget is not used, and it is said where it still is', async () => {
  const { keychain, ring } = await setUp(KEY);
  keychain.trouble = 'locked';

  await expect(ring.forget()).rejects.toMatchObject({ failure: { code: 'keychain-unusable' } });

  expect(ring.forOrigin(ORIGIN)).toBeNull();
  keychain.trouble = 'none';
  await ring.catchUp();
  expect(ring.status.state).toBe('absent');
});

// abuse.md 22
test('a key is for its own origin, and shows four characters of itself at the most', async () => {
  const ring = await ApiKey.open(new MemoryKeyStore(), new KeyNotes(temporaryFolder()), ORIGIN);
  await ring.set(KEY, NOTE);

  expect(ring.forOrigin('https://other.example.com')).toBeNull();
  expect(JSON.stringify(ring.status)).not.toContain(KEY.slice(0, -4));
  await ring.set('short', NOTE);
  expect(ring.status.lastFour).toBeNull();
});

test('why there is no keychain at all stays known', async () => {
  const store = new MemoryKeyStore(inEnglish('There is none here.'));
  const ring = await ApiKey.open(store, new KeyNotes(temporaryFolder()), ORIGIN);
  await ring.set(KEY, NOTE);

  expect(ring.status).toMatchObject({
    keptIn: 'memory',
    trouble: { message: 'There is none here.' },
  });
});

test('what the service says of a key is not held against the one entered since', async () => {
  const { ring } = await setUp(KEY);
  const ofTheFirst = ring.beginUse();
  await ring.set('svc_live_anotherkeyofthesameaccount', NOTE);
  ring.beginUse()('accepted');

  ofTheFirst('refused');

  expect(ring.status.state).toBe('accepted');
});

/** A keychain that is locked when Spool starts, with a key from before in it. */
async function setUpLocked(kept: string | null) {
  const keychain = new FakeKeychain();
  if (kept !== null) keychain.secrets.set(ORIGIN, kept);
  keychain.trouble = 'locked';
  let usable = 0;
  const store = await openKeyStore({
    clock: new VirtualClock(),
    loadKeychain: () => Promise.resolve(keychain),
    onUsable: () => (usable += 1),
  });
  const ring = await ApiKey.open(store, new KeyNotes(temporaryFolder()), ORIGIN);
  return { keychain, ring, usable: () => usable };
}

// abuse.md 21
test('a keychain that was locked at the start is read when it is asked again after that', async () => {
  const { keychain, ring, usable } = await setUpLocked(KEY);
  expect(ring.status).toMatchObject({ state: 'absent', keptIn: null });
  await ring.catchUp();
  expect(ring.status).toMatchObject({ state: 'absent' });
  expect(ring.status.trouble?.message).toContain('kept in memory');

  keychain.trouble = 'none';
  await Promise.all([ring.catchUp(), ring.catchUp()]);

  expect(ring.forOrigin(ORIGIN)).toBe(KEY);
  expect(ring.status).toMatchObject({ keptIn: 'keychain', trouble: null });
  expect(usable()).toBe(1);
  expect([...keychain.secrets]).toEqual([[ORIGIN, KEY]]);
});

test('what was entered while the keychain was locked is kept in it later, and is not taken back', async () => {
  const { keychain, ring } = await setUpLocked('svc_live_the_one_from_before');
  await ring.set(KEY, NOTE);
  expect(ring.status).toMatchObject({ lastFour: 'MNOP', keptIn: 'memory' });

  keychain.trouble = 'none';
  await ring.catchUp();

  expect(ring.forOrigin(ORIGIN)).toBe(KEY);
  expect(ring.status).toMatchObject({ keptIn: 'keychain', trouble: null });
  expect([...keychain.secrets]).toEqual([[ORIGIN, KEY]]);
});

test('a key that was forgotten while the keychain was locked does not come back from it', async () => {
  const { keychain, ring } = await setUpLocked(KEY);
  await ring.forget();

  keychain.trouble = 'none';
  await ring.catchUp();

  expect(ring.status.state).toBe('absent');
  expect([...keychain.secrets]).toEqual([]);
});

test('a key that is entered while the keychain is being read is the one that is used', async () => {
  const { keychain, ring } = await setUp(KEY, 'locked');
  keychain.trouble = 'none';
  const other = 'svc_live_another_one_abcd';

  await Promise.all([ring.catchUp(), ring.set(other, NOTE)]);

  expect(ring.forOrigin(ORIGIN)).toBe(other);
  expect(keychain.secrets.get(ORIGIN)).toBe(other);
});
