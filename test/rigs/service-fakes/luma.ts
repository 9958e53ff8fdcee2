import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const STATES = { queued: 'queued', working: 'dreaming', done: 'completed', failed: 'failed' };

function generation({ id, phase, createdAt, request, link }: FakeVideo): object {
  return {
    id,
    generation_type: 'video',
    state: STATES[phase],
    created_at: createdAt,
    request,
    failure_reason: phase === 'failed' ? 'The prompt was held back.' : null,
    assets: phase === 'done' ? { video: link } : null,
  };
}

export const luma: ServiceFacts = {
  service: 'luma',
  origin: 'https://api.lumalabs.ai',
  auth: { header: 'authorization', before: 'Bearer ' },
  body: 'json',
  batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},5'],
  isComplete: ({ model, duration }) =>
    (model === 'ray-2' || model === 'ray-flash-2') && (duration === '5s' || duration === '9s'),
  generatePath: '/dream-machine/v1/generations/video',
  newId: (number) => `d1968551-6113-4b46-b567-09210c2e79${10 + number}`,
  statusPath: (id) => `/dream-machine/v1/generations/${id}`,
  accepted: (made) => ({ status: 201, body: generation(made) }),
  status: (made) => ({ status: 200, body: generation(made) }),
  limited: { status: 429, body: { detail: 'Too many requests' } },
  refused: { status: 400, body: { detail: 'The prompt is too short.' }, says: 'too short' },
  failure: 'The prompt was held back.',
  keyRefused: { status: 401, body: { detail: 'Not authenticated' } },
  usedUp: null,
  balance: {
    path: '/dream-machine/v1/credits',
    // In cents of a dollar.
    answer: (left) => ({ status: 200, body: { credit_balance: left } }),
    shown: (left) => ({ amount: left / 100, unit: 'money', currency: 'USD' }),
  },
};
