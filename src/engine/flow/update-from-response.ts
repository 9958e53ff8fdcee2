import type { LinkOutcome, StatusOutcome } from '../service/outcomes.ts';
import type { ApiKey } from './api-key.ts';
import type { Outage } from './outage.ts';

/**
 * Reports to the connection and the key what a read says about them.
 * @param isStopped the engine broke it off, which says nothing
 */
export function updateFromResponse(
  outcome: StatusOutcome | LinkOutcome,
  outage: Pick<Outage, 'failed' | 'ended'>,
  reportResult: ReturnType<ApiKey['beginUse']>,
  isStopped: boolean,
): void {
  switch (outcome.kind) {
    case 'unreachable':
      if (!isStopped) outage.failed(outcome.failure);
      return;
    case 'unusable':
      if (outcome.answer) outage.ended();
      return;
    case 'key-refused':
      outage.ended();
      reportResult('refused');
      return;
    case 'status':
    case 'link':
    case 'not-ready':
    case 'not-found':
    case 'expired':
    case 'rate-limited':
      outage.ended();
      reportResult('accepted');
  }
}
