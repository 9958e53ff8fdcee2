import type {
  GenerateOutcome,
  LinkOutcome,
  ListOutcome,
  StatusOutcome,
} from '../service/outcomes.ts';
import type { ApiKey } from './api-key.ts';
import type { EndpointOutage, Outage } from './outage.ts';

/** What learns from answers. */
export interface Learners {
  readonly outage: Pick<Outage, 'failed' | 'ended'>;
  readonly reportKey: ReturnType<ApiKey['beginUse']>;
  /** Of a question about a video that exists. */
  readonly endpoint?: Pick<EndpointOutage, 'unusable' | 'usable'>;
  readonly remoteId?: string;
  /** The engine broke the request off: that there was no answer says nothing. */
  readonly isStopped?: boolean;
}

/**
 * Reports to the connection, the key and the endpoint what an answer says about them.
 * @returns true when it ends an outage of the endpoint
 */
export function learnFromAnswer(
  outcome: GenerateOutcome | StatusOutcome | LinkOutcome | ListOutcome,
  { outage, reportKey, endpoint, remoteId = '', isStopped = false }: Learners,
): boolean {
  switch (outcome.kind) {
    case 'not-sent':
    case 'unreachable':
      if (!isStopped) outage.failed(outcome.failure);
      return false;
    case 'unknown':
      return false;
    case 'unusable':
    case 'server-error':
      // After a request for a video, the circuit breaker decides.
      if (!endpoint || (isStopped && outcome.answer === null)) return false;
      if (outcome.answer !== null) outage.ended();
      endpoint.unusable(remoteId, outcome.failure);
      return false;
    case 'key-refused':
      outage.ended();
      reportKey('refused');
      return false;
    case 'rejected':
      outage.ended();
      // What refuses whatever it is asked for may not have looked at the key.
      if (outcome.about === 'video') reportKey('accepted');
      return false;
    case 'rate-limited':
    case 'quota-used-up':
      outage.ended();
      reportKey('accepted');
      return false;
    case 'accepted':
    case 'status':
    case 'link':
    case 'page':
    case 'not-ready':
    case 'not-found':
    case 'expired':
      outage.ended();
      reportKey('accepted');
      return endpoint?.usable() ?? false;
  }
}
