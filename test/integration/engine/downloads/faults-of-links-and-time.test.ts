import { describe, expect, it } from 'vitest';
import { BandwidthLimit } from '../../../../src/engine/downloads/bandwidth.ts';
import { Connections } from '../../../../src/engine/downloads/connections.ts';
import { OVERLAP_BYTES } from '../../../../src/engine/downloads/range-response.ts';
import type { Progress } from '../../../../src/engine/downloads/progress.ts';
import type { LinkRenewal, LinkCause } from '../../../../src/engine/downloads/request.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { cut, FaultServer, honest, withHeaders } from '../../../rigs/fault-server.ts';
import type { WireReply, WireRequest } from '../../../rigs/fault-server.ts';
import { seededVideo } from '../../../rigs/seeded-video.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MIB = 1024 * 1024;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const film = seededVideo(1, 2 * MIB + 12_345);
const other = seededVideo(2, 2 * MIB + 12_345);
const a = { bytes: film.bytes, etag: '"a"' };
const honestly = (request: WireRequest): WireReply => honest(a, request);
const status = (code: number, headers = {}): WireReply => ({
  status: code,
  headers: { 'Content-Length': 0, Date: 'Mon, 05 Jan 2026 09:00:00 GMT', ...headers },
});

/** Answers requests for a new link in order, and records their causes. */
function scriptedLinks(...renewals: readonly LinkRenewal[]) {
  const causes: LinkCause[] = [];
  const renewLink = (cause: LinkCause): Promise<LinkRenewal> => {
    causes.push(cause);
    const renewal = renewals[causes.length - 1];
    return renewal ? Promise.resolve(renewal) : Promise.reject(new Error('No more links.'));
  };
  return { causes, renewLink };
}

describe('a link that is refused midway', () => {
  const expiring =
    (code: number) =>
    (request: WireRequest): WireReply => {
      if (request.path === '/new') return honestly(request);
      return request.index === 0 ? cut(honestly(request), MIB, 'close') : status(code);
    };

  it.each([403, 404, 410])(
    'with %i is replaced once, and the download continues at its offset (fault 22)',
    async (code) => {
      const rig = await DownloadRig.start(expiring(code));
      const links = scriptedLinks({
        kind: 'link',
        link: { url: rig.server.url('/new'), expiresAt: null },
      });
      const outcome = await rig.download({ renewLink: links.renewLink });
      expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
      expect(await rig.savedSha256()).toBe(film.sha256);
      expect(links.causes).toEqual(['refused']);
      expect(rig.requests.map(({ path, from }) => [path, from])).toEqual([
        ['/film.mp4', 0],
        ['/film.mp4', MIB - OVERLAP_BYTES],
        ['/new', MIB - OVERLAP_BYTES],
      ]);
    },
  );

  it('is not replaced a second time for the same cause (fault 22)', async () => {
    const rig = await DownloadRig.start((request) =>
      request.index === 0 ? cut(honestly(request), MIB, 'close') : status(403),
    );
    const link = { url: rig.server.url('/new'), expiresAt: null };
    const links = scriptedLinks({ kind: 'link', link }, { kind: 'link', link });
    const outcome = await rig.download({ renewLink: links.renewLink });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'link-refused' });
    expect(links.causes).toHaveLength(1);
    expect(await rig.partSize()).toBe(MIB);
  });

  it('is replaced again once the new one has delivered bytes', async () => {
    const rig = await DownloadRig.start((request) =>
      request.index % 2 === 0
        ? cut(honestly(request), MIB / 2 + OVERLAP_BYTES, 'close')
        : status(403),
    );
    const link = { url: rig.server.url('/new'), expiresAt: null };
    const links = scriptedLinks(
      ...Array.from({ length: 9 }, () => ({ kind: 'link', link }) as const),
    );
    expect(await rig.download({ renewLink: links.renewLink })).toMatchObject({ kind: 'saved' });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(links.causes.length).toBeGreaterThan(1);
  });

  it('waits and keeps the part while no new link may be requested (fault 23)', async () => {
    const rig = await DownloadRig.start(expiring(403));
    const until = rig.clock.now() + 12 * 60_000;
    const links = scriptedLinks(
      { kind: 'wait', reason: 'link-limit', until },
      { kind: 'link', link: { url: rig.server.url('/new'), expiresAt: null } },
    );
    const outcome = await rig.download({ renewLink: links.renewLink });
    expect(outcome).toEqual({ kind: 'waiting', reason: 'link-limit', until, neededBytes: null });
    expect(await rig.partSize()).toBe(MIB);

    await rig.clock.advance(12 * 60_000);
    expect(await rig.download({ renewLink: links.renewLink })).toMatchObject({
      kind: 'saved',
      refetchedBytes: OVERLAP_BYTES,
    });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });

  it.each([
    ['a validator', { bytes: other.bytes, etag: '"b"' }],
    ['its bytes only', { bytes: other.bytes }],
  ])(
    'starts over when the new one leads to another object, recognised by %s (fault 24)',
    async (_name, b) => {
      const rig = await DownloadRig.start((request) =>
        request.path === '/new' ? honest(b, request) : expiring(403)(request),
      );
      const links = scriptedLinks({
        kind: 'link',
        link: { url: rig.server.url('/new'), expiresAt: null },
      });
      expect(await rig.download({ renewLink: links.renewLink })).toMatchObject({
        kind: 'saved',
        sha256: other.sha256,
      });
      expect(await rig.savedSha256()).toBe(other.sha256);
    },
  );

  it.each([404, 410])('with %i before its first byte is replaced as well', async (code) => {
    const rig = await DownloadRig.start((request) =>
      request.path === '/new' ? honestly(request) : status(code),
    );
    const links = scriptedLinks({
      kind: 'link',
      link: { url: rig.server.url('/new'), expiresAt: null },
    });
    expect(await rig.download({ renewLink: links.renewLink })).toMatchObject({ kind: 'saved' });
    expect(links.causes).toEqual(['refused']);
  });
});

