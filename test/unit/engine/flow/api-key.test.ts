import { expect, test } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { KeyNotes } from '../../../../src/engine/keys/key-notes.ts';
import { MemoryKeyStore, openKeyStore } from '../../../../src/engine/keys/key-store.ts';
import { FakeKeychain } from '../../../rigs/fake-keychain.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ORIGIN = 'https://api.example.com';
const KEY = 'svc_live_0123456789abcdefghijKLMNOP';
const OTHER_KEY = 'svc_live_another0123456789abcdefgh';
const NOTE = { since: 0, label: null };

/** A keychain that worked when Spool started, and the key of an engine that uses it. */
async function setUp(kept: string | null = null, trouble: FakeKeychain['trouble'] = 'none') {
  const keychain = new FakeKeychain();
  const store = await openKeyStore({
    clock: new VirtualClock(),
    loadKeychain: () => Promise.resolve(keychain),
  });
  if (kept !== null) await store.set(ORIGIN, kept);
  keychain.trouble = trouble;
  return { keychain, apiKey: await ApiKey.open(store, new KeyNotes(temporaryFolder()), ORIGIN) };
}

// abuse.md 21
test('a key entered while the keychain is locked is kept in memory, and the user is informed', async () => {
  const { keychain, apiKey } = await setUp(null, 'locked');

  await apiKey.set(KEY, NOTE);

  expect(apiKey.forOrigin(ORIGIN)).toBe(KEY);
  expect(apiKey.status).toMatchObject({ state: 'untested', lastFour: 'MNOP', keptIn: 'memory' });
  expect(apiKey.status.trouble?.message).toContain('cannot be used (The keychain is locked)');
  expect(apiKey.status.trouble?.message).toContain('kept in memory');

  keychain.trouble = 'none';
  await apiKey.catchUp();

  expect(apiKey.status).toMatchObject({ keptIn: 'keychain', trouble: null });
  expect(keychain.secrets.get(ORIGIN)).toBe(KEY);
});

test('a keychain that is locked when the engine opens is read once it is unlocked', async () => {
  const { keychain, apiKey } = await setUp(KEY, 'locked');

  expect(apiKey.isUsable).toBe(false);
  expect(apiKey.status).toMatchObject({ state: 'absent', keptIn: null });
  expect(apiKey.status.trouble?.message).toContain('Unlock it');

  keychain.trouble = 'none';
  await apiKey.catchUp();

  expect(apiKey.forOrigin(ORIGIN)).toBe(KEY);
  expect(apiKey.status).toMatchObject({ keptIn: 'keychain', trouble: null });
});

test('a key stays usable when the keychain locks later', async () => {
  const { keychain, apiKey } = await setUp(KEY);
  keychain.trouble = 'locked';
  await apiKey.catchUp();

  expect(apiKey.forOrigin(ORIGIN)).toBe(KEY);
  expect(apiKey.status).toMatchObject({ keptIn: 'keychain', trouble: null });
});

test('a key that the keychain cannot delete is not used, and forgetting it fails', async () => {
  const { keychain, apiKey } = await setUp(KEY);
  keychain.trouble = 'locked';

  await expect(apiKey.forget()).rejects.toMatchObject({ failure: { code: 'keychain-unusable' } });

  expect(apiKey.forOrigin(ORIGIN)).toBeNull();
  keychain.trouble = 'none';
  await apiKey.catchUp();
  expect(apiKey.status.state).toBe('absent');
});

// abuse.md 22
test('a key is used for its own origin only, and shows its last four characters at most', async () => {
  const apiKey = await ApiKey.open(new MemoryKeyStore(), new KeyNotes(temporaryFolder()), ORIGIN);
  await apiKey.set(KEY, NOTE);

  expect(apiKey.forOrigin('https://other.example.com')).toBeNull();
  expect(JSON.stringify(apiKey.status)).not.toContain(KEY.slice(0, -4));
  await apiKey.set('short', NOTE);
  expect(apiKey.status.lastFour).toBeNull();
});

test('the status says why there is no keychain', async () => {
  const store = new MemoryKeyStore(userMessage('verbatim', { text: 'There is none here.' }));
  const apiKey = await ApiKey.open(store, new KeyNotes(temporaryFolder()), ORIGIN);
  await apiKey.set(KEY, NOTE);

  expect(apiKey.status).toMatchObject({
    keptIn: 'memory',
    trouble: { message: 'There is none here.' },
  });
});

