import { describe, expect, it } from 'vitest';
import { OVERLAP_BYTES } from '../../../../src/engine/downloads/range-response.ts';
import { DownloadRig } from '../../../rigs/download-rig.ts';
import { chunked, cut, honest, withHeaders } from '../../../rigs/fault-server.ts';
import type { Script, WireReply, WireRequest } from '../../../rigs/fault-server.ts';
import { seededBytes, seededVideo } from '../../../rigs/seeded-video.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MIB = 1024 * 1024;
const film = seededVideo(1, 2 * MIB + 12_345);
const other = seededVideo(2, 2 * MIB + 12_345);
const longer = seededVideo(3, 2 * MIB + 54_321);
const a = { bytes: film.bytes, etag: '"a"' };
const b = { bytes: other.bytes, etag: '"b"' };

/** Cuts the first response after one MiB; `later` answers the requests after it. */
function cutThen(...later: readonly ((request: WireRequest) => WireReply)[]): Script {
  return (request) => {
    if (request.index === 0) return cut(honest(a, request), MIB, 'close');
    const reply = later[Math.min(request.index, later.length) - 1];
    return (reply ?? ((each: WireRequest) => honest(a, each)))(request);
  };
}

async function run(script: Script) {
  const rig = await DownloadRig.start(script);
  const outcome = await rig.download();
  return { rig, outcome, requests: rig.requests };
}

const honestly = (request: WireRequest): WireReply => honest(a, request);