// abuse.md 2, 3, 4
describe('a redirect', () => {
  it('on resume is followed hop by hop, with nothing but the download’s own headers (fault 25)', async () => {
    const rig = await DownloadRig.start((request) =>
      request.index === 0
        ? cut(honestly(request), MIB, 'close')
        : status(302, { Location: `${second.origin}/elsewhere?sig=2` }),
    );
    const second = await FaultServer.start(honestly);
    const connections = new Connections({
      exceptions: [{ origin: rig.server.origin }, { origin: second.origin }],
    });
    const link = { url: rig.server.url('/film?sig=1'), expiresAt: null };
    const outcome = await rig.download({ link }, connections);
    expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect([...second.requests[0]!.headers.keys()].sort()).toEqual([
      'accept-encoding',
      'connection',
      'host',
      'if-range',
      'range',
    ]);
    expect(second.requests[0]!.path).toBe('/elsewhere?sig=2');
    await second.stop();
  });

  it('is followed five times and no more', async () => {
    const hops =
      (last: number) =>
      (request: WireRequest): WireReply => {
        const hop = Number(request.path.slice(1));
        return hop === last ? honestly(request) : status(302, { Location: `/${hop + 1}` });
      };
    const rig = await DownloadRig.start(hops(5));
    const link = { url: rig.server.url('/0'), expiresAt: null };
    expect(await rig.download({ link })).toMatchObject({ kind: 'saved' });

    rig.server.script = hops(6);
    expect(await rig.download({ link })).toMatchObject({ kind: 'failed', code: 'redirects' });
  });

  it.each([
    ['http://example.com/film.mp4', 'link-not-https'],
    ['https://127.0.0.1:1/film.mp4', 'address-refused'],
    ['https://169.254.169.254/latest/meta-data', 'address-refused'],
    ['file:///etc/passwd', 'link-not-https'],
  ])('to %s is refused', async (location, code) => {
    const rig = await DownloadRig.start(() => status(302, { Location: location }));
    expect(await rig.download()).toMatchObject({ kind: 'failed', code });
    expect(rig.requests).toHaveLength(1);
  });
});

