import { z } from 'zod';
import { storyboardSchema } from '../rendering/storyboard.ts';
import { videoStateSchema } from '../videos/video.ts';

// The service generates these values, so they are not validated against a pattern.
const timestamp = z.string().meta({ format: 'date-time' });
const url = z.string().meta({ format: 'uri' });

/** One error in a request: a JSON Pointer (RFC 6901) into the body, and a sentence. */
const issueSchema = z.object({ path: z.string(), reason: z.string() });

/** The codes of service-api.md §7, and our own for cases that it leaves open. */
const errorCodes = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'QUOTA_EXCEEDED',
  'INVALID_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'NOT_FOUND',
  'VIDEO_NOT_FOUND',
  'VIDEO_NOT_READY',
  'VIDEO_EXPIRED',
  'LINK_INVALID',
  'LINK_EXPIRED',
  'PRECONDITION_FAILED',
  'RANGE_NOT_SATISFIABLE',
  'HTTPS_REQUIRED',
  'HEADERS_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'INTERNAL',
  'UNAVAILABLE',
] as const;

const errorBody = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.enum(errorCodes),
  details: z
    .object({
      resetAt: timestamp.optional(),
      used: z.int().optional(),
      limit: z.int().optional(),
      status: videoStateSchema.optional(),
      expiredAt: timestamp.optional(),
      issues: z.array(issueSchema).optional(),
    })
    .optional(),
});
/** service-api.md §2.4. */
export type ErrorBody = z.infer<typeof errorBody>;

/** The error body, with an example for one status. */
function errorLike(description: string, example: Omit<ErrorBody, 'success'>): typeof errorBody {
  return errorBody.meta({ description, examples: [{ success: false, ...example }] });
}

const exampleId = 'vid_4mJ2rYx8TqWb0nLZs7KfUg';

export const videoParams = z.object({
  id: z.string().meta({ description: 'Identifier of the video', examples: [exampleId] }),
});

const unauthorized = errorLike('The key is missing, malformed, unknown or revoked', {
  message: 'Send a valid API key in the X-API-Key header.',
  code: 'UNAUTHORIZED',
});

const rateLimited = errorLike('The rate limit of the endpoint is used up', {
  message: 'Rate limit exceeded. Try again later.',
  code: 'RATE_LIMITED',
  details: { resetAt: '2026-03-01T13:00:00.000Z' },
});

const videoNotFound = errorLike('There is no such video in this account', {
  message: 'There is no video with this identifier.',
  code: 'VIDEO_NOT_FOUND',
});

const videoExpired = errorLike('The video was finished, and its retention time is over', {
  message: 'This video is deleted: it was kept until the date in details.expiredAt.',
  code: 'VIDEO_EXPIRED',
  details: { expiredAt: '2026-03-31T12:00:30.000Z' },
});

const internal = errorLike('The service failed', {
  message: 'Something went wrong on the side of the service.',
  code: 'INTERNAL',
});

const common = { 401: unauthorized, 429: rateLimited, 500: internal };

/** The body of `POST /video/generate`, whose fields service-api.md §4.1 leaves open. */
export const generateBody = storyboardSchema.meta({
  description: 'A storyboard: what the video says and how it looks',
  examples: [
    { title: 'Hello', scenes: [{ kind: 'title', text: 'Hello' }] },
    {
      title: 'Launch week',
      aspect: '9:16',
      resolution: 1080,
      fps: 30,
      theme: { accent: '#ffb020', background: '#101418', text: '#ffffff' },
      duration: 15,
      soundtrack: 'bright',
      scenes: [
        { kind: 'title', text: 'Launch week', subtitle: 'Five days, five things', seconds: 3 },
        { kind: 'list', heading: 'Today', items: ['Faster', 'Smaller', 'Kinder'] },
        { kind: 'quote', text: 'It just works.', by: 'A friend', transition: 'slide' },
        { kind: 'countdown', from: 3, text: 'Ready?', caption: 'See you there' },
      ],
    },
  ],
});