describe('an interrupted download', () => {
  it.each([1, 7, 8, 1000, MIB, 2 * MIB, film.bytes.length - 1])(
    'resumes after a reset at byte %i and downloads little twice (fault 1)',
    async (at) => {
      const rig: DownloadRig = await DownloadRig.start((request) =>
        request.index === 0
          ? { ...cut(honest(a, request), at, 'reset'), hold: () => rig.untilPartHolds(at) }
          : honest(a, request),
      );
      // Fewer bytes than a box's header cannot be classified, so the part never holds them.
      if (at < 8)
        rig.server.script = (r) => (r.index === 0 ? cut(honest(a, r), at, 'reset') : honest(a, r));
      const outcome = await rig.download();
      expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
      expect(await rig.savedSha256()).toBe(film.sha256);
      expect(rig.requests).toHaveLength(2);
      expect(outcome.kind === 'saved' && outcome.refetchedBytes).toBeLessThanOrEqual(OVERLAP_BYTES);
    },
  );

  it('uses a 200 to its Range as the whole file, with no third request (fault 2)', async () => {
    const { rig, outcome, requests } = await run(
      cutThen((request) => honest(a, { ...request, hasRange: false })),
    );
    expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: MIB });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(requests).toHaveLength(2);
  });

  it('keeps only the new file when If-Range misses (fault 3)', async () => {
    const { rig, outcome, requests } = await run(cutThen((request) => honest(b, request)));
    expect(outcome).toMatchObject({ kind: 'saved', sha256: other.sha256 });
    expect(await rig.savedSha256()).toBe(other.sha256);
    expect(requests.map(({ headers }) => headers.get('if-range'))).toEqual([undefined, '"a"']);
  });

  it('never splices a 206 of another version (fault 4)', async () => {
    const { rig, outcome, requests } = await run(
      cutThen(
        (request) => honest(b, { ...request, headers: new Map() }),
        (request) => honest(b, request),
      ),
    );
    expect(outcome).toMatchObject({ kind: 'saved', sha256: other.sha256 });
    expect(await rig.savedSha256()).toBe(other.sha256);
    expect(requests[2]?.hasRange).toBe(false);
    expect(rig.causes('restarted')).toEqual(['changed']);
  });

  it.each([
    ['no validator', {}],
    ['a weak validator', { ETag: 'W/"a"' }],
    ['a date too young to be strong', { 'Last-Modified': 'Mon, 05 Jan 2026 08:59:30 GMT' }],
  ])('compares an overlap when there is %s (fault 5)', async (_name, validator) => {
    const described = (bytes: Buffer, request: WireRequest): WireReply =>
      withHeaders(honest({ bytes }, request), validator);
    for (const second of [film, other]) {
      const rig = await DownloadRig.start((request) =>
        request.index === 0
          ? cut(described(film.bytes, request), MIB, 'close')
          : described(second.bytes, request),
      );
      expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: second.sha256 });
      expect(await rig.savedSha256()).toBe(second.sha256);
      expect(rig.requests[1]?.from).toBe(MIB - OVERLAP_BYTES);
      expect(rig.requests[1]?.headers.has('if-range')).toBe(false);
      expect(rig.causes('restarted')).toEqual(second === film ? [] : ['overlap-differs']);
    }
  });

  it('accepts one 200 to an If-Range, then requests the range without it (fault 6)', async () => {
    const ignoringIfRange = (request: WireRequest): WireReply =>
      honest(a, { ...request, hasRange: request.hasRange && !request.headers.has('if-range') });
    const rig = await DownloadRig.start((request) => {
      if (request.index === 0) return cut(ignoringIfRange(request), MIB, 'close');
      if (request.index === 1) return cut(ignoringIfRange(request), MIB + 1000, 'close');
      return ignoringIfRange(request);
    });
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.requests.map(({ headers }) => headers.has('if-range'))).toEqual([
      false,
      true,
      false,
    ]);
    expect(rig.requests[2]?.from).toBe(MIB + 1000 - OVERLAP_BYTES);
  });

  it('compares and skips the overlap of a range that starts early (fault 7)', async () => {
    const early = (bytes: Buffer) => (request: WireRequest) =>
      honest({ bytes, etag: '"a"' }, { ...request, from: request.from - 300_000 });
    const { rig, outcome } = await run(cutThen(early(film.bytes)));
    expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: 300_000 + OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);

    const lying = await run(cutThen(early(other.bytes), (request) => honest(b, request)));
    expect(lying.outcome).toMatchObject({ kind: 'saved', sha256: other.sha256 });
  });

  const late = (request: WireRequest): WireReply =>
    honest(a, { ...request, from: request.from + OVERLAP_BYTES + 1 });
  const bare = (request: WireRequest): WireReply =>
    withHeaders(honestly(request), { 'Content-Range': null });
  const garbage = (request: WireRequest): WireReply =>
    withHeaders(honestly(request), { 'Content-Range': 'bytes lots-more/all' });
  const lying = (request: WireRequest): WireReply =>
    withHeaders(honestly(request), { 'Content-Range': 'bytes 9-3/2' });
  const multipart = (request: WireRequest): WireReply =>
    withHeaders(honestly(request), { 'Content-Type': 'multipart/byteranges; boundary=x' });
  const gzipped = (request: WireRequest): WireReply =>
    withHeaders(honestly(request), { 'Content-Encoding': 'gzip' });

  it.each([
    ['starts late (fault 8)', late, 'range-late'],
    ['has no Content-Range (fault 9)', bare, 'range-missing'],
    ['has garbage for a Content-Range (fault 9)', garbage, 'range-missing'],
    ['has an impossible Content-Range (fault 9)', lying, 'range-missing'],
    ['comes as multipart/byteranges (fault 11)', multipart, 'range-multipart'],
    ['is compressed (fault 18)', gzipped, 'encoded'],
  ])('rejects a range that %s, and keeps its part', async (_name, reply, cause) => {
    const { rig, outcome, requests } = await run(cutThen(reply, honestly));
    expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.causes('retrying')).toEqual(['cut', cause]);
    expect(requests[2]?.from).toBe(MIB - OVERLAP_BYTES);
    expect(rig.causes('restarted')).toEqual([]);
  });

  it.each([
    ['late', late],
    ['bare', bare],
    ['multipart', multipart],
  ])('asks for the whole file when every range is %s', async (_name, reply) => {
    const { rig, outcome } = await run(
      cutThen((request) => (request.hasRange ? reply(request) : honestly(request))),
    );
    expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });

  it('starts over when the total has changed (fault 10)', async () => {
    const grown = { bytes: longer.bytes, etag: '"a"' };
    const { rig, outcome } = await run(cutThen((request) => honest(grown, request)));
    expect(outcome).toMatchObject({ kind: 'saved', sha256: longer.sha256 });
    expect(await rig.savedSha256()).toBe(longer.sha256);
    expect(rig.causes('restarted')).toEqual(['total-changed']);
  });
});

