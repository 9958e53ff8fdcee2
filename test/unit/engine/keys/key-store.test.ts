import { describe, expect, test, vi } from 'vitest';
import type { Keychain } from '../../../../src/engine/keys/keychain.ts';
import { openKeyStore, type KeyStore } from '../../../../src/engine/keys/key-store.ts';
import { FakeKeychain } from '../../../rigs/fake-keychain.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ORIGIN = 'https://api.example.com';
const KEY = 'svc_live_0123456789abcdefghijKLMNOP';
const NEW_KEY = 'svc_live_9876543210abcdefghijKLMNOP';
const SILENT = { code: 'keychain-unusable' };

function open(keychain: Keychain, clock = new VirtualClock()): ReturnType<typeof openKeyStore> {
  return openKeyStore({ clock, loadKeychain: () => Promise.resolve(keychain), timeoutMs: 1000 });
}

/** How a key is changed, what is stored then, and the call. */
const CHANGES = [
  ['forgotten', null, (store: KeyStore) => store.forget(ORIGIN)],
  ['replaced', NEW_KEY, (store: KeyStore) => store.set(ORIGIN, NEW_KEY)],
] as const;

describe('with a keychain that works', () => {
  test('keys are kept there by their origin, and nothing else is left behind', async () => {
    const clock = new VirtualClock();
    const keychain = new FakeKeychain();
    const store = await open(keychain, clock);
    await store.set(ORIGIN, KEY);

    expect(store.reason).toBeNull();
    expect(store.keptIn).toBe('keychain');
    expect([...keychain.secrets]).toEqual([[ORIGIN, KEY]]);
    expect(await store.get(ORIGIN)).toBe(KEY);
    expect(await store.get('https://other.example.com')).toBeNull();

    await store.forget(ORIGIN);
    expect(await store.get(ORIGIN)).toBeNull();
    expect(clock.sleeping).toBe(0);
  });

  test('a keychain that stops answering later rejects in time', async () => {
    const clock = new VirtualClock();
    const keychain = new FakeKeychain();
    const store = await open(keychain, clock);
    keychain.trouble = 'hang';

    const got = expect(store.get(ORIGIN)).rejects.toMatchObject({ code: 'keychain-unusable' });
    await clock.advance(1000);

    await got;
    expect(clock.sleeping).toBe(0);
  });

  test.each(CHANGES)(
    'a key that is %s after its write timed out is not left there',
    async (_, kept, change) => {
      const clock = new VirtualClock();
      const keychain = new FakeKeychain();
      const store = await open(keychain, clock);
      const write = keychain.write.bind(keychain);
      const answered = Promise.withResolvers<undefined>();
      vi.spyOn(keychain, 'write').mockImplementationOnce(async (...input) => {
        await answered.promise;
        await write(...input);
      });

      const setting = expect(store.set(ORIGIN, KEY)).rejects.toMatchObject(SILENT);
      await clock.advance(1000);
      await setting;
      const changing = expect(change(store)).rejects.toMatchObject(SILENT);
      await clock.advance(1000);
      await changing;
      answered.resolve(undefined);

      expect(await store.get(ORIGIN)).toBe(kept);
    },
  );

  // Each call occupies one of the few threads that Node also uses for files.
  test('a keychain that does not answer is not called again before it does', async () => {
    const clock = new VirtualClock();
    const keychain = new FakeKeychain();
    const store = await open(keychain, clock);
    const { calls } = keychain;
    keychain.trouble = 'hang';

    for (let attempt = 0; attempt < 3; attempt += 1) {
      const got = expect(store.get(ORIGIN)).rejects.toMatchObject(SILENT);
      await clock.advance(1000);
      await got;
    }

    expect(keychain.calls - calls).toBe(1);
  });

  test('no error contains the key', async () => {
    const keychain = new FakeKeychain();
    const store = await open(keychain);
    keychain.trouble = 'locked';

    await expect(store.set(ORIGIN, KEY)).rejects.not.toThrow(KEY);
  });
});