/** Responses of `POST /video/generate` (service-api.md §4.1). */
export const generateResponses = {
  200: z.object({ success: z.literal(true), id: z.string(), status: z.literal('queued') }).meta({
    description: 'The video is queued',
    examples: [{ success: true, id: exampleId, status: 'queued' }],
  }),
  400: errorLike('The storyboard is not valid; every error is named', {
    message: 'The request is not valid: scenes must have at least 1 scene.',
    code: 'INVALID_REQUEST',
    details: { issues: [{ path: '/scenes', reason: 'must have at least 1 scene' }] },
  }),
  403: errorLike('The monthly quota is used up', {
    message: 'The monthly quota of 15 videos is used up. It resets at the date in details.resetAt.',
    code: 'QUOTA_EXCEEDED',
    details: { used: 15, limit: 15, resetAt: '2026-03-17T00:00:00.000Z' },
  }),
  413: errorLike('The body is longer than 1 MiB', {
    message: 'A body may be at most 1 MiB long.',
    code: 'PAYLOAD_TOO_LARGE',
  }),
  415: errorLike('The body is not JSON', {
    message: 'Send the body as JSON, with Content-Type: application/json.',
    code: 'UNSUPPORTED_MEDIA_TYPE',
  }),
  ...common,
};

/** Responses of `GET /video/status/{id}` (service-api.md §4.2). */
export const statusResponses = {
  200: z
    .object({
      success: z.literal(true),
      id: z.string(),
      status: videoStateSchema,
      progress: z.number().min(0).max(1).meta({ description: 'Share of the frames that is done' }),
      position: z.int().min(1).optional().meta({ description: 'Position in the queue; 1 is next' }),
      waitingFor: z
        .string()
        .optional()
        .meta({
          description: 'Why no video is rendered for now; this one is rendered once that is over',
          examples: ['Rendering waits because the disk of the service is full.'],
        }),
      error: z.string().optional().meta({ description: 'Why rendering failed' }),
      createdAt: timestamp,
      finishedAt: timestamp.optional(),
      keptUntil: timestamp.optional().meta({
        description: 'When a finished video is deleted; from then on it is a 410 VIDEO_EXPIRED',
      }),
      durationSeconds: z.number(),
      posterUrl: url.optional().meta({ description: 'A still picture; valid for 1 hour' }),
    })
    .meta({
      description: 'Status of the video',
      examples: [
        {
          success: true,
          id: exampleId,
          status: 'queued',
          progress: 0,
          position: 3,
          createdAt: '2026-03-01T12:00:00.000Z',
          durationSeconds: 12,
        },
        {
          success: true,
          id: exampleId,
          status: 'failed',
          progress: 0,
          error: 'The video could not be rendered.',
          createdAt: '2026-03-01T12:00:00.000Z',
          finishedAt: '2026-03-01T12:00:30.000Z',
          durationSeconds: 12,
        },
      ],
    }),
  404: videoNotFound,
  410: videoExpired,
  ...common,
};

/** Responses of `GET /video/download/{id}` (service-api.md §4.3). */
export const downloadResponses = {
  200: z
    .object({
      success: z.literal(true),
      id: z.string(),
      downloadUrl: url,
      expiresAt: timestamp,
      bytes: z.int(),
      sha256: z.string().meta({ description: 'Of the whole file, in hexadecimal' }),
    })
    .meta({
      description: 'Where the finished video can be fetched for 1 hour, without a key',
      examples: [
        {
          success: true,
          id: exampleId,
          downloadUrl: `https://127.0.0.1:8443/files/video/${exampleId}?expires=1772373600000&signature=kq3n`,
          expiresAt: '2026-03-01T14:00:00.000Z',
          bytes: 1482113,
          sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
        },
      ],
    }),
  404: videoNotFound,
  409: errorLike('The video is not finished, or its rendering failed', {
    message: 'This video is not finished yet. Ask for its status, and try again when it is done.',
    code: 'VIDEO_NOT_READY',
    details: { status: 'rendering' },
  }),
  410: videoExpired,
  ...common,
};
