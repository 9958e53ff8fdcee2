import { expect, onTestFinished, test } from 'vitest';
import { DOCUMENTED_API, type ServiceApi } from '../../../../src/contract/service-profile.ts';
import { DownloadLinks } from '../../../../src/engine/flow/download-links.ts';
import { KnownLinks } from '../../../../src/engine/flow/known-links.ts';
import type { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { flowContextOn } from '../../../rigs/flow-context.ts';
import { openStore } from '../../../rigs/open-store.ts';
import type { Link } from '../../../../src/engine/link.ts';
import type { LinkOutcome, Service } from '../../../../src/engine/service/outcomes.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const NEVER = new AbortController().signal;
const HOUR = 3_600_000;

interface Rig {
  readonly links: DownloadLinks;
  readonly knownLinks: KnownLinks;
  readonly clock: VirtualClock;
  /** Requests that count against each limit. */
  readonly counted: () => { readonly status: number; readonly download: number };
  /** Videos that the service was asked about. */
  readonly asked: string[];
}

async function rigOf(file: ServiceApi['file'], known: Link | null = null): Promise<Rig> {
  const clock = new VirtualClock();
  const store = await openStore({
    folder: temporaryFolder(),
    now: clock.now(),
  });
  onTestFinished(() => store.close());
  const service = {
    knownLink: () => known,
    link: (remoteId: string) => {
      asked.push(remoteId);
      const response = { status: 200, headers: {}, body: '', sentAt: 0, receivedAt: 0 };
      const link = { url: `https://cdn.example/${asked.length}`, expiresAt: null };
      return Promise.resolve<LinkOutcome>({ kind: 'link', link, response });
    },
  };
  const context = flowContextOn(store, clock, {
    api: { ...DOCUMENTED_API, file },
    key: { status: {}, beginUse: () => () => undefined } as unknown as ApiKey,
    service: service as unknown as Service,
  });
  const { limits, knownLinks } = context;
  const asked: string[] = [];
  const counts = { status: 0, download: 0 };
  const reserve = limits.reserve.bind(limits);
  limits.reserve = (endpoint) => {
    if (endpoint !== 'generate') counts[endpoint] += 1;
    return reserve(endpoint);
  };
  const links = new DownloadLinks(context, { end: () => undefined, next: () => ({}) });
  return { links, knownLinks, clock, asked, counted: () => ({ ...counts }) };
}

test('a link from the documented endpoint counts against the download limit each time', async () => {
  const { links, asked, counted } = await rigOf(DOCUMENTED_API.file);

  await links.ask('a', NEVER);
  await links.ask('a', NEVER);
  await links.renew('a', NEVER);

  expect(asked).toEqual(['a', 'a', 'a']);
  expect(counted()).toEqual({ status: 0, download: 3 });
});

test('a link that came with the status costs nothing until it expires', async () => {
  const { links, knownLinks, clock, asked, counted } = await rigOf({
    kind: 'in-status',
    lifeMs: null,
  });
  const url = 'https://cdn.example/first';
  knownLinks.remember('a', { url, expiresAt: clock.now() + HOUR });

  expect(await links.ask('a', NEVER)).toEqual({
    kind: 'link',
    link: { url, expiresAt: clock.now() + HOUR },
  });
  expect(counted()).toEqual({ status: 0, download: 0 });

  await clock.advance(HOUR);
  expect(await links.ask('a', NEVER)).toMatchObject({ link: { url: 'https://cdn.example/1' } });
  // The new link is remembered.
  expect(await links.ask('a', NEVER)).toMatchObject({ link: { url: 'https://cdn.example/1' } });
  expect(asked).toEqual(['a']);
  expect(counted()).toEqual({ status: 1, download: 0 });
});

test('a refused link is renewed by a status request', async () => {
  const { links, knownLinks, asked, counted } = await rigOf({ kind: 'in-status', lifeMs: null });
  knownLinks.remember('a', { url: 'https://cdn.example/first', expiresAt: null });

  expect(await links.renew('a', NEVER)).toMatchObject({
    kind: 'link',
    link: { url: 'https://cdn.example/1' },
  });
  expect(await links.ask('a', NEVER)).toMatchObject({ link: { url: 'https://cdn.example/1' } });
  expect(asked).toEqual(['a']);
  expect(counted()).toEqual({ status: 1, download: 0 });
});

test('a file on the service counts as a download, and its status is requested only after a refusal', async () => {
  const link = { url: 'https://service.example/v1/a', expiresAt: null, needsKey: true } as const;
  const { links, asked, counted } = await rigOf(
    { kind: 'content', path: '/videos/{id}/file' },
    link,
  );

  expect(await links.ask('a', NEVER)).toEqual({ kind: 'link', link });
  expect(asked).toEqual([]);
  expect(counted()).toEqual({ status: 0, download: 1 });

  await links.renew('a', NEVER);
  expect(asked).toEqual(['a']);
  expect(counted()).toEqual({ status: 1, download: 1 });
});

test('remembers a thousand links, and drops the oldest', () => {
  const links = new KnownLinks();
  for (let index = 0; index < 1001; index += 1) {
    links.remember(String(index), { url: `https://cdn.example/${index}`, expiresAt: null });
  }

  expect(links.find('0', 0)).toBeNull();
  expect(links.find('1', 0)).not.toBeNull();
  expect(links.find('1000', 0)).not.toBeNull();
});
