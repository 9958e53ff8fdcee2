// What each outcome of each request means for everything that learns from it. Pure.
import type { Failure } from '../../contract/failure.ts';
import type { RemoteState } from '../../contract/job.ts';
import type { Quota } from '../../contract/summary.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { JobChange } from '../jobs/job-row.ts';
import type {
  GenerateOutcome,
  ReadOutcome,
  RemoteStatus,
  StatusOutcome,
} from '../service/outcomes.ts';
import type {
  Answer,
  BalanceAnswer,
  CancelAnswer,
  Effects,
  JobMove,
  KeyAnswer,
  LimitEffect,
  LinkAnswer,
  OtherAnswer,
  RepeatAnswer,
  StatusAnswer,
  SubmissionAnswer,
} from './effects.ts';
import { DELETED_FOR_MS } from './tracked-video.ts';

const NONE: Effects = {
  moves: [],
  ledger: null,
  quota: null,
  balance: null,
  limits: 'answered',
  renders: null,
  breaker: null,
  key: null,
  outage: null,
  endpoint: null,
  nextPoll: null,
  storesResponse: false,
};

export function effectsOf(answer: Answer): Effects {
  switch (answer.to) {
    case 'submit':
      return ofSubmission(answer);
    case 'repeat':
      return ofRequest(answer);
    case 'status':
      return { ...ofRead(answer), ...ofStatus(answer) };
    case 'link':
      return { ...ofRead(answer), ...ofLink(answer) };
    case 'other':
      return ofRead(answer);
    case 'key':
      return ofKeyCheck(answer);
    case 'cancel':
    case 'balance':
      return ofUnrelated(answer);
  }
}

function ofSubmission(answer: SubmissionAnswer): Effects {
  const { outcome, isAboutRenders, quotaPer, at } = answer;
  const effects = ofRequest(answer);
  const requeued = (note: UserMessage) =>
    ({ moves: [{ name: 'requeue', note }], ledger: 'release' }) as const;
  switch (outcome.kind) {
    case 'accepted': {
      const { remoteId, warnings, cost = null } = outcome;
      const notice =
        warnings === undefined ? null : userMessage('accepted-with-warnings', { text: warnings });
      const change = { remoteId, submittedAt: at, failure: null, notice, cost };
      return {
        ...effects,
        moves: [{ name: 'accept', change, ...(notice && { note: notice }) }],
        ledger: 'charge',
        quota: 'accepted',
        balance: 'spent',
        renders: 'accepted',
        breaker: { kind: 'clear' },
      };
    }
    case 'rejected': {
      const { failure, about, response } = outcome;
      const isPaid = (failure.refusal?.paid ?? 'no') !== 'no';
      return {
        ...effects,
        moves: [{ name: 'reject', change: { failure }, note: failure }],
        ...(isPaid ? { ledger: 'charge', balance: 'spent' } : { ledger: 'release' }),
        breaker:
          about === 'video'
            ? { kind: 'clear' }
            : { kind: 'refused', status: response.status, failure },
      };
    }
    case 'server-error':
    case 'unknown': {
      const { failure } = outcome;
      return {
        ...effects,
        moves: [{ name: 'markUncertain', change: { failure }, note: failure }],
        breaker: { kind: 'unknown', failure },
      };
    }
    case 'quota-used-up':
      return {
        ...effects,
        ...requeued(noteOfRefusedQuota(quotaPer, outcome.failure)),
        quota: 'refused',
        balance: 'outdated',
        breaker: { kind: 'clear' },
      };
    case 'rate-limited':
      return {
        ...effects,
        ...requeued(userMessage(isAboutRenders ? 'too-many-at-once' : 'too-early')),
        renders: isAboutRenders ? 'refused' : null,
        breaker: { kind: 'clear' },
      };
    case 'not-sent':
    case 'key-refused':
      return { ...effects, ...requeued(outcome.failure) };
  }
}

/** The note in a job's history for a refusal that is taken for a used-up quota. */
function noteOfRefusedQuota(per: Quota['per'] | null, failure: Failure): UserMessage {
  switch (per) {
    case 'month':
      return failure;
    case 'day':
      return userMessage('daily-quota-refused');
    case null:
      return userMessage('nothing-left');
  }
}

