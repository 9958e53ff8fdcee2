import { expect, it } from 'vitest';
import type { PageRequest } from '../../../src/contract/computer.ts';
import { PageRequests } from '../../../src/main/page-requests.ts';

const show = (page: 'queue' | 'saved'): PageRequest => ({ kind: 'show', page });

it('keeps requests until the page listens, and delivers each once', async () => {
  const requests = new PageRequests();
  requests.add(show('queue'));
  const stop = new AbortController();
  const page = requests.requests(stop.signal);
  expect((await page.next()).value).toEqual(show('queue'));
  const next = page.next();
  requests.add(show('saved'));
  expect((await next).value).toEqual(show('saved'));
  const last = page.next();
  stop.abort();
  expect(await last).toMatchObject({ done: true });
});

it('delivers to the page that listened last', async () => {
  const requests = new PageRequests();
  const { signal } = new AbortController();
  const before = requests.requests(signal).next();
  const after = requests.requests(signal).next();
  requests.add(show('saved'));
  expect((await after).value).toEqual(show('saved'));
  expect(await before).toMatchObject({ done: true });
});

it('drops the oldest of very many', async () => {
  const requests = new PageRequests();
  for (let index = 0; index < 50; index += 1) requests.add(show(index < 30 ? 'queue' : 'saved'));
  const page = requests.requests(new AbortController().signal);
  expect((await page.next()).value).toEqual(show('saved'));
});

const open = (name: string): PageRequest => ({
  kind: 'add',
  file: { path: `/${name}`, name, base64: btoa('title') },
});

it('reads files in order, each when it is next, and refuses too many', async () => {
  const requests = new PageRequests();
  const read: number[] = [];
  const accepted = Array.from({ length: 103 }, (_, index) =>
    requests.addFile(() => {
      read.push(index);
      return Promise.resolve(open(`${index}.csv`));
    }),
  );
  for (let index = 0; index < 30; index += 1) requests.add(show('saved'));
  expect(accepted.filter((isAccepted) => !isAccepted)).toHaveLength(3);
  const page = requests.requests(new AbortController().signal);
  for (let index = 0; index < 100; index += 1) {
    expect((await page.next()).value).toEqual(open(`${index}.csv`));
    expect(read.length).toBe(index + 1);
  }
  expect((await page.next()).value).toEqual(show('saved'));
});

it('reads a file again for the page that takes over while it is read', async () => {
  const requests = new PageRequests();
  const slow = Promise.withResolvers<PageRequest>();
  requests.addFile(() => slow.promise);
  const { signal } = new AbortController();
  const before = requests.requests(signal).next();
  const after = requests.requests(signal).next();
  slow.resolve(open('a.csv'));
  expect(await before).toMatchObject({ done: true });
  expect((await after).value).toEqual(open('a.csv'));
});

it('keeps a file whose page closes while it is read, for the next page', async () => {
  const requests = new PageRequests();
  const slow = Promise.withResolvers<PageRequest>();
  requests.addFile(() => slow.promise);
  const closes = new AbortController();
  const before = requests.requests(closes.signal).next();
  closes.abort();
  slow.resolve(open('a.csv'));
  expect(await before).toMatchObject({ done: true });
  const next = requests.requests(new AbortController().signal);
  requests.add(show('saved'));
  expect((await next.next()).value).toEqual(open('a.csv'));
  expect((await next.next()).value).toEqual(show('saved'));
});