describe('a slow or busy server', () => {
  it('that stalls is dropped after 30 seconds, and the download resumes (fault 26)', async () => {
    const rig: DownloadRig = await DownloadRig.start((request) =>
      request.index === 0
        ? {
            ...cut(honestly(request), MIB, 'silent'),
            hold: async () => {
              await rig.untilPartHolds(MIB);
              await rig.clock.advance(30_000 - rig.clock.monotonic() - 1);
              expect(rig.requests).toHaveLength(1);
              await rig.clock.advance(30_001);
            },
          }
        : honestly(request),
    );
    expect(await rig.download()).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.causes('retrying')).toEqual(['stalled']);
  });

  it('that stalls has no speed after five seconds, and its byte count never decreases', async () => {
    const rig = await DownloadRig.start((request) => cut(honestly(request), 2 * MIB, 'silent'));
    const reported: Progress[] = [];
    const stop = new AbortController();
    const downloading = rig.download({
      limits: [new BandwidthLimit(rig.clock, MIB)],
      onProgress: (progress) => reported.push(progress),
      signal: stop.signal,
    });
    await rig.untilPartHolds(2 * MIB);
    expect(reported.at(-1)?.bytesPerSecond).toBeGreaterThan(0);
    await rig.clock.advance(10_000);
    expect(reported.at(-1)).toMatchObject({
      bytesPerSecond: null,
      receivedBytes: 2 * MIB,
    });
    const times = reported.length;
    await rig.clock.advance(10_000);
    expect(reported).toHaveLength(times);
    stop.abort();
    expect(await downloading).toMatchObject({ kind: 'paused' });
    const bytes = reported.map(({ receivedBytes }) => receivedBytes);
    expect(bytes).toEqual(bytes.toSorted((one, other) => one - other));
  });

  it('that stalls before its response is dropped as well', async () => {
    const rig: DownloadRig = await DownloadRig.start((request) => {
      if (request.index > 0) return honestly(request);
      void rig.clock.advance(30_000);
      return { status: 100, then: 'silent' };
    });
    expect(await rig.download()).toMatchObject({ kind: 'saved' });
    expect(rig.causes('retrying')).toEqual(['stalled']);
  });

  it('that trickles is dropped, and the download resumes (fault 26)', async () => {
    const rig: DownloadRig = await DownloadRig.start((request) =>
      request.index === 0
        ? {
            ...cut(honestly(request), 1000, 'silent'),
            hold: async () => {
              await rig.untilPartHolds(1000);
              await rig.clock.advance(60_000);
            },
          }
        : honestly(request),
    );
    expect(await rig.download()).toMatchObject({ kind: 'saved' });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.causes('retrying')).toEqual(['stalled']);
  });

  it('with 503 has its Retry-After honoured, and progress resets the count (fault 27)', async () => {
    const busy = status(503, { 'Retry-After': 7 });
    const rig = await DownloadRig.start((request) => {
      const round = request.index % 6;
      return round < 5 ? busy : cut(honestly(request), MIB, request.index > 12 ? 'keep' : 'close');
    });
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.clock.monotonic()).toBeGreaterThanOrEqual(15 * 7000);
    expect(rig.causes('retrying').filter((cause) => cause === 'status 503')).toHaveLength(15);
  });

  it('with Retry-After: 0 is retried at growing intervals, as without the header', async () => {
    const rig = await DownloadRig.start(() => status(503, { 'Retry-After': 0 }));
    expect(await rig.download()).toMatchObject({ kind: 'waiting', reason: 'unreachable' });
    expect(rig.clock.monotonic()).toBeGreaterThan(30_000);
  });

  it('with a long Retry-After makes the transfer give up its slot', async () => {
    const rig = await DownloadRig.start(() => status(503, { 'Retry-After': 600 }));
    expect(await rig.download()).toEqual({
      kind: 'waiting',
      reason: 'server-busy',
      until: rig.clock.now() + 600_000,
      neededBytes: null,
    });
  });

  it('with a date as Retry-After has it measured by the server’s clock', async () => {
    const rig = await DownloadRig.start(
      (request) =>
        request.index === 0
          ? status(503, { 'Retry-After': 'Mon, 05 Jan 2026 09:00:20 GMT' })
          : honestly(request),
      { clock: new VirtualClock(Date.UTC(2027, 5, 1)) },
    );
    expect(await rig.download()).toMatchObject({ kind: 'saved' });
    expect(rig.clock.monotonic()).toBeGreaterThanOrEqual(20_000);
  });

  it('that never sends more pauses the transfer, and the part stays', async () => {
    const rig = await DownloadRig.start((request) =>
      request.index === 0
        ? cut(honestly(request), MIB, 'close')
        : cut(honestly(request), 0, 'close'),
    );
    expect(await rig.download()).toMatchObject({ kind: 'waiting', reason: 'unreachable' });
    expect(await rig.partSize()).toBe(MIB);
    expect(rig.requests.length).toBeLessThanOrEqual(9);
  });

  it('that cuts every response at the same byte is not retried endlessly', async () => {
    const rig = await DownloadRig.start((request) =>
      cut(honest({ bytes: film.bytes }, { ...request, hasRange: false }), MIB, 'close'),
    );
    expect(await rig.download()).toMatchObject({ kind: 'waiting', reason: 'unreachable' });
    expect(rig.requests.length).toBeLessThanOrEqual(9);
  });
});