function ofStatus({ outcome, job, isGivenUp, at }: StatusAnswer): Partial<Effects> {
  if (job === null) return {};
  const storesResponse = hasResponse(outcome);
  switch (outcome.kind) {
    case 'status':
      return { ...ofReported(outcome, job, isGivenUp, at), storesResponse };
    case 'refused':
      return { ...ofRefusal(outcome.failure), storesResponse };
    case 'not-found':
    case 'expired': {
      if (isGivenUp) return { moves: [renderFailed(outcome.failure)], storesResponse };
      const ms = outcome.kind === 'expired' ? DELETED_FOR_MS : undefined;
      return { nextPoll: { wait: 'not-found', ms }, storesResponse };
    }
    case 'unusable':
    case 'server-error':
      return { nextPoll: { wait: 'service-error' }, storesResponse };
    case 'rate-limited':
    case 'key-refused':
    case 'unreachable':
      return {};
  }
}

/** The service reported the video's status. */
function ofReported(
  { status, cost }: StatusOutcome & { readonly kind: 'status' },
  { state, readyAt }: NonNullable<StatusAnswer['job']>,
  isGivenUp: boolean,
  at: number,
): Partial<Effects> {
  const known = {
    serviceWord: status.word,
    wordUnknown: status.state === null,
    progress: status.progress,
    failure: null,
    ...(cost && { cost }),
  };
  switch (status.state) {
    case 'done': {
      if (status.isRemoved) return inTurn(renderFailed(VIDEO_REMOVED, known));
      const change = { ...known, progress: null, readyAt: readyAt ?? at };
      return inTurn({ name: 'finish', change });
    }
    case 'failed':
    case 'rejected':
    case 'cancelled': {
      const failed = renderFailed(failedRender(status.state, status), known);
      return { ...inTurn(failed), ledger: 'refund' };
    }
    case 'working':
      return inTurn({ name: state === 'submitted' ? 'render' : null, change: known });
    case 'queued':
      return inTurn({ name: null, change: known });
    case null:
      return isGivenUp
        ? { moves: [renderFailed(unknownStatus(status), known)] }
        : { moves: [{ name: null, change: known }], nextPoll: { wait: 'status-unknown' } };
  }
}

function inTurn(move: JobMove): Pick<Effects, 'moves' | 'nextPoll'> {
  return { moves: [move], nextPoll: 'in-turn' };
}

function renderFailed(failure: Failure, change: JobChange = {}): JobMove {
  return { name: 'renderFailed', change: { ...change, failure }, note: failure };
}

const VIDEO_REMOVED: Failure = { code: 'video-expired', ...userMessage('video-deleted-there') };

function unknownStatus({ word }: RemoteStatus): Failure {
  const message =
    word === null ? userMessage('status-missing') : userMessage('status-unknown', { word });
  return { code: 'status-unknown', ...message };
}

function failedRender(state: RemoteState, { word, error }: RemoteStatus): Failure {
  return {
    code: 'render-failed',
    ...userMessage('render-failed-there', { word: word ?? state }),
    ...(error === null ? {} : { detail: error.slice(0, 2000) }),
  };
}

/** The unit of quota is returned only if the refusal is known to be free. */
function ofRefusal(failure: Failure): Pick<Effects, 'moves' | 'ledger'> {
  return {
    moves: [{ name: 'refuse', change: { failure }, note: failure }],
    ledger: failure.refusal?.paid === 'no' ? 'refund' : null,
  };
}

/** A link moves nothing: the transfer that uses it begins when its file is open. */
function ofLink({ outcome, isForJob, isAborted, isGivenUp }: LinkAnswer): Partial<Effects> {
  if (!isForJob) return {};
  const failed = (failure: Failure): JobMove => ({
    name: 'downloadFailed',
    change: { failure },
    note: failure,
  });
  const later: JobMove = { name: null, wait: { kind: 'service-error' } };
  switch (outcome.kind) {
    case 'not-ready':
      return {
        moves: [
          isGivenUp ? failed(WITHOUT_FILE) : { name: 'notReady', wait: { kind: 'not-ready' } },
        ],
        storesResponse: true,
      };
    case 'no-link':
      return { moves: [isGivenUp ? failed(WITHOUT_FILE) : later], storesResponse: true };
    // The poller requests the status, for which the limit is far higher than for links. If the status
    // still says that the video exists, its link is requested a few more times.
    case 'not-found':
    case 'expired': {
      const { failure } = outcome;
      const asked = { name: 'notReady', wait: { kind: 'not-found' }, note: failure } as const;
      return { moves: [isGivenUp ? failed(failure) : asked], storesResponse: true };
    }
    case 'refused': {
      const refusal = ofRefusal(outcome.failure);
      return {
        ...refusal,
        moves: [{ name: 'notReady' }, ...refusal.moves],
        storesResponse: true,
      };
    }
    case 'unusable':
    case 'server-error':
      return { moves: isAborted ? [] : [later], storesResponse: hasResponse(outcome) };
    case 'link':
    case 'rate-limited':
    case 'key-refused':
    case 'unreachable':
      return {};
  }
}

