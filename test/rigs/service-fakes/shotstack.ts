import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const STATUS = { queued: 'queued', working: 'rendering', done: 'done', failed: 'failed' };

function render({ id, phase, createdAt, link }: FakeVideo): object {
  return {
    success: true,
    message: 'OK',
    response: {
      id,
      owner: '5ca6hu7s9k',
      status: STATUS[phase],
      created: createdAt,
      ...(phase === 'failed' ? { error: 'A picture could not be loaded.' } : {}),
      ...(phase === 'done' ? { url: link, duration: 5.5, renderTime: 9433.44 } : {}),
    },
  };
}

export const shotstack: ServiceFacts = {
  service: 'shotstack',
  origin: 'https://api.shotstack.io',
  auth: { header: 'x-api-key', before: '' },
  body: 'json',
  batch: ['title,text,seconds', 'Clip {n},A lake number {n},5'],
  isComplete: ({ timeline, output, id, merge }, path) =>
    path === '/edit/v1/render'
      ? typeof timeline === 'object' && typeof output === 'object'
      : typeof id === 'string' && (merge === undefined || Array.isArray(merge)),
  generatePath: '/edit/v1/render',
  otherGeneratePaths: ['/edit/v1/templates/render'],
  newId: (number) => `2abd5c11-0f3d-4c6d-ba20-235fc9b8e8${10 + number}`,
  statusPath: (id) => `/edit/v1/render/${id}?data=false`,
  accepted: ({ id }) => ({
    status: 201,
    body: {
      success: true,
      message: 'Created',
      response: { message: 'Render Successfully Queued', id },
    },
  }),
  status: (made) => ({ status: 200, body: render(made) }),
  limited: {
    status: 429,
    body: { success: false, message: 'Too Many Requests', type: 'rate_limit_error' },
  },
  refused: {
    status: 400,
    body: {
      success: false,
      message: 'Bad Request',
      response: { message: 'A clip has no length.' },
    },
    says: 'A clip has no length.',
  },
  failure: 'A picture could not be loaded.',
  keyRefused: { status: 403, body: { message: 'Forbidden' } },
  usedUp: null,
  limit: { of: 'all', count: 300, perMs: 60_000 },
};
