import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const STATUS = { queued: 'planned', working: 'rendering', done: 'succeeded', failed: 'failed' };

/** The file's address is present from the beginning, but the file exists only at the end. */
function render({ id, phase, link }: FakeVideo): object {
  return {
    id,
    status: STATUS[phase],
    url: link,
    output_format: 'mp4',
    ...(phase === 'failed' ? { error_message: 'A picture could not be loaded.' } : {}),
  };
}

export const creatomate: ServiceFacts = {
  service: 'creatomate',
  origin: 'https://api.creatomate.com',
  auth: { header: 'authorization', before: 'Bearer ' },
  body: 'json',
  batch: ['Title,template', 'Clip {n},8ea1bb5f-c2f6-4a80-b4d9-f4ab1a5f3b2e'],
  isComplete: ({ template_id: template }) => typeof template === 'string',
  generatePath: '/v2/renders',
  newId: (number) => `3b1a4f9e-0b8e-4b9b-8b4e-1fb5f5b4d2${10 + number}`,
  statusPath: (id) => `/v2/renders/${id}`,
  accepted: (made) => ({ status: 202, body: render(made) }),
  status: (made) => ({ status: 200, body: render(made) }),
  limited: { status: 429, body: { hint: 'Too many requests.' } },
  refused: {
    status: 400,
    body: { hint: 'There is no such template in this project.' },
    says: 'There is no such template',
  },
  failure: 'A picture could not be loaded.',
  keyRefused: { status: 401, body: { hint: 'The API key is not valid.' } },
  usedUp: { status: 402, body: { hint: 'There are not enough credits.' } },
  limit: { of: 'all', count: 30, perMs: 10_000 },
};
