import type { Failure } from '../../contract/failure.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Charges } from '../pacing/endpoint-windows.ts';
import type { GenerateOutcome } from '../service/outcomes.ts';
import type { FlowContext } from './flow-context.ts';
import type { QuotaTracker } from './quota-tracker.ts';
import { holdAfterRefusals } from './refusals.ts';
import { endAttempt } from './requests.ts';
import type { SubmissionCircuitBreaker } from './submission-circuit-breaker.ts';

/** A request that is about to leave, as it was stored. */
export interface Attempt {
  readonly attemptId: number;
  readonly jobId: number;
  readonly job: JobRow;
  readonly body: string;
  readonly idempotencyKey: string | undefined;
  readonly charges: Charges;
}

/**
 * If another video has the same identifier, it is not this one's, unless both are the same request:
 * otherwise one video would be saved under two names. A cache between us and the service can send
 * such a response.
 */
export function checkedOutcome(
  job: JobRow,
  outcome: GenerateOutcome,
  { store }: FlowContext,
): GenerateOutcome {
  if (outcome.kind !== 'accepted') return outcome;
  const other = store.jobs
    .withRemoteId(outcome.remoteId)
    .find(({ bodySha256 }) => bodySha256 !== job.bodySha256);
  if (!other) return outcome;
  const message = userMessage('identifier-of-another', { title: other.title });
  return {
    kind: 'unknown',
    failure: { code: 'outcome-unknown', ...message, detail: outcome.remoteId },
    response: outcome.response,
  };
}

/** Stores everything that an outcome means, in one transaction. */
export function storeOutcome(
  attempt: Attempt,
  outcome: GenerateOutcome,
  context: FlowContext,
): void {
  const { store, clock, circuitBreaker } = context;
  const at = clock.now();
  store.transactions.write(() => {
    endAttempt(context, attempt, outcome, at);
    moveJob(attempt.job, outcome, at, context);
    reportServiceState(outcome, circuitBreaker);
  });
}

function moveJob(job: JobRow, outcome: GenerateOutcome, at: number, context: FlowContext): void {
  const { store, quota, balance, renders } = context;
  const requeue = (note: UserMessage): void => {
    store.ledger.release(job.id);
    store.jobs.move(job.id, 'requeue', at, {}, note);
  };
  switch (outcome.kind) {
    case 'accepted':
      // The response has just shown the service's clock.
      store.ledger.charge(job.id, quota.serviceNow());
      quota.accepted();
      balance.spent();
      renders.accepted();
      {
        const { remoteId, warnings, cost = null } = outcome;
        const notice =
          warnings === undefined ? null : userMessage('accepted-with-warnings', { text: warnings });
        const change = { remoteId, submittedAt: at, failure: null, notice, cost };
        store.jobs.move(job.id, 'accept', at, change, notice ?? undefined);
      }
      return;
    case 'rejected': {
      const { failure } = outcome;
      if ((failure.refusal?.paid ?? 'no') === 'no') {
        store.ledger.release(job.id);
      } else {
        store.ledger.charge(job.id, quota.serviceNow());
        balance.spent();
      }
      const refused = store.jobs.move(job.id, 'reject', at, { failure }, failure);
      holdAfterRefusals(context, refused, at);
      return;
    }
    case 'server-error':
    case 'unknown':
      store.jobs.move(job.id, 'markUncertain', at, { failure: outcome.failure }, outcome.failure);
      return;
    case 'quota-used-up':
      quota.refuse(outcome.response);
      balance.want();
      requeue(refusalNote(quota, outcome.failure));
      return;
    case 'rate-limited':
      if (renders.isMeantBy(outcome.response)) {
        renders.refused(outcome.response, job.preset);
        requeue(userMessage('too-many-at-once'));
      } else {
        requeue(userMessage('too-early'));
      }
      return;
    case 'not-sent':
    case 'key-refused':
      requeue(outcome.failure);
  }
}

/** Reports whether the next request would probably have the same outcome. */
function reportServiceState(
  outcome: GenerateOutcome,
  circuitBreaker: SubmissionCircuitBreaker,
): void {
  switch (outcome.kind) {
    case 'not-sent':
    case 'key-refused':
      return;
    case 'server-error':
    case 'unknown':
      circuitBreaker.unknown(outcome.failure);
      return;
    case 'rejected':
      if (outcome.about === 'video') circuitBreaker.clear();
      else circuitBreaker.refused(outcome.response.status, outcome.failure);
      return;
    case 'accepted':
    case 'rate-limited':
    case 'quota-used-up':
      circuitBreaker.clear();
  }
}

/**
 * The note in a job's history for a refusal that the classifier took for a used-up monthly quota.
 */
function refusalNote({ per }: QuotaTracker, failure: Failure): UserMessage {
  switch (per) {
    case 'month':
      return failure;
    case 'day':
      return userMessage('daily-quota-refused');
    case null:
      return userMessage('nothing-left');
  }
}
