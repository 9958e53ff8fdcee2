import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const STATUS = { queued: 'pending', working: 'running', done: 'done', failed: 'error' };

/** A failed render is also reported with status 200. */
function movie({ id, phase, createdAt, link }: FakeVideo): object {
  return {
    success: true,
    movie: {
      success: phase !== 'failed',
      status: STATUS[phase],
      project: id,
      message: phase === 'failed' ? 'The source of element 1 was not found.' : '',
      url: phase === 'done' ? link : null,
      created_at: createdAt,
    },
    remaining_quota: { time: 1807 },
  };
}

const refusal = (message: string) => ({ success: false, message });

export const json2video: ServiceFacts = {
  service: 'json2video',
  origin: 'https://api.json2video.com',
  auth: { header: 'x-api-key', before: '' },
  body: 'json',
  batch: ['title,text,seconds', 'Clip {n},A lake number {n},5'],
  isComplete: ({ scenes }) => Array.isArray(scenes),
  generatePath: '/v2/movies',
  newId: (number) => `JkGxEoPRF9EgRb${10 + number}`,
  statusPath: (id) => `/v2/movies?project=${id}&format=simple`,
  accepted: ({ id, createdAt }) => ({
    status: 200,
    body: { success: true, project: id, timestamp: createdAt },
  }),
  status: (made) => ({ status: 200, body: movie(made) }),
  limited: { status: 429, body: refusal('Too many requests.') },
  refused: {
    status: 400,
    body: refusal('Source URL is required for video element in Scene 1, Element 2'),
    says: 'Source URL is required',
  },
  failure: 'The source of element 1 was not found.',
  keyRefused: { status: 400, body: refusal('Error: Invalid API Key') },
  usedUp: {
    status: 401,
    body: refusal('You exceeded the quota of movies in your plan.'),
  },
  balance: {
    // The list of this month's movies; one is enough.
    path: '/v2/movies?limit=1',
    answer: (left) => ({
      status: 200,
      body: {
        success: true,
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-11-30T23:59:59.999Z',
        count: 0,
        limit: 1,
        has_next: false,
        has_prev: false,
        next_token: null,
        movies: [],
        remaining_quota: { time: left },
      },
    }),
    // A second of video costs a credit.
    shown: (left) => ({ amount: left, unit: 'credit', currency: null }),
  },
};
