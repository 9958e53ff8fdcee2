import type { Failure } from '../../contract/failure.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Settling, Unsettled } from '../jobs/attempt-mark.ts';
import type { Store } from '../jobs/store.ts';
import type { FlowContext } from './flow-context.ts';

// What was found out about an uncertain request. All of these join the caller's transaction.

/** `null` if the user has decided, or another request was sent: nothing is concluded then. */
export function currentOf({ jobId, attemptId }: Unsettled, { jobs }: Store): Unsettled | null {
  const [now] = jobs.unsettled(jobId);
  return now?.attemptId === attemptId ? now : null;
}

/** The service accepted the request, and gave the video this identifier. */
export function adopt(
  unsettled: Unsettled,
  remoteId: string,
  note: UserMessage,
  {
    store,
    quota,
    circuitBreaker,
    clock,
  }: Pick<FlowContext, 'store' | 'quota' | 'circuitBreaker' | 'clock'>,
): void {
  // Each request has a separate identifier, so two requests are not one video.
  const [other] = store.jobs.withRemoteId(remoteId);
  if (other) {
    const message = userMessage('identifier-of-another', { title: other.title });
    report(unsettled, { ...unsettled.settling, isOver: true }, message, store, remoteId);
    return;
  }
  store.ledger.charge(unsettled.jobId);
  quota.accepted();
  circuitBreaker.clear();
  const submittedAt = Math.min(unsettled.startedAt, clock.now());
  const change = { remoteId, submittedAt, failure: null };
  store.jobs.move(unsettled.jobId, 'confirmAccepted', clock.now(), change, note);
}

/** Reports what was found out, and that the user decides. */
export function report(
  { jobId, attemptId }: Unsettled,
  settling: Settling,
  message: UserMessage,
  { jobs }: Store,
  detail = jobs.get(jobId).failure?.detail,
): void {
  const failure: Failure = {
    code: 'outcome-unknown',
    ...message,
    ...(detail === undefined ? {} : { detail }),
  };
  jobs.recordSettling(attemptId, { ...settling, isReported: true });
  jobs.change(jobId, { failure });
}
