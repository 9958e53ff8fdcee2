import {
  errorBody,
  type ServiceRequest,
  type Response,
  type SimulatedService,
} from './simulated-service.ts';

/** A fault of one request. */
export interface Fault {
  /** Whether the service receives and executes the request, independent of the response. */
  readonly arrives: boolean;
  /**
   * A response; or one that breaks off after its headers (`half`); or none, because there was no
   * connection (`unsent`), it broke (`break`), or nothing more was received (`silence`).
   */
  readonly reply: 'unsent' | 'break' | 'silence' | 'half' | ((context: FaultContext) => Response);
}

/** The exchange from which a fault builds its response. */
interface FaultContext {
  readonly service: SimulatedService;
  readonly request: ServiceRequest;
  /** The service's response; a placeholder when the request never arrived. */
  readonly response: Response;
}

type Faults = Readonly<Record<string, Fault>>;

const instead = (status: number, body: unknown, headers = {}): Fault => ({
  arrives: false,
  reply: ({ service }) => service.respond(status, body, headers),
});

const executedBut = (status: number, body: unknown): Fault => ({
  arrives: true,
  reply: ({ service }) => service.respond(status, body),
});

/** A 429 with some form of retry time, or none. */
const limited = (
  headers: (now: number) => Record<string, string>,
  details?: (now: number) => object,
): Fault => ({
  arrives: false,
  reply: ({ service: { now }, service }) =>
    service.respond(429, errorBody('RATE_LIMITED', 'Later, please.', details?.(now)), headers(now)),
});

const iso = (at: number): string => new Date(at).toISOString();

const BREAKS: Faults = {
  'no connection': { arrives: false, reply: 'unsent' },
  'request lost': { arrives: false, reply: 'silence' },
  'response lost': { arrives: true, reply: 'break' },
  'response cut': { arrives: true, reply: 'half' },
};

const REFUSALS: Faults = {
  '401 once': instead(401, errorBody('UNAUTHORIZED', 'A valid key, please.')),
  '429 in seconds': limited(() => ({ 'retry-after': '90', 'x-ratelimit-remaining': '0' })),
  '429 with a date': limited((now) => ({ 'retry-after': new Date(now + 120_000).toUTCString() })),
  '429 with nothing': limited(() => ({})),
  '429 with nonsense': limited(() => ({ 'retry-after': '-7', 'x-ratelimit-reset': 'tomorrow' })),
  '429 for a year': limited(() => ({ 'retry-after': '31536000' })),
  '429 with a reset': limited((now) => ({ 'x-ratelimit-reset': iso(now + 300_000) })),
  '429 with details': limited(
    () => ({}),
    (now) => ({ resetAt: iso(now + 240_000) }),
  ),
};

const SERVER_ERRORS: Faults = {
  '500 unexecuted': instead(500, errorBody('INTERNAL', 'Oh.')),
  '502 executed': executedBut(502, '<html>Bad gateway</html>'),
  '503 executed': executedBut(503, ''),
  '504 executed': executedBut(504, errorBody('TIMEOUT', 'It took too long.')),
  'a page': instead(200, '<html>Welcome to our hotel</html>'),
  'a redirect': instead(302, '', { location: 'https://elsewhere.example/' }),
};

export const GENERATE_FAULTS: Faults = {
  ...BREAKS,
  ...REFUSALS,
  ...SERVER_ERRORS,
  'no identifier': executedBut(200, { status: 'queued' }),
  'an empty response': executedBut(201, ''),
  'success is false': executedBut(200, errorBody('ODD', 'No.')),
  "another video's identifier": {
    arrives: true,
    reply: ({ service, response }) => {
      const [first] = service.videos;
      return first ? service.respond(200, { id: first.id }) : response;
    },
  },
  '408 executed': executedBut(408, ''),
  '400 about the video': instead(400, errorBody('INVALID', 'Not this one.')),
  '422 about the video': instead(422, errorBody('INVALID', 'Not this one.')),
  '403 to all': instead(403, errorBody('FORBIDDEN', 'Not allowed.')),
  '404 page': instead(404, '<html>Not found</html>'),
  '402 quota': instead(402, errorBody('PAY', 'Please pay.')),
  '403 about a plan': instead(403, errorBody('LIMIT', '4K is not part of your plan.')),
  '429 about a plan': instead(429, errorBody('SLOW', 'Upgrade your plan to send more.')),
  '429 quota': instead(429, errorBody('QUOTA_EXCEEDED', 'Nothing is left.')),
};

const WRONGLY_GONE: Faults = {
  unknown: instead(404, errorBody('NOT_FOUND', 'There is no such video.')),
  deleted: instead(410, errorBody('VIDEO_EXPIRED', 'This video is deleted.')),
  'a page that says gone': instead(410, '<html>Gone</html>'),
};

export const STATUS_FAULTS: Faults = {
  ...BREAKS,
  ...REFUSALS,
  ...SERVER_ERRORS,
  'an unknown word': instead(200, { status: 'marinating' }),
  'no word': instead(200, {}),
  ...WRONGLY_GONE,
  'the render fails': {
    arrives: true,
    reply: ({ service, request, response }) => {
      const video = service.videos.find((each) => 'id' in request && each.id === request.id);
      if (!video) return response;
      video.word = 'failed';
      return service.respond(200, { status: 'failed', error: 'Out of paint.' });
    },
  },
};

export const LINK_FAULTS: Faults = {
  ...BREAKS,
  ...REFUSALS,
  ...SERVER_ERRORS,
  ...WRONGLY_GONE,
  'not ready after all': instead(409, errorBody('NOT_READY', 'Not yet.')),
  'no link yet': instead(200, { downloadUrl: null }),
  'not https': instead(200, { downloadUrl: 'http://files.example/video-1.mp4' }),
  'expired already': {
    arrives: true,
    reply: ({ service, request, response }) =>
      'id' in request ? service.respond(200, service.linkTo(request.id, -1000)) : response,
  },
};

/** How the file server, which is not the service, can fail. */
export const FILE_FAULTS = [
  'busy',
  'unreachable',
  'refused',
  'damaged',
  'no room',
  'slow',
] as const;

export type FileFault = (typeof FILE_FAULTS)[number];
