import type { FakeVideo, ServiceFacts } from './service-facts.ts';

function task({ id, phase, createdAt, link }: FakeVideo): object {
  switch (phase) {
    case 'queued':
      return { id, createdAt, status: 'THROTTLED' };
    case 'working':
      return { id, createdAt, status: 'RUNNING', progress: 0.4 };
    case 'done':
      return { id, createdAt, status: 'SUCCEEDED', output: [link] };
    case 'failed':
      return {
        id,
        createdAt,
        status: 'FAILED',
        failure: 'The output was held back.',
        failureCode: 'SAFETY.OUTPUT.VIDEO',
      };
  }
}

export const runway: ServiceFacts = {
  service: 'runway',
  origin: 'https://api.dev.runwayml.com',
  auth: { header: 'authorization', before: 'Bearer ' },
  headers: { 'x-runway-version': '2024-11-06' },
  body: 'json',
  batch: ['title,prompt,seconds', 'Clip {n},A lake number {n},5'],
  isComplete: ({ model, promptImage, promptText, duration, ratio }, path) =>
    [model, promptText, ratio].every((field) => typeof field === 'string') &&
    Number.isInteger(duration) &&
    (path === '/v1/image_to_video') === (typeof promptImage === 'string'),
  generatePath: '/v1/text_to_video',
  otherGeneratePaths: ['/v1/image_to_video'],
  newId: (number) => `17f20503-6c24-4c16-946b-35dbbce2af${10 + number}`,
  statusPath: (id) => `/v1/tasks/${id}`,
  cancel: {
    method: 'DELETE',
    path: (id) => `/v1/tasks/${id}`,
    cancelled: () => ({ status: 204, body: undefined }),
    tooLate: 'deletes',
  },
  accepted: ({ id }) => ({ status: 200, body: { id } }),
  status: (made) => ({ status: 200, body: task(made) }),
  limited: { status: 429, body: { error: 'You have reached your daily limit.' } },
  refused: {
    status: 400,
    body: { error: 'ratio has a value that this model does not take.' },
    says: 'ratio has a value that this model does not take.',
  },
  failure: 'The output was held back.',
  keyRefused: { status: 401, body: { error: 'The API key is not valid.' } },
  usedUp: null,
  limit: { of: 'generate', count: 50, perMs: 86_400_000 },
  balance: {
    path: '/v1/organization',
    answer: (left) => ({
      status: 200,
      body: {
        tier: {
          maxMonthlyCreditSpend: 10_000,
          models: { 'gen4.5': { maxConcurrentGenerations: 2, maxDailyGenerations: 200 } },
        },
        creditBalance: left,
        usage: { models: { 'gen4.5': { dailyGenerations: 12 } } },
      },
    }),
    shown: (left) => ({ amount: left, unit: 'credit', currency: null }),
  },
};
