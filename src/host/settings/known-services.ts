import type { AnswerRules } from '../../contract/answer-rules.ts';
import { usualRules, words } from '../../engine/service/vocabularies.ts';

/** Some services count credits, and report used-up credits only in the message. */
const CREDITS_REFUSAL: AnswerRules['quotaRefusal'] = {
  ...usualRules.quotaRefusal,
  spokenStatuses: [403, 429],
  speaksOf: ['quota', 'quotas', 'credit', 'credits'],
};

/** The differences between the known services (`profiles.md`). */
type Vocabulary = Pick<AnswerRules, 'id' | 'status' | 'words' | 'progress' | 'error'> & {
  readonly url: string;
};

function rules({ url, ...vocabulary }: Vocabulary): AnswerRules {
  return {
    under: [''],
    ...vocabulary,
    link: { ...usualRules.link, url: [...usualRules.link.url, url] },
    quotaRefusal: CREDITS_REFUSAL,
  };
}

/** The responses of known services, as starting points for a user's own profile. */
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
