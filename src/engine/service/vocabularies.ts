import { remoteStateSchema } from '../../contract/job.ts';
import { foldWord, type AnswerRules } from '../../contract/answer-rules.ts';
import type { RemoteState } from './outcomes.ts';

const LINK: AnswerRules['link'] = { url: ['downloadUrl'], expiresAt: ['expiresAt'] };

/**
 * The API does not document the answer to a used-up quota (service-api.md §7). A code and "payment
 * required" say it; a message that speaks of plans may just as well recommend one.
 */
const QUOTA_REFUSAL: AnswerRules['quotaRefusal'] = {
  statuses: [402],
  spokenStatuses: [],
  codes: ['QUOTA_EXCEEDED'],
  speaksOf: [],
};

/** Some services count in credits, and say in words that these are used up. */
const CREDITS_REFUSAL: AnswerRules['quotaRefusal'] = {
  ...QUOTA_REFUSAL,
  spokenStatuses: [403, 429],
  speaksOf: ['quota', 'quotas', 'credit', 'credits'],
};

/** Words by what they mean: `{ done: ['succeeded', 'complete'] }`. */
function words(meanings: Partial<Record<RemoteState, string[]>>): AnswerRules['words'] {
  const byWord: AnswerRules['words'] = {};
  for (const state of remoteStateSchema.options) {
    for (const word of meanings[state] ?? []) byWord[word] = state;
  }
  return byWord;
}

/**
 * The rules for a service of which nothing but the document is known: every usual name in every
 * usual place, and every word that any of the known services uses.
 */
export const usualRules: AnswerRules = {
  under: ['', 'data', 'response', 'video', 'movie', '[0]'],
  id: ['id', 'videoId', 'video_id', 'projectId', 'project', 'jobId', 'task_id'],
  status: ['status', 'state'],
  words: words({
    queued: ['queued', 'pending', 'waiting', 'planned', 'throttled', 'starting', 'submitted'],
    working: [
      ...['rendering', 'processing', 'running', 'working', 'in_progress', 'dreaming'],
      ...['fetching', 'preprocessing', 'saving', 'transcribing', 'generating', 'started'],
    ],
    done: ['done', 'completed', 'complete', 'succeeded', 'finished', 'ready'],
    failed: ['failed', 'error', 'timeout'],
    rejected: ['rejected'],
    cancelled: ['cancelled', 'canceled', 'aborted'],
  }),
  progress: { paths: ['progress'], scale: 'fraction' },
  error: {
    text: ['error', 'error_message', 'errorMessage', 'failure_reason', 'failure', 'message'],
    code: ['code', 'failureCode', 'error_code', 'errorCode'],
  },
  link: LINK,
  quotaRefusal: QUOTA_REFUSAL,
};

/** What differs from one known service to the next (`profiles.md`). */
type Vocabulary = Pick<AnswerRules, 'id' | 'status' | 'words' | 'progress' | 'error'> & {
  readonly url: string;
};

function rules({ url, ...vocabulary }: Vocabulary): AnswerRules {
  return {
    under: [''],
    ...vocabulary,
    link: { url: [...LINK.url, url], expiresAt: LINK.expiresAt },
    quotaRefusal: CREDITS_REFUSAL,
  };
}

/** How known services answer, as starting points for a profile of one's own. */
export const vocabularies = {
  Shotstack: rules({
    id: ['response.id'],
    status: ['response.status'],
    words: words({
      queued: ['queued'],
      working: ['fetching', 'preprocessing', 'rendering', 'saving'],
      done: ['done'],
      failed: ['failed'],
    }),
    progress: null,
    error: { text: ['response.error'], code: [] },
    url: 'response.url',
  }),
  Creatomate: rules({
    id: ['id', '[0].id'],
    status: ['status', '[0].status'],
    words: words({
      queued: ['planned', 'waiting'],
      working: ['transcribing', 'rendering'],
      done: ['succeeded'],
      failed: ['failed'],
    }),
    progress: null,
    error: { text: ['error_message', '[0].error_message'], code: [] },
    url: 'url',
  }),
  JSON2Video: rules({
    id: ['project'],
    status: ['movie.status'],
    words: words({
      queued: ['pending'],
      working: ['running'],
      done: ['done'],
      failed: ['error', 'timeout'],
    }),
    progress: { paths: ['movie.progress'], scale: 'percent' },
    error: { text: ['movie.message'], code: [] },
    url: 'movie.url',
  }),
  Runway: rules({
    id: ['id'],
    status: ['status'],
    words: words({
      queued: ['pending', 'throttled'],
      working: ['running'],
      done: ['succeeded'],
      failed: ['failed'],
      cancelled: ['cancelled'],
    }),
    progress: { paths: ['progress'], scale: 'fraction' },
    error: { text: ['failure'], code: ['failureCode'] },
    url: 'output[0]',
  }),
  Luma: rules({
    id: ['id'],
    status: ['state'],
    words: words({
      queued: ['queued'],
      working: ['dreaming'],
      done: ['completed'],
      failed: ['failed'],
    }),
    progress: null,
    error: { text: ['failure_reason'], code: [] },
    url: 'assets.video',
  }),
  HeyGen: rules({
    id: ['data.video_id', 'data.id'],
    status: ['data.status'],
    words: words({
      queued: ['waiting', 'pending'],
      working: ['processing'],
      done: ['completed'],
      failed: ['failed'],
    }),
    progress: null,
    error: { text: ['data.error'], code: [] },
    url: 'data.video_url',
  }),
  Synthesia: rules({
    id: ['id'],
    status: ['status'],
    words: words({
      working: ['in_progress'],
      done: ['complete'],
      failed: ['error'],
      rejected: ['rejected'],
    }),
    progress: null,
    error: { text: [], code: [] },
    url: 'download',
  }),
  Replicate: rules({
    id: ['id'],
    status: ['status'],
    words: words({
      queued: ['starting'],
      working: ['processing'],
      done: ['succeeded'],
      failed: ['failed'],
      cancelled: ['canceled', 'aborted'],
    }),
    progress: null,
    error: { text: ['error'], code: [] },
    url: 'output',
  }),
} as const satisfies Record<string, AnswerRules>;

/** The rules with one more word, or another meaning for one that they had. */
export function defineStatusWord(
  rules: AnswerRules,
  word: string,
  means: RemoteState,
): AnswerRules {
  return { ...rules, words: { ...rules.words, [foldWord(word)]: means } };
}
