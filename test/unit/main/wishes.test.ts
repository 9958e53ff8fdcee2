import { expect, it } from 'vitest';
import type { Wish } from '../../../src/contract/computer.ts';
import { Wishes } from '../../../src/main/wishes.ts';

const show = (page: 'queue' | 'saved'): Wish => ({ kind: 'show', page });

it('keeps wishes until the page listens, and gives each once', async () => {
  const wishes = new Wishes();
  wishes.add(show('queue'));
  const stop = new AbortController();
  const page = wishes.taken(stop.signal);
  expect((await page.next()).value).toEqual(show('queue'));
  const next = page.next();
  wishes.add(show('saved'));
  expect((await next).value).toEqual(show('saved'));
  const last = page.next();
  stop.abort();
  expect(await last).toMatchObject({ done: true });
});

it('turns to the page that listened last', async () => {
  const wishes = new Wishes();
  const { signal } = new AbortController();
  const before = wishes.taken(signal).next();
  const after = wishes.taken(signal).next();
  wishes.add(show('saved'));
  expect((await after).value).toEqual(show('saved'));
  expect(await before).toMatchObject({ done: true });
});

it('forgets the oldest of very many', async () => {
  const wishes = new Wishes();
  for (let index = 0; index < 50; index += 1) wishes.add(show(index < 30 ? 'queue' : 'saved'));
  const page = wishes.taken(new AbortController().signal);
  expect((await page.next()).value).toEqual(show('saved'));
});
