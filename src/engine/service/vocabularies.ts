import { remoteStateSchema, type RemoteState } from '../../contract/job.ts';
import { foldWord, type AnswerRules } from '../../contract/answer-rules.ts';

/**
 * The API does not document the response for a used-up quota (service-api.md §7). A code and
 * "payment required" mean it; a message about plans may only recommend one.
 */
const QUOTA_REFUSAL: AnswerRules['quotaRefusal'] = {
  statuses: [402],
  spokenStatuses: [],
  codes: [
    'QUOTA_EXCEEDED',
    // OpenAI's, and those of the services with its endpoints.
    'insufficient_quota',
    'credit_balance_exhausted',
    'project_spend_limit_exceeded',
    'organization_spend_limit_exceeded',
    'organization_usage_limit_exceeded',
  ],
  speaksOf: [],
};

/** Maps words to their meaning: `{ done: ['succeeded', 'complete'] }`. */
export function words(meanings: Partial<Record<RemoteState, string[]>>): AnswerRules['words'] {
  const byWord: AnswerRules['words'] = {};
  for (const state of remoteStateSchema.options) {
    for (const word of meanings[state] ?? []) byWord[word] = state;
  }
  return byWord;
}

/**
 * The rules for a service that is not known beyond the document: every usual name in every usual
 * place, and every word of the known services.
 */
export const usualRules: AnswerRules = {
  under: ['', 'data', 'response', 'video', 'movie', '[0]'],
  id: ['id', 'videoId', 'video_id', 'projectId', 'project', 'jobId', 'task_id'],
  status: ['status', 'state'],
  words: words({
    queued: ['queued', 'pending', 'waiting', 'planned', 'throttled', 'starting', 'submitted'],
    working: [
      'rendering',
      'processing',
      'running',
      'working',
      'in_progress',
      'dreaming',
      'fetching',
      'preprocessing',
      'saving',
      'transcribing',
      'generating',
      'started',
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
  refusedFields: [
    { list: 'details.issues', path: 'path', detail: 'reason' },
    { list: 'detail', path: 'loc', detail: 'msg', code: 'type' },
    { list: 'issues', path: 'path', detail: 'message', code: 'code' },
    { list: 'errors', path: 'field', detail: 'message', code: 'code' },
    { list: 'error', path: 'param', detail: 'message', code: 'code' },
  ],
  contentRefusals: [
    {
      codes: [
        'content_policy_violation',
        'content_moderated',
        'content_moderation',
        'content_filter',
        'moderation_blocked',
        'safety_violation',
      ],
      phrases: ['content policy', 'content filter', 'content moderation', 'nsfw', 'moderated'],
      when: 'before-render',
      paid: 'unknown',
    },
  ],
  link: { url: ['downloadUrl'], expiresAt: ['expiresAt'] },
  quotaRefusal: QUOTA_REFUSAL,
};

/** The rules with one more word, or another meaning for one that they had. */
export function defineStatusWord(
  rules: AnswerRules,
  word: string,
  means: RemoteState,
): AnswerRules {
  return { ...rules, words: { ...rules.words, [foldWord(word)]: means } };
}
