import type { RemoteState } from '../../../../src/contract/job.ts';
import type { vocabularies } from '../../../../src/host/settings/known-services.ts';

/** Responses of one service, in the shape that it gives them. */
export interface KnownResponses {
  readonly service: keyof typeof vocabularies;
  readonly accepted: { readonly response: unknown; readonly id: string };
  readonly statuses: readonly {
    readonly response: unknown;
    readonly state: RemoteState;
    readonly progress?: number;
  }[];
  readonly failed: { readonly response: unknown; readonly error: string | null };
}

/** One status response for each word, made by `shape`. */
function each(
  words: Partial<Record<RemoteState, readonly string[]>>,
  shape: (word: string) => unknown,
): KnownResponses['statuses'] {
  return (Object.entries(words) as [RemoteState, readonly string[]][]).flatMap(([state, list]) =>
    list.map((word) => ({ response: shape(word), state })),
  );
}

/** The vocabularies of eight services, with responses such as their documentation shows. */
export const knownResponses: readonly KnownResponses[] = [
  {
    service: 'Shotstack',
    accepted: {
      response: {
        success: true,
        message: 'Created',
        response: { message: 'Queued', id: 'd2b46ed6' },
      },
      id: 'd2b46ed6',
    },
    statuses: each(
      {
        queued: ['queued'],
        working: ['fetching', 'preprocessing', 'rendering', 'saving'],
        done: ['done'],
        failed: ['failed'],
      },
      (status) => ({ success: true, message: 'OK', response: { id: 'd2b46ed6', status } }),
    ),
    failed: {
      response: { success: true, response: { status: 'failed', error: 'Asset not found' } },
      error: 'Asset not found',
    },
  },
  {
    service: 'Creatomate',
    accepted: {
      response: [{ id: 'a-1', status: 'planned', url: 'https://cdn.example/a' }],
      id: 'a-1',
    },
    statuses: each(
      {
        queued: ['planned', 'waiting'],
        working: ['transcribing', 'rendering'],
        done: ['succeeded'],
        failed: ['failed'],
      },
      (status) => ({ id: 'a-1', status, url: 'https://cdn.example/a' }),
    ),
    failed: {
      response: { id: 'a-1', status: 'failed', error_message: 'Font missing' },
      error: 'Font missing',
    },
  },
  {
    service: 'JSON2Video',
    accepted: { response: { success: true, project: 'Q4T7', timestamp: '2026-01-05' }, id: 'Q4T7' },
    statuses: [
      ...each({ queued: ['pending'], done: ['done'], failed: ['error', 'timeout'] }, (status) => ({
        success: true,
        movie: { status, message: '' },
      })),
      {
        response: { success: true, movie: { status: 'running', progress: 35 } },
        state: 'working',
        progress: 0.35,
      },
    ],
    failed: {
      response: { success: true, movie: { status: 'error', message: 'Bad element' } },
      error: 'Bad element',
    },
  },
  {
    service: 'Runway',
    accepted: { response: { id: '17f2' }, id: '17f2' },
    statuses: [
      ...each(
        {
          queued: ['PENDING', 'THROTTLED'],
          done: ['SUCCEEDED'],
          failed: ['FAILED'],
          cancelled: ['CANCELLED'],
        },
        (status) => ({ id: '17f2', status }),
      ),
      {
        response: { id: '17f2', status: 'RUNNING', progress: 0.35 },
        state: 'working',
        progress: 0.35,
      },
    ],
    failed: {
      response: { id: '17f2', status: 'FAILED', failure: 'It broke', failureCode: 'INTERNAL.BAD' },
      error: 'It broke (INTERNAL.BAD)',
    },
  },
  {
    service: 'Luma',
    accepted: { response: { id: '5a1b', state: 'queued' }, id: '5a1b' },
    statuses: each(
      { queued: ['queued'], working: ['dreaming'], done: ['completed'], failed: ['failed'] },
      (state) => ({ id: '5a1b', state, failure_reason: null, assets: { video: null } }),
    ),
    failed: {
      response: { id: '5a1b', state: 'failed', failure_reason: 'Moderated' },
      error: 'Moderated',
    },
  },
  {
    service: 'HeyGen',
    accepted: { response: { error: null, data: { video_id: 'e1' } }, id: 'e1' },
    statuses: each(
      {
        queued: ['waiting', 'pending'],
        working: ['processing'],
        done: ['completed'],
        failed: ['failed'],
      },
      (status) => ({ code: 100, message: 'Success', data: { id: 'e1', status, error: null } }),
    ),
    failed: {
      response: {
        code: 100,
        message: 'Success',
        data: { status: 'failed', error: { code: 40119, detail: 'x', message: 'Too long' } },
      },
      error: 'Too long (40119)',
    },
  },
  {
    service: 'Synthesia',
    accepted: { response: { id: 'b-7', status: 'in_progress' }, id: 'b-7' },
    statuses: each(
      { working: ['in_progress'], done: ['complete'], failed: ['error'], rejected: ['rejected'] },
      (status) => ({ id: 'b-7', status, createdAt: 1 }),
    ),
    failed: { response: { id: 'b-7', status: 'error' }, error: null },
  },
  {
    service: 'Replicate',
    accepted: { response: { id: 'gm3q', status: 'starting', error: null }, id: 'gm3q' },
    statuses: each(
      {
        queued: ['starting'],
        working: ['processing'],
        done: ['succeeded'],
        failed: ['failed'],
        cancelled: ['canceled', 'aborted'],
      },
      (status) => ({ id: 'gm3q', status, output: null, error: null }),
    ),
    failed: {
      response: { id: 'gm3q', status: 'failed', error: 'Out of memory' },
      error: 'Out of memory',
    },
  },
];
