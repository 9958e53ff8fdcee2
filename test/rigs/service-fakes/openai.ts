import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const error = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});

const WORDS = { queued: 'queued', working: 'in_progress', done: 'completed', failed: 'failed' };

function video({ id, phase }: FakeVideo): object {
  return {
    id,
    object: 'video',
    model: 'sora-2',
    status: WORDS[phase],
    seconds: '4',
    progress: { queued: 0, working: 45, done: 100, failed: 45 }[phase],
    error:
      phase === 'failed'
        ? { code: 'moderation_blocked', message: 'The prompt was blocked.' }
        : null,
  };
}

/** A file of one of these types, where there is one. */
function isReference(value: unknown): boolean {
  if (value === undefined) return true;
  const { type } = value as { readonly type?: unknown };
  return ['image/jpeg', 'image/png', 'image/webp'].includes(String(type));
}

/**
 * OpenAI has ended it; others still offer its endpoints (`examples/services/openai-compatible.json`).
 */
export const openai: ServiceFacts = {
  service: 'openai',
  origin: 'https://api.openai.com',
  auth: { header: 'authorization', before: 'Bearer ' },
  body: 'form',
  batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},4'],
  isComplete: ({ prompt, model, input_reference }) =>
    typeof prompt === 'string' && typeof model === 'string' && isReference(input_reference),
  generatePath: '/v1/videos',
  newId: (number) => `video_${number}f0a`,
  statusPath: (id) => `/v1/videos/${id}`,
  contentPath: (id) => `/v1/videos/${id}/content`,
  accepted: (made) => ({ status: 200, body: video(made) }),
  status: (made) => ({ status: 200, body: video(made) }),
  limited: {
    status: 429,
    headers: {
      'x-ratelimit-limit-requests': '5',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '12s',
    },
    body: error('Rate limit reached for requests', 'requests', 'rate_limit_exceeded'),
  },
  refused: {
    status: 400,
    body: error('Invalid value for size.', 'invalid_request_error', null),
    says: 'Invalid value for size.',
  },
  failure: 'The prompt was blocked.',
  keyRefused: {
    status: 401,
    body: error('Incorrect API key provided.', 'invalid_request_error', 'invalid_api_key'),
  },
  usedUp: null,
};