describe('the end of a body', () => {
  it('before its Content-Length is a cut, and is resumed (fault 12)', async () => {
    const { rig, outcome, requests } = await run(cutThen(honestly));
    expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(requests[1]?.from).toBe(MIB - OVERLAP_BYTES);
  });

  it('is at the stated total, whatever follows (fault 13)', async () => {
    const junk = seededBytes(9, 50_000);
    const padded = (request: WireRequest, changes = {}): WireReply => {
      const reply = withHeaders(honestly(request), changes);
      return { ...reply, body: Buffer.concat([reply.body ?? junk, junk]), then: 'close' };
    };
    for (const script of [
      (request: WireRequest) => padded(request),
      cutThen((request) => padded(request, { 'Content-Length': null })),
    ]) {
      const { rig, outcome } = await run(script);
      expect(outcome).toMatchObject({ kind: 'saved', bytes: film.bytes.length });
      expect(await rig.savedSha256()).toBe(film.sha256);
    }
  });

  const inChunks = (bytes: Buffer, whole: boolean): WireReply => ({
    status: 200,
    headers: { 'Transfer-Encoding': 'chunked', Connection: 'close', ETag: '"a"' },
    body: chunked(bytes, whole),
    then: 'close',
  });

  it('of a chunked body is its last chunk; without one, the body was cut (fault 14)', async () => {
    const whole = await run(() => inChunks(film.bytes, true));
    expect(whole.requests).toHaveLength(1);
    expect(await whole.rig.savedSha256()).toBe(film.sha256);

    const { rig, outcome, requests } = await run((request) =>
      request.index === 0 ? inChunks(film.bytes.subarray(0, MIB), false) : honestly(request),
    );
    expect(outcome).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(requests[1]?.from).toBe(MIB - OVERLAP_BYTES);
  });

  const headerLast = seededVideo(5, MIB, true);
  it.each([
    ['in the middle of a box', film, MIB],
    ['between the header and the media', film, film.bytes.indexOf('mdat') - 4],
    ['between the media and the header', headerLast, headerLast.bytes.indexOf('moov') - 4],
    ['one byte early', film, film.bytes.length - 1],
  ])('is not accepted without a length when it comes %s (fault 15)', async (_name, video, at) => {
    const version = { bytes: video.bytes, etag: '"v"' };
    const { rig, outcome, requests } = await run((request) =>
      request.index === 0
        ? cut(withHeaders(honest(version, request), { 'Content-Length': null }), at, 'close')
        : honest(version, request),
    );
    expect(outcome).toMatchObject({ kind: 'saved', sha256: video.sha256 });
    expect(await rig.savedSha256()).toBe(video.sha256);
    expect(requests).toHaveLength(2);
  });

  it('is accepted without a length when the film is whole (fault 15)', async () => {
    const { rig, outcome, requests } = await run((request) => ({
      ...withHeaders(honestly(request), { 'Content-Length': null }),
      then: 'close',
    }));
    expect(outcome).toMatchObject({ kind: 'saved', refetchedBytes: 0 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(requests).toHaveLength(1);
  });
});

describe('a response that is no video', () => {
  it.each([
    ['an empty 200', { status: 200, headers: { 'Content-Length': 0 } }],
    ['an empty 200 without a length', { status: 200, then: 'close' as const }],
  ])('%s is an error (fault 16)', async (_name, reply) => {
    const { rig, outcome } = await run(() => reply);
    expect(outcome).toMatchObject({ kind: 'failed', code: 'empty' });
    await expect(rig.savedSha256()).rejects.toThrow('ENOENT');
  });

  const page = Buffer.from('<!doctype html><title>Sign in to Wi-Fi</title>'.padEnd(4000));
  const portal: WireReply = {
    status: 200,
    headers: { 'Content-Type': 'video/mp4', 'Content-Length': page.length },
    body: page,
  };

  it('a page of HTML is rejected by its first bytes, and the part stays (fault 17)', async () => {
    const { rig, outcome } = await run(cutThen(() => portal));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'not-a-video' });
    expect(await rig.partSize()).toBe(MIB);

    rig.server.script = honestly;
    expect(await rig.download()).toMatchObject({ kind: 'saved', refetchedBytes: OVERLAP_BYTES });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });

  it('a first piece too small to classify waits for more', async () => {
    const clock = new VirtualClock();
    const rig = await DownloadRig.start(
      (request) => {
        const reply = honest({ bytes: film.bytes }, request);
        const body = reply.body ?? Buffer.alloc(0);
        return {
          ...reply,
          body: body.subarray(0, 3),
          // Longer than the wait for a full batch, shorter than a stall.
          hold: async () => {
            for (let times = 0; times < 20; times += 1) await clock.advance(250);
          },
          rest: body.subarray(3),
        };
      },
      { clock },
    );

    expect(await rig.download()).toMatchObject({ kind: 'saved', refetchedBytes: 0 });
    expect(rig.requests).toHaveLength(1);
  });

  it.each(['reset', 'close'] as const)(
    'a response cut (%s) before it can be classified is retried as a broken connection',
    async (then) => {
      const { rig, outcome } = await run((request) => {
        const reply = honest({ bytes: film.bytes }, request);
        return request.index < 6 ? cut(reply, 3, then) : reply;
      });
      expect(outcome).toMatchObject({ kind: 'saved' });
      expect(await rig.savedSha256()).toBe(film.sha256);
    },
  );

  it('a whole response too small for a video is rejected', async () => {
    const { outcome } = await run((request) => honest({ bytes: Buffer.from('busy') }, request));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'not-a-video' });
  });

  // abuse.md 9
  it('an executable under a video’s name is never kept', async () => {
    const program = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0'), seededBytes(4, 9000)]);
    const { rig, outcome } = await run((request) => honest({ bytes: program }, request));
    expect(outcome).toMatchObject({ kind: 'failed', code: 'not-a-video' });
    expect(await rig.partSize()).toBe(0);
  });

  it('a compressed 200 is rejected (fault 18)', async () => {
    const { rig, outcome, requests } = await run((request) =>
      withHeaders(honestly(request), { 'Content-Encoding': 'gzip' }),
    );
    expect(outcome).toMatchObject({ kind: 'failed', code: 'encoded' });
    expect(requests.every(({ headers }) => headers.get('accept-encoding') === 'identity')).toBe(
      true,
    );
    expect(await rig.partSize()).toBe(0);
  });
});

