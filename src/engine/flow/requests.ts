// Requests to the service: how they begin, and how their outcomes are passed on.
import { userMessage } from '../../contract/user-message.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import type { Charges } from '../pacing/endpoint-windows.ts';
import type { GenerateConnection, GenerateOutcome, Service } from '../service/outcomes.ts';
import { applyEffects, type EffectTargets, type SettledRequest } from './apply-effects.ts';
import { effectsOf } from './effects-of.ts';
import type { Effects, ReadAnswer } from './effects.ts';
import type { FilePart } from '../service/upload.ts';
import type { ApiKey } from './api-key.ts';
import type { Outage } from './outage.ts';

/** A request for a video that is about to leave, as it was stored. */
export interface Attempt {
  readonly attemptId: number;
  readonly jobId: number;
  readonly body: string;
  readonly files: readonly FilePart[];
  readonly idempotencyKey: string | undefined;
  readonly charges: Charges;
}

/** What a request needs to begin, and for its outcome. */
export type RequestTargets = EffectTargets & { readonly key: ApiKey };

/** A request that may be repeated. */
type Read = Pick<SettledRequest, 'about' | 'waitOf'> & {
  /** The limit that it counts against. */
  readonly limit: 'status' | 'download';
};

/**
 * Carries out what an outcome means.
 * @param jobId of the job that it changes, if any
 * @param also as in `applyEffects`
 * @returns the effects, for those that are not stored
 */
export type SettleRead = (
  answer: ReadAnswer,
  jobId?: number,
  also?: (endsOutage: boolean) => void,
) => Effects;

/** Opens the connection for one request and closes it, or reports that there is none. */
export async function withConnection(
  { service, outage }: { readonly service: Service; readonly outage: Outage },
  stop: AbortSignal,
  use: (connection: GenerateConnection) => Promise<void>,
): Promise<void> {
  const connected = await service.connect(stop);
  if (connected.kind === 'not-connected') {
    if (!stop.aborted) outage.failed(connected.failure);
    return;
  }
  try {
    await use(connected.connection);
  } finally {
    connected.connection.close();
  }
}

/**
 * Sends a request for a video that is stored as sending. Never rejects: a defect of the client
 * leaves the outcome unknown, since the request may have left.
 */
export async function sendRequest(
  connection: GenerateConnection,
  { body, files, idempotencyKey }: Pick<Attempt, 'body' | 'files' | 'idempotencyKey'>,
  giveUp: AbortSignal,
): Promise<GenerateOutcome> {
  try {
    return await connection.generate(body, giveUp, idempotencyKey, files);
  } catch (error) {
    return unexpectedOutcome(String(error));
  }
}

/** Stores a request that is about to leave. */
export function beginRead(targets: RequestTargets, read: Read): SettleRead {
  const { store, limits, key } = targets;
  const reportKey = key.beginUse();
  const charges = store.transactions.write(() => limits.reserve(read.limit));
  return (answer, jobId, also) => {
    const { response } = answer.outcome;
    const request = { ...read, charges, response, reportKey, jobId };
    const effects = effectsOf(answer);
    applyEffects(effects, request, targets, also);
    return effects;
  };
}

/**
 * If another video has the same identifier, it is not this one's, unless both are the same request:
 * otherwise one video would be saved under two names. A cache between us and the service can send
 * such a response.
 */
export function checkedOutcome(
  { bodySha256 }: Pick<JobRow, 'bodySha256'>,
  outcome: GenerateOutcome,
  { jobs }: Pick<Store, 'jobs'>,
): GenerateOutcome {
  if (outcome.kind !== 'accepted') return outcome;
  const other = jobs.withRemoteId(outcome.remoteId).find((job) => job.bodySha256 !== bodySha256);
  if (!other) return outcome;
  const message = userMessage('identifier-of-another', { title: other.title });
  return {
    kind: 'unknown',
    failure: { code: 'outcome-unknown', ...message, detail: outcome.remoteId },
    response: outcome.response,
  };
}

/**
 * The outcome when this program failed while it sent: the request may have been sent.
 * @param detail the error, if it is known
 */
export function unexpectedOutcome(detail?: string): GenerateOutcome & { readonly kind: 'unknown' } {
  return {
    kind: 'unknown',
    failure: {
      code: 'outcome-unknown',
      ...userMessage('sent-unexpectedly'),
      ...(detail === undefined ? {} : { detail: detail.slice(0, 2000) }),
    },
    response: null,
  };
}

/**
 * Stores everything that the outcome of a request for a video means.
 * @param to whether it was sent again after an unknown outcome
 * @param also runs in the same transaction
 */
export function settleAttempt(
  { attemptId, jobId, charges }: Pick<Attempt, 'attemptId' | 'jobId' | 'charges'>,
  to: 'submit' | 'repeat',
  outcome: GenerateOutcome,
  reportKey: SettledRequest['reportKey'],
  targets: EffectTargets,
  also?: () => void,
): void {
  const { renders, quota, clock } = targets;
  const effects = effectsOf({
    to,
    outcome,
    isAboutRenders: outcome.kind === 'rate-limited' && renders.isMeantBy(outcome.response),
    quotaPer: quota.per,
    at: clock.now(),
  });
  const request = {
    limit: 'generate',
    charges,
    response: outcome.kind === 'not-sent' ? null : outcome.response,
    reportKey,
    attempt: { id: attemptId, outcome: outcome.kind },
    jobId,
  } as const;
  applyEffects(effects, request, targets, also);
}