const WITHOUT_FILE: Failure = {
  code: 'file-not-offered',
  ...userMessage('finished-without-file'),
};

/**
 * No profile says which limit a cancellation or a balance counts against, and the key may lack
 * permission for just this request: its response says nothing about the limits or the key, since all
 * other requests would be stopped.
 */
function ofUnrelated(answer: CancelAnswer | BalanceAnswer): Effects {
  const { outcome } = answer;
  if (outcome.kind !== 'unreachable') return { ...NONE, limits: 'counted' };
  const isOutage = answer.to === 'cancel' && !answer.isAborted;
  return { ...NONE, limits: 'not-counted', outage: isOutage ? outcome.failure : null };
}

/** A key that is not in use says nothing about the one in use. */
function ofKeyCheck(answer: KeyAnswer): Effects {
  const { outcome, isInUse } = answer;
  const effects = ofRead(answer);
  const key = isInUse ? effects.key : null;
  return {
    ...effects,
    key,
    outage: outcome.kind === 'unusable' ? outcome.failure : effects.outage,
  };
}

/** What the response to a request for a video says, whether or not its job moves. */
function ofRequest({ outcome, isAboutRenders }: Omit<RepeatAnswer, 'to'>): Effects {
  const isElsewhere =
    outcome.kind === 'quota-used-up' || (outcome.kind === 'rate-limited' && isAboutRenders);
  return {
    ...NONE,
    ...ofService(outcome, false),
    limits: isElsewhere ? 'answered-elsewhere' : ofLimits(outcome),
    storesResponse: hasResponse(outcome),
  };
}

/** The same of a request that may be repeated. */
function ofRead(answer: StatusAnswer | LinkAnswer | OtherAnswer | KeyAnswer): Effects {
  const { to, outcome, isAborted } = answer;
  const effects = { ...NONE, ...ofService(outcome, isAborted), limits: ofLimits(outcome) };
  if (to !== 'status' && to !== 'link') return effects;
  return { ...effects, ...ofEndpoint(outcome, isAborted) };
}

function ofLimits(outcome: GenerateOutcome | ReadOutcome): LimitEffect {
  if (outcome.kind === 'not-sent' || outcome.kind === 'unreachable') return 'not-counted';
  return outcome.response === null ? 'counted' : 'answered';
}

/** @param isAborted whether the engine aborted the request: then a missing response says nothing */
function ofService(
  outcome: GenerateOutcome | ReadOutcome,
  isAborted: boolean,
): Pick<Effects, 'key' | 'outage'> {
  switch (outcome.kind) {
    case 'not-sent':
    case 'unreachable':
      return { key: null, outage: isAborted ? null : outcome.failure };
    // It may be about this request alone; the circuit breaker or the endpoint's outage decides.
    case 'unknown':
    case 'no-link':
    case 'unusable':
    case 'server-error':
      return { key: null, outage: null };
    case 'key-refused':
      return { key: 'refused', outage: 'ended' };
    case 'rejected':
      // A service that refuses every request may not have checked the key.
      return { key: outcome.about === 'video' ? 'accepted' : null, outage: 'ended' };
    case 'rate-limited':
    case 'quota-used-up':
    case 'accepted':
    case 'status':
    case 'refused':
    case 'link':
    case 'page':
    case 'not-ready':
    case 'not-found':
    case 'expired':
      return { key: 'accepted', outage: 'ended' };
  }
}

/** What the response about an existing video says about the endpoint. */
function ofEndpoint(outcome: ReadOutcome, isAborted: boolean): Partial<Effects> {
  switch (outcome.kind) {
    case 'no-link':
    case 'unusable':
    case 'server-error':
      if (outcome.response !== null) return { outage: 'ended', endpoint: outcome.failure };
      return isAborted ? {} : { endpoint: outcome.failure };
    case 'rate-limited':
    case 'key-refused':
    case 'unreachable':
      return {};
    case 'accepted':
    case 'status':
    case 'refused':
    case 'link':
    case 'page':
    case 'not-ready':
    case 'not-found':
    case 'expired':
      return { endpoint: 'usable' };
  }
}

function hasResponse(outcome: GenerateOutcome | ReadOutcome): boolean {
  return 'response' in outcome && outcome.response !== null;
}
