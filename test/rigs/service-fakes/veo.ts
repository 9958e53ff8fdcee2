import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const error = (code: number, message: string, status: string) => ({
  error: { code, message, status },
});

function operation({ id: name, number, phase, origin }: FakeVideo): object {
  switch (phase) {
    case 'queued':
    case 'working':
      return { name };
    case 'done': {
      const uri = `${origin}/v1beta/files/file${number}:download?alt=media`;
      return {
        name,
        done: true,
        response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
      };
    }
    case 'failed':
      return { name, done: true, error: { code: 3, message: 'The prompt was blocked.' } };
  }
}

export const veo: ServiceFacts = {
  service: 'veo',
  origin: 'https://generativelanguage.googleapis.com',
  auth: { header: 'x-goog-api-key', before: '' },
  body: 'json',
  batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},8'],
  isComplete: ({ instances }) => Array.isArray(instances) && instances.length === 1,
  generatePath: '/v1beta/models/veo-3.1-fast-generate-preview:predictLongRunning',
  newId: (number) => `models/veo-3.1-fast-generate-preview/operations/op${number}`,
  statusPath: (id) => `/v1beta/${id}`,
  contentPath: (id) => `/v1beta/files/file${id.split('/op').at(-1)}:download?alt=media`,
  accepted: ({ id }) => ({ status: 200, body: { name: id } }),
  status: (made) => ({ status: 200, body: operation(made) }),
  limited: {
    status: 429,
    body: error(429, 'You exceeded your current rate.', 'RESOURCE_EXHAUSTED'),
  },
  refused: {
    status: 400,
    body: error(400, 'durationSeconds is out of bound.', 'INVALID_ARGUMENT'),
    says: 'durationSeconds is out of bound.',
  },
  failure: 'The prompt was blocked.',
  keyRefused: {
    status: 400,
    body: error(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT'),
  },
  usedUp: null,
};