test('an answer to an earlier key does not change the status of the current one', async () => {
  const { apiKey } = await setUp(KEY);
  const reportFirst = apiKey.beginUse();
  await apiKey.set('svc_live_anotherkeyofthesameaccount', NOTE);
  apiKey.beginUse()('accepted');

  reportFirst('refused');

  expect(apiKey.status.state).toBe('accepted');
});

/** A keychain that is locked when Spool starts, with an earlier key or none. */
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
  const apiKey = await ApiKey.open(store, new KeyNotes(temporaryFolder()), ORIGIN);
  return { keychain, apiKey, usable: () => usable };
}

// abuse.md 21
test('a keychain that was locked when Spool started is read once it is unlocked', async () => {
  const { keychain, apiKey, usable } = await setUpLocked(KEY);
  expect(apiKey.status).toMatchObject({ state: 'absent', keptIn: null });
  await apiKey.catchUp();
  expect(apiKey.status).toMatchObject({ state: 'absent' });
  expect(apiKey.status.trouble?.message).toContain('kept in memory');

  keychain.trouble = 'none';
  await Promise.all([apiKey.catchUp(), apiKey.catchUp()]);

  expect(apiKey.forOrigin(ORIGIN)).toBe(KEY);
  expect(apiKey.status).toMatchObject({ keptIn: 'keychain', trouble: null });
  expect(usable()).toBe(1);
  expect([...keychain.secrets]).toEqual([[ORIGIN, KEY]]);
});

test('a key entered while the keychain was locked replaces the earlier one once it is unlocked', async () => {
  const { keychain, apiKey } = await setUpLocked('svc_live_the_one_from_before');
  await apiKey.set(KEY, NOTE);
  expect(apiKey.status).toMatchObject({ lastFour: 'MNOP', keptIn: 'memory' });

  keychain.trouble = 'none';
  await apiKey.catchUp();

  expect(apiKey.forOrigin(ORIGIN)).toBe(KEY);
  expect(apiKey.status).toMatchObject({ keptIn: 'keychain', trouble: null });
  expect([...keychain.secrets]).toEqual([[ORIGIN, KEY]]);
});

test('a key forgotten while the keychain was locked is deleted once it is unlocked', async () => {
  const { keychain, apiKey } = await setUpLocked(KEY);
  await apiKey.forget();

  keychain.trouble = 'none';
  await apiKey.catchUp();

  expect(apiKey.status.state).toBe('absent');
  expect([...keychain.secrets]).toEqual([]);
});

test('a key entered while the keychain is being read is used and kept', async () => {
  const { keychain, apiKey } = await setUp(KEY, 'locked');
  keychain.trouble = 'none';
  const other = 'svc_live_another_one_abcd';

  await Promise.all([apiKey.catchUp(), apiKey.set(other, NOTE)]);

  expect(apiKey.forOrigin(ORIGIN)).toBe(other);
  expect(keychain.secrets.get(ORIGIN)).toBe(other);
});

test.each([
  ['forgotten', null, (apiKey: ApiKey) => apiKey.forget()],
  ['replaced', OTHER_KEY, (apiKey: ApiKey) => apiKey.set(OTHER_KEY, NOTE)],
])('a key that is %s while the keychain stores it is not left there', async (_, kept, change) => {
  const { keychain, apiKey } = await setUp();
  const prompted = Promise.withResolvers<undefined>();
  const prompt = Promise.withResolvers<undefined>();
  const write = keychain.write.bind(keychain);
  keychain.write = async (account, secret) => {
    if (secret === KEY) {
      prompted.resolve(undefined);
      await prompt.promise;
    }
    await write(account, secret);
  };

  const setting = apiKey.set(KEY, NOTE);
  await prompted.promise;
  const changing = change(apiKey);
  prompt.resolve(undefined);
  await Promise.all([setting, changing]);

  expect(keychain.secrets.get(ORIGIN) ?? null).toBe(kept);
  expect(apiKey.forOrigin(ORIGIN)).toBe(kept);
});