describe('a clock', () => {
  it('that jumps two hours ahead has the link replaced, and the download resumes (fault 33)', async () => {
    const rig: DownloadRig = await DownloadRig.start((request) => {
      if (request.path === '/new') return honestly(request);
      if (request.index > 0) return status(403, { Date: 'Mon, 05 Jan 2026 11:00:00 GMT' });
      return {
        ...cut(honestly(request), MIB, 'silent'),
        hold: async () => {
          await rig.untilPartHolds(MIB);
          rig.clock.jumpWall(2 * HOUR);
          await rig.clock.advance(60_000);
        },
      };
    });
    const links = scriptedLinks({
      kind: 'link',
      link: { url: rig.server.url('/new'), expiresAt: null },
    });
    const outcome = await rig.download({
      link: { url: rig.server.url(), expiresAt: Date.UTC(2026, 0, 5, 10) },
      renewLink: links.renewLink,
    });
    expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(links.causes).toEqual(['expired']);
  });

  it.each([-DAY, DAY])(
    'that is %i ms off does not make a good link look expired (fault 34)',
    async (off) => {
      const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9) + off);
      const rig = await DownloadRig.start(
        (request) =>
          request.index === 0 ? cut(honestly(request), MIB, 'close') : honestly(request),
        { clock },
      );
      const links = scriptedLinks();
      const outcome = await rig.download({
        link: { url: rig.server.url(), expiresAt: Date.UTC(2026, 0, 5, 10) },
        renewLink: links.renewLink,
      });
      expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
      expect(links.causes).toEqual([]);
    },
  );

  it('of the server decides that a link has expired, without a futile request (fault 34)', async () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 4));
    const rig = await DownloadRig.start(
      (request) =>
        request.index === 0
          ? cut(
              withHeaders(honestly(request), { Date: 'Mon, 05 Jan 2026 10:00:01 GMT' }),
              MIB,
              'close',
            )
          : honestly(request),
      { clock },
    );
    const links = scriptedLinks({
      kind: 'link',
      link: { url: rig.server.url('/new'), expiresAt: null },
    });
    await rig.download({
      link: { url: rig.server.url(), expiresAt: Date.UTC(2026, 0, 5, 10) },
      renewLink: links.renewLink,
    });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(links.causes).toEqual(['expired']);
    expect(rig.requests.map(({ path }) => path)).toEqual(['/film.mp4', '/new']);
  });
});