describe('without a working keychain, keys last for this run and the user is informed why', () => {
  test.each([
    ['locked', 'keychain cannot be used (The keychain is locked).'],
    ['ignores-writes', 'does not store keys.'],
    ['ignores-removals', 'does not store keys.'],
  ] as const)('%s', async (trouble, why) => {
    const keychain = new FakeKeychain();
    keychain.trouble = trouble;
    const store = await open(keychain);
    await store.set(ORIGIN, KEY);

    expect(store.keptIn).toBe('memory');
    expect(store.reason?.message).toContain(why);
    expect(store.reason?.message).toContain('kept in memory');
    expect(await store.get(ORIGIN)).toBe(KEY);
    expect([...keychain.secrets.values()]).not.toContain(KEY);
  });

  test('a keychain whose library is missing', async () => {
    const store = await openKeyStore({
      clock: new VirtualClock(),
      platform: 'linux',
      loadKeychain: () => Promise.reject(new Error('libsecret-1.so.0: cannot open')),
    });

    expect(store.keptIn).toBe('memory');
    expect(store.reason?.message).toContain('(libsecret-1.so.0: cannot open)');
    expect(store.reason?.message).toContain('Install libsecret');
  });

  test('a keychain that does not answer', async () => {
    const clock = new VirtualClock();
    const keychain = new FakeKeychain();
    keychain.trouble = 'hang';
    const opening = open(keychain, clock);
    await clock.advance(1000);
    const store = await opening;

    expect(store.keptIn).toBe('memory');
    expect(store.reason?.message).toContain('does not respond');
  });
});

test('the user is informed what to install, where a system may lack it', async () => {
  const keychain = new FakeKeychain();
  keychain.trouble = 'locked';
  const reasonOn = async (platform: NodeJS.Platform): Promise<string | undefined> => {
    const loadKeychain = () => Promise.resolve(keychain);
    return (await openKeyStore({ clock: new VirtualClock(), loadKeychain, platform })).reason
      ?.message;
  };
  expect(await reasonOn('linux')).toContain('GNOME Keyring or KWallet');
  expect(await reasonOn('darwin')).not.toContain('nstall');
});

test('a key kept in memory is forgotten when asked', async () => {
  const keychain = new FakeKeychain();
  keychain.trouble = 'locked';
  const store = await open(keychain);
  await store.set(ORIGIN, KEY);
  await store.forget(ORIGIN);

  expect(await store.get(ORIGIN)).toBeNull();
});

describe('while keys are moved to a keychain that works by now', () => {
  test.each(CHANGES)(
    'a key that is %s after its write timed out is not left there',
    async (_, kept, change) => {
      const clock = new VirtualClock();
      const keychain = new FakeKeychain();
      keychain.trouble = 'locked';
      const store = await open(keychain, clock);
      await store.set(ORIGIN, KEY);
      keychain.trouble = 'none';
      const write = keychain.write.bind(keychain);
      const prompted = Promise.withResolvers<undefined>();
      const answered = Promise.withResolvers<undefined>();
      const written = Promise.withResolvers<undefined>();
      vi.spyOn(keychain, 'write').mockImplementation(async (account, secret) => {
        if (account === ORIGIN) prompted.resolve(undefined);
        if (account === ORIGIN) await answered.promise;
        await write(account, secret);
        if (secret === KEY) written.resolve(undefined);
      });

      const trying = store.tryAgain();
      await prompted.promise;
      await clock.advance(1000);
      await trying;
      expect(store.keptIn).toBe('memory');
      await change(store);
      answered.resolve(undefined);
      await written.promise;

      await expect.poll(() => keychain.secrets.get(ORIGIN) ?? null).toBe(kept);
    },
  );

  const OTHER = 'https://other.example.com';

  class ObservedKeychain extends FakeKeychain {
    onWrite: (account: string) => void = () => undefined;

    override write(account: string, secret: string): Promise<void> {
      this.onWrite(account);
      return super.write(account, secret);
    }
  }

  /** Two keys in memory; `change` runs when the second is written to the keychain. */
  async function changedMeanwhile(
    change: (store: Awaited<ReturnType<typeof open>>) => Promise<void>,
  ): Promise<ReadonlyMap<string, string>> {
    const keychain = new ObservedKeychain();
    keychain.trouble = 'locked';
    const store = await open(keychain);
    await store.set(ORIGIN, KEY);
    await store.set(OTHER, KEY);
    keychain.trouble = 'none';
    let changed: Promise<void> | undefined;
    keychain.onWrite = (account) => {
      if (account === OTHER) changed ??= change(store);
    };
    await store.tryAgain();
    await changed;

    expect(store.keptIn).toBe('keychain');
    return keychain.secrets;
  }

  test('a key that is forgotten is not left there', async () => {
    const secrets = await changedMeanwhile((store) => store.forget(ORIGIN));
    expect([...secrets.keys()]).toEqual([OTHER]);
  });

  test('a key that is entered replaces the former one there', async () => {
    const secrets = await changedMeanwhile((store) => store.set(ORIGIN, NEW_KEY));
    expect(secrets.get(ORIGIN)).toBe(NEW_KEY);
  });
});
