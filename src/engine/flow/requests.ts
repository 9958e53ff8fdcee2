import { userMessage } from '../../contract/user-message.ts';
import type { Charges } from '../pacing/endpoint-windows.ts';
import type {
  HttpResponse,
  GenerateConnection,
  GenerateOutcome,
  ReadOutcome,
} from '../service/outcomes.ts';
import type { ApiKey } from './api-key.ts';
import type { ConcurrentRenders } from './concurrent-renders.ts';
import type { FlowContext } from './flow-context.ts';
import type { EndpointOutage } from './outage.ts';

/** A request that may be repeated. */
interface Read {
  /** The limit that it counts against. */
  readonly limit: 'status' | 'download';
  /** Aborted when the engine aborts the request: then a missing response says nothing. */
  readonly signal: AbortSignal;
  /** False for a test of a key that is not in use: the answer says nothing about the one in use. */
  readonly isOfKeyInUse?: boolean;
  /** The endpoint and the video, if the request is about an existing video. */
  readonly about?: { readonly endpoint: EndpointOutage; readonly remoteId: string };
}

/**
 * @param write what the outcome means, in the transaction that settles the request; `endsOutage` is
 *   true when an outage of the endpoint has ended
 */
type SettleRead = (outcome: ReadOutcome, write?: (endsOutage: boolean) => void) => void;

/** Opens the connection for one request and closes it, or reports that there is none. */
export async function withConnection(
  { service, outage }: FlowContext,
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
  request: { readonly body: string; readonly idempotencyKey: string | undefined },
  giveUp: AbortSignal,
): Promise<GenerateOutcome> {
  try {
    return await connection.generate(request.body, giveUp, request.idempotencyKey);
  } catch (error) {
    return unexpectedOutcome(String(error));
  }
}

/**
 * Stores a request that is about to leave.
 * @returns passes its outcome to the limits, the connection, the key and the endpoint
 */
export function beginRead(
  context: FlowContext,
  { limit, signal, about, isOfKeyInUse = true }: Read,
): SettleRead {
  const { limits, key } = context;
  const reportKey = isOfKeyInUse ? key.beginUse() : () => undefined;
  const settle = limits.beginRead(limit);
  return (outcome, write) => {
    const endsOutage = learnFromResponse(context, reportKey, outcome, about, signal.aborted);
    settle(outcome, () => write?.(endsOutage));
  };
}

/**
 * Reports to the connection, the key and the endpoint what a response says about them.
 * @param about left out for requests that are about no existing video
 * @param isStopped whether the engine aborted the request
 * @returns true when it ends an outage of the endpoint
 */
export function learnFromResponse(
  { outage }: FlowContext,
  reportKey: ReturnType<ApiKey['beginUse']>,
  outcome: GenerateOutcome | ReadOutcome,
  about?: Read['about'],
  isStopped = false,
): boolean {
  switch (outcome.kind) {
    case 'not-sent':
    case 'unreachable':
      if (!isStopped) outage.failed(outcome.failure);
      return false;
    case 'unknown':
      return false;
    case 'no-link':
    case 'unusable':
    case 'server-error':
      // After a request for a video, the circuit breaker decides.
      if (!about || (isStopped && outcome.response === null)) return false;
      if (outcome.response !== null) outage.ended();
      about.endpoint.unusable(about.remoteId, outcome.failure);
      return false;
    case 'key-refused':
      outage.ended();
      reportKey('refused');
      return false;
    case 'rejected':
      outage.ended();
      // A service that refuses every request may not have checked the key.
      if (outcome.about === 'video') reportKey('accepted');
      return false;
    case 'rate-limited':
    case 'quota-used-up':
      outage.ended();
      reportKey('accepted');
      return false;
    case 'accepted':
    case 'status':
    case 'refused':
    case 'link':
    case 'page':
    case 'not-ready':
    case 'not-found':
    case 'expired':
      outage.ended();
      reportKey('accepted');
      return about?.endpoint.usable() ?? false;
  }
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
 * Ends an attempt by its outcome, and settles what it took of the limits. Joins the caller's
 * transaction.
 * @param at milliseconds since the epoch
 */
export function endAttempt(
  { store, limits, renders }: FlowContext,
  sent: { readonly attemptId: number; readonly jobId: number; readonly charges: Charges },
  outcome: GenerateOutcome,
  at: number,
): void {
  store.jobs.endAttempt(sent.attemptId, outcome.kind, at);
  if (outcome.kind === 'not-sent') {
    limits.release('generate', sent.charges);
    return;
  }
  limits.settle('generate', sent.charges, limitsIn(outcome, renders));
  if (outcome.response) store.jobs.storeResponse(sent.jobId, outcome.response.body, at);
}

/**
 * What a response says about rate limits. A 429 about the quota or about running renders says
 * nothing about them: its `Retry-After` may be weeks away.
 */
function limitsIn(
  { kind, response }: Exclude<GenerateOutcome, { kind: 'not-sent' }>,
  renders: ConcurrentRenders,
): HttpResponse | null {
  const isOther =
    kind === 'quota-used-up' || (kind === 'rate-limited' && renders.isMeantBy(response));
  return response && isOther ? { ...response, status: 402 } : response;
}