describe('a refused range', () => {
  const refusal = (size: number | null): WireReply => ({
    status: 416,
    headers: {
      'Content-Length': 0,
      ...(size === null ? {} : { 'Content-Range': `bytes */${size}` }),
    },
  });

  it('of a complete part leads to verification, and nothing is written (fault 19)', async () => {
    const rig = await DownloadRig.start(() => refusal(film.bytes.length));
    await rig.plant(film.bytes);
    expect(await rig.download()).toMatchObject({ kind: 'saved', refetchedBytes: 0 });
    expect(await rig.savedSha256()).toBe(film.sha256);
  });

  it('without a size is judged by the recorded size, never the local one (fault 20)', async () => {
    const rig = await DownloadRig.start((request) =>
      request.hasRange ? refusal(null) : honestly(request),
    );
    await rig.plant(film.bytes.subarray(0, MIB), { total: film.bytes.length, etag: '"a"' });
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.causes('retrying')).toContain('range-refused');
  });

  it('without a size, and none recorded, means starting over (fault 20)', async () => {
    const rig = await DownloadRig.start((request) =>
      request.hasRange ? refusal(null) : honestly(request),
    );
    // Whole boxes, but not the whole file: the local length must prove nothing.
    await rig.plant(film.bytes.subarray(0, film.bytes.indexOf('mdat') - 4));
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.causes('restarted')).toEqual(['range-refused']);
  });

  it('because the part is longer than the file means starting over (fault 21)', async () => {
    const rig = await DownloadRig.start(honestly);
    await rig.plant(Buffer.concat([film.bytes, seededBytes(8, MIB)]));
    expect(await rig.download()).toMatchObject({ kind: 'saved', sha256: film.sha256 });
    expect(await rig.savedSha256()).toBe(film.sha256);
    expect(rig.causes('restarted')).toEqual(['part-longer']);
  });
});
