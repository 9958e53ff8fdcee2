import type { Changed } from '../../src/contract/contract.ts';
import type { Job } from '../../src/contract/job.ts';
import { isIn, type JobState } from '../../src/contract/job-states.ts';
import { userMessage, type UserMessage } from '../../src/contract/user-message.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { EngineError, NotPossibleNowError } from '../../src/engine/engine-error.ts';
import { canMove, MOVES, type MoveName } from '../../src/engine/jobs/lifecycle.ts';

export interface FakeJobParts {
  readonly jobs: () => readonly Job[];
  /** @throws JobUnknownError */
  readonly find: (id: string) => Job;
  /** Changes rows and notifies watchers. */
  readonly change: (ids: readonly string[], change: Partial<Job>) => void;
  /** Puts rows before another one, or at the end. */
  readonly reorder: (ids: readonly string[], before: string | null) => void;
}

/** The change of a row by a command; an `EngineError` refuses it. */
type Act = (job: Job) => Partial<Job>;

type JobCommands = Omit<Commands['jobs'], 'list' | 'show'>;

/** The job commands of a fake: the engine's own table of transitions, on rows in an array. */
export function fakeJobCommands({ jobs, find, change, reorder }: FakeJobParts): JobCommands {
  /** As `changeEach` of the engine: one that refuses does not stop the others. */
  function each(ids: readonly string[], act: Act): Changed {
    const refused: Changed['refused'] = [];
    const changes = new Map<string, Partial<Job>>();
    for (const id of ids) {
      try {
        changes.set(id, act(find(id)));
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        refused.push({ id, failure: error.failure });
      }
    }
    for (const [id, changed] of changes) change([id], changed);
    return { changed: ids.length - refused.length, refused };
  }

  const failed = (): string[] =>
    jobs()
      .filter(({ state }) => state === 'failed' || state === 'rejected')
      .map(({ id }) => id);

  function retry(ids: readonly string[], payAgain: boolean): Changed {
    return each(ids, (job) => {
      const retried = moved(job, 'retry', userMessage('retry-only-ended'));
      switch (retryKindOf(job)) {
        case 'download':
          return { state: 'ready', failure: null };
        case 'gone':
          return payAgain ? { ...retried, failure: null } : { state: 'rendering' };
        case 'render':
          return { ...retried, failure: null };
      }
    });
  }

  return {
    hold: ({ ids }) => each(ids, (job) => moved(job, 'hold', userMessage('hold-too-late'))),
    resume: ({ ids }) =>
      each(ids, (job) =>
        moved(job, job.state === 'draft' ? 'confirm' : 'release', userMessage('not-held')),
      ),
    cancel: ({ ids }) =>
      each(ids, (job) => {
        if (job.state === 'uncertain') throw new NotPossibleNowError(userMessage('decide-first'));
        if (job.state === 'sending') throw new NotPossibleNowError(userMessage('sending-now'));
        const move = canMove('cancel', job.state) ? 'cancel' : 'letGo';
        return moved(job, move, userMessage('nothing-to-withdraw'));
      }),
    retry: ({ ids, payAgain }) => retry(ids, payAgain),
    retryFailed: ({ limit, payAgain }) => retry(failed().slice(0, limit), payAgain),
    planRetry({ ids = failed() }) {
      const kinds = jobs()
        .filter(({ id, state }) => ids.includes(id) && canMove('retry', state))
        .map(retryKindOf);
      const count = (kind: string): number => kinds.filter((each) => each === kind).length;
      return { downloads: count('download'), renders: count('render'), gone: count('gone') };
    },
    fetch: ({ ids }) =>
      each(ids, (job) => {
        const refusal = userMessage('nothing-to-fetch');
        // Without a video at the service there is nothing to fetch.
        if (job.remoteId === null || retryKindOf(job) === 'render') {
          if (job.state === 'failed') throw new NotPossibleNowError(refusal);
        }
        return { ...moved(job, 'fetchAgain', refusal), failure: null };
      }),
    move({ ids, before }) {
      const moving: string[] = [];
      const answer = each(ids, (job) => {
        assertUnsent(job, userMessage('place-too-late'));
        moving.push(job.id);
        return {};
      });
      reorder(moving, before);
      return answer;
    },
    prioritise: ({ ids, priority }) =>
      each(ids, (job) => {
        assertUnsent(job, userMessage('priority-too-late'));
        return { priority };
      }),
    edit({ id, title }) {
      assertUnsent(find(id), userMessage('edit-too-late'));
      change([id], title === undefined ? {} : { title });
      return find(id);
    },
    resolve(word) {
      const job = find(word.id);
      if (job.state !== 'uncertain') throw new NotPossibleNowError(userMessage('outcome-known'));
      if (job.attempts !== word.attempts)
        throw new NotPossibleNowError(userMessage('sent-again-meanwhile'));
      const changes = {
        made: {
          state: 'submitted',
          failure: null,
          ...('remoteId' in word && { remoteId: word.remoteId }),
        },
        'send-again': { state: 'queued', failure: null },
        'let-go': { state: 'abandoned' },
      } as const;
      change([word.id], changes[word.as]);
      return find(word.id);
    },
  };
}

function moved({ state }: Job, move: MoveName, otherwise: UserMessage): { state: JobState } {
  if (!canMove(move, state)) throw new NotPossibleNowError(otherwise);
  return { state: MOVES[move].to };
}

export function assertUnsent({ state }: Job, otherwise: UserMessage): void {
  if (!isIn('unsent', state)) throw new NotPossibleNowError(otherwise);
}

function retryKindOf({ failure }: Job): 'download' | 'render' | 'gone' {
  switch (failure?.code) {
    case 'download-failed':
    case 'file-damaged':
      return 'download';
    case 'video-expired':
    case 'video-unknown':
      return 'gone';
    default:
      return 'render';
  }
}
