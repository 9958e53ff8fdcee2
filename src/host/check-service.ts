/** Checks a service and a key for it before either is stored. */
import type { Amount } from '../contract/amount.ts';
import type { Failure } from '../contract/failure.ts';
import {
  SERVICE_CHECKS,
  type ServiceCheckName,
  type ServiceTried,
} from '../contract/service-offer.ts';
import type { SettingIssue } from '../contract/settings.ts';
import { userMessage } from '../contract/user-message.ts';
import { enteredKey, type BalanceOutcome, type Service } from '../engine/service/outcomes.ts';

type Result = Partial<Pick<ServiceTried, 'entered' | 'failure' | 'balance'>>;

export interface CheckedAccount {
  /** The service's host, for messages. */
  readonly host: string;
  /** What its balance is counted in; `null` for a service that reports none. */
  readonly unit: Pick<Amount, 'unit' | 'currency'> | null;
}

/** The checks of a service with errors in its fields, which is not asked. */
// eslint-disable-next-line @typescript-eslint/require-await -- a stream, as the checks are
export async function* notTried(
  errors: readonly SettingIssue[],
): AsyncGenerator<ServiceTried, void> {
  yield { errors: [...errors], checks: [], entered: null, failure: null, balance: null };
}

/** Yields the state of all checks whenever one begins or ends; stops at the first that fails. */
export async function* checkService(
  service: Pick<Service, 'connect' | 'checkKey' | 'balance'>,
  { host, unit }: CheckedAccount,
  signal?: AbortSignal,
): AsyncGenerator<ServiceTried, void> {
  const checks = SERVICE_CHECKS.filter((check) => check !== 'balance' || unit !== null);
  yield tried(checks, 'address');

  const connected = await service.connect(signal);
  if (connected.kind === 'not-connected') {
    const { failure } = connected;
    const failed = failure.untrusted ? 'certificate' : 'address';
    yield tried(checks, failed, { entered: 'unchecked', failure });
    return;
  }
  connected.connection.close();
  yield tried(checks, 'key');

  const answer = await service.checkKey(signal);
  const entered = enteredKey(answer);
  if (entered !== 'accepted') {
    const failure = answer.kind === 'accepted' ? limited(host) : answer.failure;
    yield tried(checks, 'key', { entered, failure });
    return;
  }
  if (unit !== null) {
    yield tried(checks, 'balance', { entered });
    const amount = amountIn(await service.balance(signal), host);
    if (typeof amount !== 'number') {
      yield tried(checks, 'balance', { entered, failure: amount });
      return;
    }
    const balance = { amount, unit: unit.unit, currency: unit.currency };
    yield tried(checks, null, { entered, balance });
  } else yield tried(checks, null, { entered });
}

/** @param at the check that runs, or that the result's failure is of; `null` after the last one */
function tried(
  checks: readonly ServiceCheckName[],
  at: ServiceCheckName | null,
  { entered = null, failure = null, balance = null }: Result = {},
): ServiceTried {
  const current = at === null ? checks.length : checks.indexOf(at);
  const stateOf = (index: number): ServiceTried['checks'][number]['state'] => {
    if (index < current) return 'passed';
    if (index > current) return 'waiting';
    return failure === null ? 'running' : 'failed';
  };
  const states = checks.map((check, index) => ({ check, state: stateOf(index) }));
  return { errors: [], checks: states, entered, failure, balance };
}

function amountIn(outcome: BalanceOutcome, host: string): number | Failure {
  if (outcome.kind === 'rate-limited') return limited(host);
  if (outcome.kind !== 'balance') return outcome.failure;
  return outcome.amount ?? { code: 'answer-unreadable', ...userMessage('answer-odd', { host }) };
}

function limited(host: string): Failure {
  return { code: 'rate-limited', ...userMessage('checks-limited', { host }) };
}
