import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const STATUS = { queued: 'starting', working: 'processing', done: 'succeeded', failed: 'failed' };

function prediction({ id, phase, createdAt, request, origin, link }: FakeVideo): object {
  const { input } = request as { input: unknown };
  const get = `${origin}/v1/predictions/${id}`;
  return {
    id,
    model: 'minimax/hailuo-2.3',
    input,
    status: STATUS[phase],
    created_at: createdAt,
    output: phase === 'done' ? link : null,
    error: phase === 'failed' ? 'The prompt was held back.' : null,
    data_removed: false,
    source: 'api',
    urls: { get, cancel: `${get}/cancel` },
  };
}

/** An address, or a data URI of less than 1 MB; a model may do without a file. */
function isFileInput(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== 'string') return false;
  return value.startsWith('https://') || (value.startsWith('data:') && value.length < 1_000_000);
}

export const replicate: ServiceFacts = {
  service: 'replicate',
  origin: 'https://api.replicate.com',
  auth: { header: 'authorization', before: 'Bearer ' },
  body: 'json',
  batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},6'],
  isComplete: ({ version, input }) =>
    typeof version === 'string' &&
    typeof input === 'object' &&
    input !== null &&
    isFileInput('first_frame_image' in input ? input.first_frame_image : undefined),
  generatePath: '/v1/predictions',
  upload: {
    path: '/v1/files',
    part: 'content',
    accepted: (number, { name, type, bytes }) => ({
      status: 201,
      body: {
        id: `file-${number}`,
        name,
        content_type: type,
        size: bytes.length,
        metadata: {},
        urls: { get: `https://api.replicate.com/v1/files/file-${number}` },
      },
    }),
  },
  newId: (number) => `gm3qorzdhgbfurvjtvhg6dck${10 + number}`,
  statusPath: (id) => `/v1/predictions/${id}`,
  cancel: {
    method: 'POST',
    path: (id) => `/v1/predictions/${id}/cancel`,
    cancelled: (made) => ({ status: 200, body: { ...prediction(made), status: 'canceled' } }),
    tooLate: { status: 400, body: { detail: 'The prediction has ended.' } },
  },
  accepted: (made) => ({ status: 201, body: prediction(made) }),
  status: (made) => ({ status: 200, body: prediction(made) }),
  limited: {
    status: 429,
    body: { detail: 'Request was throttled. Your rate limit resets in ~30s.' },
  },
  refused: {
    status: 422,
    body: { title: 'Input validation failed', detail: 'input.duration must be 6 or 10.' },
    says: 'input.duration must be 6 or 10.',
  },
  failure: 'The prompt was held back.',
  keyRefused: {
    status: 401,
    body: { title: 'Unauthenticated', detail: 'The token is not valid.' },
  },
  usedUp: null,
  limit: { of: 'generate', count: 600, perMs: 60_000 },
};
