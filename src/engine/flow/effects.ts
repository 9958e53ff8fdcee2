// What the outcome of a request to the service can mean: `effects-of.ts` says which outcome means
// what, and `apply-effects.ts` carries it out.
import type { Failure } from '../../contract/failure.ts';
import type { Quota } from '../../contract/summary.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import type { JobChange, JobRow, JobWait } from '../jobs/job-row.ts';
import type { MoveName } from '../jobs/lifecycle.ts';
import type {
  BalanceOutcome,
  CancelOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  StatusOutcome,
} from '../service/outcomes.ts';
import type { StatusWait } from './tracked-video.ts';

/** The outcome of a request, and what else decides what it means. */
export type Answer =
  | SubmissionAnswer
  | RepeatAnswer
  | StatusAnswer
  | LinkAnswer
  | OtherAnswer
  | KeyAnswer
  | CancelAnswer
  | BalanceAnswer;

export interface SubmissionAnswer {
  readonly to: 'submit';
  readonly outcome: GenerateOutcome;
  /** A 429 is about running renders, not about requests. */
  readonly isAboutRenders: boolean;
  /** The unit of the service's quota. */
  readonly quotaPer: Quota['per'] | null;
  /** When it arrived, milliseconds since the epoch. */
  readonly at: number;
}

/** A request of unknown outcome was sent again, byte for byte. */
export interface RepeatAnswer extends Pick<SubmissionAnswer, 'outcome' | 'isAboutRenders'> {
  readonly to: 'repeat';
}

export interface StatusAnswer {
  readonly to: 'status';
  readonly outcome: StatusOutcome;
  readonly isAborted: boolean;
  /** `null` if the user has abandoned the job meanwhile, or had it rendered again. */
  readonly job: Pick<JobRow, 'state' | 'readyAt'> | null;
  /** The service has repeated for long enough that it does not have the video, or an unknown word. */
  readonly isGivenUp: boolean;
  /** As in `SubmissionAnswer`. */
  readonly at: number;
}

export interface LinkAnswer {
  readonly to: 'link';
  readonly outcome: LinkOutcome;
  readonly isAborted: boolean;
  /** False if the user has abandoned or paused the job meanwhile, or a running transfer asks. */
  readonly isForJob: boolean;
  /** The service has repeated for long enough that there is no link, or no video. */
  readonly isGivenUp: boolean;
}

/** A request that is about no job of the queue, such as a page of the service's list. */
export interface OtherAnswer {
  readonly to: 'other';
  readonly outcome: ListOutcome | StatusOutcome;
  readonly isAborted: boolean;
}

export interface KeyAnswer {
  readonly to: 'key';
  readonly outcome: KeyCheckOutcome;
  readonly isAborted: boolean;
  /** False for a key that the user has entered, and that is not in use yet. */
  readonly isInUse: boolean;
}

export interface CancelAnswer {
  readonly to: 'cancel';
  readonly outcome: CancelOutcome;
  readonly isAborted: boolean;
}

export interface BalanceAnswer {
  readonly to: 'balance';
  readonly outcome: BalanceOutcome;
}

/** Of a request that may be repeated. */
export type ReadAnswer = Exclude<Answer, SubmissionAnswer | RepeatAnswer>;

/** Everything that one outcome means. */
export interface Effects {
  /** The job's moves in their order. The first failure in them may hold its batch. */
  readonly moves: readonly JobMove[];
  /** What happens to the job's unit of quota. */
  readonly ledger: 'charge' | 'release' | 'refund' | null;
  /** What the response says about the quota as a whole. */
  readonly quota: 'accepted' | 'refused' | null;
  /** `outdated`: it is read again soon. */
  readonly balance: 'spent' | 'outdated' | null;
  readonly limits: LimitEffect;
  /** What the response says about the number of renders at a time. */
  readonly renders: 'accepted' | 'refused' | null;
  readonly breaker:
    | { readonly kind: 'clear' }
    | { readonly kind: 'unknown'; readonly failure: Failure }
    | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
    | null;
  readonly key: 'accepted' | 'refused' | null;
  /** Of the service as a whole: it has ended, or the failure that begins or prolongs it. */
  readonly outage: 'ended' | Failure | null;
  /** The same of the endpoint that was asked about a video. */
  readonly endpoint: 'usable' | Failure | null;
  /** When the video's status is requested next: in its turn, or after a wait. */
  readonly nextPoll:
    | 'in-turn'
    | { readonly wait: StatusWait; readonly ms?: number | undefined }
    | null;
  /** Whether the response is stored with the job. */
  readonly storesResponse: boolean;
}

/** `null`: the job's fields change, and its state does not. */
export interface JobMove {
  readonly name: MoveName | null;
  readonly change?: JobChange;
  /** Why, for the job's history. */
  readonly note?: UserMessage;
  /** The download is tried again later. */
  readonly wait?: JobWait;
}

/**
 * What an outcome means for the limits that the request counts against: `not-counted` when no byte
 * of it left, `counted` when nothing is known of its response, `answered` when its response is about
 * these limits, `answered-elsewhere` when it is a refusal for another reason, whose `Retry-After` may
 * be weeks away.
 */
export type LimitEffect = 'not-counted' | 'counted' | 'answered' | 'answered-elsewhere';
