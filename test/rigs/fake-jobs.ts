import type { Changed } from '../../src/contract/contract.ts';
import type { Job } from '../../src/contract/job.ts';
import { isIn, type JobState } from '../../src/contract/job-states.ts';
import { userMessage, type UserMessage } from '../../src/contract/user-message.ts';
import { EngineError, NotPossibleNowError } from '../../src/engine/engine-error.ts';
import { canMove, MOVES, type MoveName } from '../../src/engine/jobs/lifecycle.ts';
import { toContractError } from '../../src/host/failures.ts';

export interface FakeJobParts {
  readonly jobs: () => readonly Job[];
  /** @throws JobUnknownError */
  readonly find: (id: string) => Job;
  /** Changes rows and tells whoever watches. */
  readonly change: (ids: readonly string[], change: Partial<Job>) => void;
  /** Puts rows before another one, or at the end. */
  readonly reorder: (ids: readonly string[], before: string | null) => void;
  readonly record: (name: string, input: unknown) => void;
}

/** What becomes of a row in a command; an `EngineError` refuses it. */
type Act = (job: Job) => Partial<Job>;

type Word = { readonly id: string; readonly attempts: number } & (
  | { readonly as: 'made'; readonly remoteId: string }
  | { readonly as: 'send-again' }
  | { readonly as: 'let-go' }
);

/** What a job's owner may do with it, by the engine's own table of moves, on rows in an array. */
export function fakeJobCommands({ jobs, find, change, reorder, record }: FakeJobParts) {
  /** As `changeEach` of the engine: one that refuses does not stop the others. */
  function each(name: string, input: object, ids: readonly string[], act: Act): Promise<Changed> {
    record(name, input);
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
    return Promise.resolve({ changed: ids.length - refused.length, refused });
  }

  const failed = (): string[] =>
    jobs()
      .filter(({ state }) => state === 'failed' || state === 'rejected')
      .map(({ id }) => id);

  function retry(name: string, ids: readonly string[], input: { readonly payAgain?: boolean }) {
    return each(name, input, ids, (job) => {
      const retried = moved(job, 'retry', userMessage('retry-only-ended'));
      switch (retryKindOf(job)) {
        case 'download':
          return { state: 'ready', failure: null };
        case 'gone':
          return input.payAgain === true ? { ...retried, failure: null } : { state: 'rendering' };
        case 'render':
          return { ...retried, failure: null };
      }
    });
  }

  return {
    hold: ({ ids }: { ids: string[] }) =>
      each('jobs.hold', { ids }, ids, (job) => moved(job, 'hold', userMessage('hold-too-late'))),
    resume: ({ ids }: { ids: string[] }) =>
      each('jobs.resume', { ids }, ids, (job) =>
        moved(job, job.state === 'draft' ? 'confirm' : 'release', userMessage('not-held')),
      ),
    cancel: ({ ids }: { ids: string[] }) =>
      each('jobs.cancel', { ids }, ids, (job) => {
        if (job.state === 'uncertain') throw new NotPossibleNowError(userMessage('decide-first'));
        if (job.state === 'sending') throw new NotPossibleNowError(userMessage('sending-now'));
        const move = canMove('cancel', job.state) ? 'cancel' : 'letGo';
        return moved(job, move, userMessage('nothing-to-withdraw'));
      }),
    retry: ({ ids, payAgain }: { ids: string[]; payAgain?: boolean }) =>
      retry('jobs.retry', ids, { ids, ...(payAgain && { payAgain }) } as { payAgain?: boolean }),
    retryFailed({ limit, payAgain }: { limit: number; payAgain?: boolean }) {
      const input = { limit, ...(payAgain && { payAgain }) };
      return retry('jobs.retryFailed', failed().slice(0, limit), input);
    },
    planRetry({ ids = failed() }: { ids?: string[] }) {
      const kinds = jobs()
        .filter(({ id, state }) => ids.includes(id) && canMove('retry', state))
        .map(retryKindOf);
      const count = (kind: string): number => kinds.filter((each) => each === kind).length;
      return Promise.resolve({
        downloads: count('download'),
        renders: count('render'),
        gone: count('gone'),
      });
    },
    fetch: ({ ids }: { ids: string[] }) =>
      each('jobs.fetch', { ids }, ids, (job) => {
        const refusal = userMessage('nothing-to-fetch');
        // Without a video at the service there is nothing to fetch.
        if (job.remoteId === null || retryKindOf(job) === 'render') {
          if (job.state === 'failed') throw new NotPossibleNowError(refusal);
        }
        return { ...moved(job, 'fetchAgain', refusal), failure: null };
      }),
    async move({ ids, before }: { ids: string[]; before: string | null }) {
      const moving: string[] = [];
      const answer = await each('jobs.move', { ids, before }, ids, (job) => {
        assertUnsent(job, userMessage('place-too-late'));
        moving.push(job.id);
        return {};
      });
      reorder(moving, before);
      return answer;
    },
    prioritise: ({ ids, priority }: { ids: string[]; priority: number }) =>
      each('jobs.prioritise', { ids, priority }, ids, (job) => {
        assertUnsent(job, userMessage('priority-too-late'));
        return { priority };
      }),
    edit: forPeople((input: { id: string; title?: string; request?: unknown }) => {
      record('jobs.edit', input);
      const { id, title } = input;
      assertUnsent(find(id), userMessage('edit-too-late'));
      change([id], title === undefined ? {} : { title });
      return find(id);
    }),
    resolve: forPeople((word: Word) => {
      record('jobs.resolve', word);
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
    }),
  };
}

/** A command whose errors cross to its caller as they do from a host. */
export function forPeople<Input, Output>(
  command: (input: Input) => Output,
): (input: Input) => Promise<Output> {
  return async (input) => {
    try {
      return await command(input);
    } catch (error) {
      throw toContractError(error);
    }
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
