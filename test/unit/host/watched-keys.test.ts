import { expect, test } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { watchedKeys } from '../../../src/host/watched-keys.ts';

const ORIGIN = 'https://api.example.com';

// abuse.md 17
test('every key that is read or entered is announced before it can be used', async () => {
  const seen: string[] = [];
  const store = new MemoryKeyStore();
  await store.set(ORIGIN, 'entered earlier');
  const keys = watchedKeys(store, (key) => void seen.push(key));
  expect(await keys.get(ORIGIN)).toBe('entered earlier');
  expect(await keys.get('https://other.example')).toBeNull();
  const stored = keys.set(ORIGIN, 'entered now');
  expect(seen).toEqual(['entered earlier', 'entered now']);
  await stored;
  expect(await store.get(ORIGIN)).toBe('entered now');
  await keys.forget(ORIGIN);
  expect(await store.get(ORIGIN)).toBeNull();
  expect([keys.keptIn, keys.reason]).toEqual(['memory', null]);
});
