import {
  chunked,
  cut,
  honest,
  withHeaders,
  type Script,
  type WireReply,
  type WireRequest,
} from '../../test/rigs/fault-server.ts';
import { seededBytes, seededVideo, type SeededVideo } from '../../test/rigs/seeded-video.ts';

const MIB = 1024 * 1024;
/** Where the first response breaks off, for faults of resumed downloads. */
const CUT_AT = MIB;

const film = seededVideo(1, 2 * MIB + 12_345);
/** Files that replace the first one during a download: one has its length, the other does not. */
const other = seededVideo(2, film.bytes.length);
const longer = seededVideo(3, film.bytes.length + 54_321);

const a = { bytes: film.bytes, etag: '"a"' };
const b = { bytes: other.bytes, etag: '"b"' };

/** A fault of a server, or of a proxy or network before it. */
export interface WireFault {
  readonly what: string;
  readonly script: Script;
  /** The file that a correct download saves; `null` if the server never sends one. */
  readonly expected: SeededVideo | null;
}

type Answer = (request: WireRequest) => WireReply;

const whole = (request: WireRequest): WireReply => honest(a, { ...request, hasRange: false });

/** The first response breaks off; `later` makes every later one. */
function afterCut(later: Answer): Script {
  return (request) => (request.index === 0 ? cut(whole(request), CUT_AT, 'close') : later(request));
}

/**
 * The first response breaks off; then `answer` answers Range requests, and others get the whole
 * file.
 */
function toRanges(answer: Answer): Script {
  return afterCut((request) => (request.hasRange ? answer(request) : whole(request)));
}

/** `answer` makes the first response; the others are correct. */
function atFirst(answer: Answer): Script {
  return (request) => (request.index === 0 ? answer(request) : honest(a, request));
}

/**
 * A response to a Range request that starts elsewhere than requested, and says so in its header.
 */
function shifted(request: WireRequest, by: number): WireReply {
  return honest(a, { ...request, from: Math.max(0, request.from + by) });
}

function multipart(request: WireRequest): WireReply {
  const { headers, body = Buffer.alloc(0) } = honest(a, request);
  const range = String(headers?.['Content-Range']);
  const parts = Buffer.concat([
    Buffer.from(`--edge\r\nContent-Type: video/mp4\r\nContent-Range: ${range}\r\n\r\n`),
    body,
    Buffer.from('\r\n--edge--\r\n'),
  ]);
  return {
    status: 206,
    headers: {
      'Content-Type': 'multipart/byteranges; boundary=edge',
      'Content-Length': parts.length,
      ETag: '"a"',
    },
    body: parts,
  };
}

const gzipped: WireReply = {
  status: 200,
  headers: { 'Content-Encoding': 'gzip', 'Content-Length': MIB, 'Content-Type': 'video/mp4' },
  body: Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), seededBytes(9, MIB - 4)]),
};

const page = Buffer.from('<!doctype html><title>Sign in to this network</title>');

/** The 19 faults that the downloader must survive. */
export const WIRE_FAULTS: readonly WireFault[] = [
  {
    what: 'connection reset midway',
    script: atFirst((request) => cut(whole(request), CUT_AT, 'reset')),
    expected: film,
  },
  { what: '200 to a Range request', script: afterCut(whole), expected: film },
  {
    what: 'the file was replaced (If-Range tells)',
    script: afterCut((request) => honest(b, request)),
    expected: other,
  },
  {
    what: '206 of another file, by its ETag',
    script: afterCut((request) => honest(b, { ...request, headers: new Map() })),
    expected: other,
  },
  {
    what: 'the file was replaced, no validator',
    script: (request) =>
      request.index === 0
        ? cut(honest({ bytes: film.bytes }, request), CUT_AT, 'close')
        : honest({ bytes: other.bytes }, request),
    expected: other,
  },
  {
    what: 'If-Range always answered with 200',
    script: afterCut((request) =>
      request.headers.has('if-range') ? whole(request) : honest(a, request),
    ),
    expected: film,
  },
  {
    what: '206 that begins early',
    script: toRanges((request) => shifted(request, -1000)),
    expected: film,
  },
  {
    what: '206 that begins late',
    script: toRanges((request) => shifted(request, 1000)),
    expected: film,
  },
  {
    what: '206 without Content-Range, whole body',
    script: toRanges((request) => ({ ...whole(request), status: 206 })),
    expected: film,
  },
  {
    what: 'the total has changed',
    script: (request) =>
      request.index === 0
        ? cut(honest({ bytes: film.bytes }, request), CUT_AT, 'close')
        : honest({ bytes: longer.bytes }, request),
    expected: longer,
  },
  { what: 'multipart/byteranges', script: toRanges(multipart), expected: film },
  {
    what: 'body shorter than Content-Length',
    script: atFirst((request) => cut(whole(request), CUT_AT, 'close')),
    expected: film,
  },
  {
    what: 'more bytes than Content-Length',
    script: (request) => {
      const reply = honest(a, request);
      const body = Buffer.concat([reply.body ?? Buffer.alloc(0), seededBytes(8, 5000)]);
      return { ...reply, body, then: 'close' };
    },
    expected: film,
  },
  {
    what: 'chunked body cut',
    script: atFirst((request) => ({
      ...withHeaders(whole(request), { 'Content-Length': null, 'Transfer-Encoding': 'chunked' }),
      body: chunked(film.bytes.subarray(0, CUT_AT), false),
      then: 'close',
    })),
    expected: film,
  },
  {
    what: 'no length, closed early',
    script: atFirst((request) =>
      cut(withHeaders(whole(request), { 'Content-Length': null }), CUT_AT, 'close'),
    ),
    expected: film,
  },
  {
    what: 'empty 200',
    script: () => ({ status: 200, headers: { 'Content-Length': 0, 'Content-Type': 'video/mp4' } }),
    expected: null,
  },
  {
    what: 'a page of HTML with 200',
    script: atFirst(() => ({
      status: 200,
      headers: { 'Content-Type': 'text/html', 'Content-Length': page.length },
      body: page,
    })),
    expected: film,
  },
  { what: 'gzip although not requested', script: () => gzipped, expected: null },
  {
    what: '416 when all is there',
    script: (request) =>
      request.hasRange
        ? {
            status: 416,
            headers: { 'Content-Range': `bytes */${film.bytes.length}`, 'Content-Length': 0 },
          }
        : {
            ...withHeaders(whole(request), {
              'Content-Length': null,
              'Transfer-Encoding': 'chunked',
            }),
            body: chunked(film.bytes, false),
            then: 'close',
          },
    expected: film,
  },
];
