import type { FakeVideo, Reply, ServiceFacts } from './service-facts.ts';

const APP = '/bytedance/seedance-2.0/requests';

function addresses({ id, origin }: FakeVideo): object {
  const response = `${origin}${APP}/${id}`;
  return {
    request_id: id,
    response_url: response,
    status_url: `${response}/status`,
    cancel_url: `${response}/cancel`,
  };
}

/** Requests that failed are completed too. */
function status(video: FakeVideo): Reply {
  const common = addresses(video);
  switch (video.phase) {
    case 'queued':
      return { status: 202, body: { status: 'IN_QUEUE', queue_position: 1, ...common } };
    case 'working':
      return { status: 202, body: { status: 'IN_PROGRESS', ...common } };
    case 'done':
      return { status: 200, body: { status: 'COMPLETED', ...common } };
    case 'failed':
      return {
        status: 200,
        body: {
          status: 'COMPLETED',
          error: 'The runner ended.',
          error_type: 'runner_disconnected',
          ...common,
        },
      };
  }
}

export const fal: ServiceFacts = {
  service: 'fal',
  origin: 'https://queue.fal.run',
  auth: { header: 'authorization', before: 'Key ' },
  body: 'json',
  batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},5'],
  isComplete: ({ prompt }) => typeof prompt === 'string',
  generatePath: '/bytedance/seedance-2.0/mini/text-to-video',
  newId: (number) => `80e732af-660e-45cd-bd63-580e4f2a94${10 + number}`,
  statusPath: (id) => `${APP}/${id}/status`,
  linkPath: (id) => `${APP}/${id}`,
  cancel: {
    method: 'PUT',
    path: (id) => `${APP}/${id}/cancel`,
    cancelled: () => ({ status: 202, body: { status: 'CANCELLATION_REQUESTED' } }),
    tooLate: { status: 400, body: { status: 'ALREADY_COMPLETED' } },
  },
  accepted: (made) => ({
    status: 200,
    body: { status: 'IN_QUEUE', queue_position: 0, ...addresses(made) },
  }),
  status,
  link: ({ phase, link }) =>
    phase === 'done'
      ? { status: 200, body: { video: { url: link, content_type: 'video/mp4' }, seed: 42 } }
      : { status: 400, body: { detail: 'Request is still in progress' } },
  limited: { status: 429, body: { detail: 'Too many requests' } },
  refused: {
    status: 422,
    body: {
      detail: [{ loc: ['body', 'duration'], msg: 'Input should be 4 to 15.', type: 'enum' }],
    },
    says: 'Input should be 4 to 15.',
  },
  failure: 'The runner ended.',
  keyRefused: { status: 401, body: { detail: 'The key is not valid.' } },
  usedUp: null,
};
