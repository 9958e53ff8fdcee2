import { serviceIdOf } from '../../contract/service-id.ts';
import path from 'node:path';
import { DOCUMENTED_API } from '../../contract/service-profile.ts';
import { obstacleOf } from '../../contract/flow.ts';
import type { Summary } from '../../contract/summary.ts';
import { practicePlan } from '../../contract/this-computer.ts';
import { userMessage } from '../../contract/user-message.ts';
import type { FindProxy } from '../../engine/proxy.ts';
import type { KeyStore } from '../../engine/keys/key-store.ts';
import type { ClockOffset } from '../../engine/pacing/server-clock.ts';
import type { Profile } from '../../engine/profiles/profile.ts';
import { reachService } from './reach-service.ts';
import { ServiceClient } from '../../engine/service/service-client.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { localPort } from '../../host/local-port.ts';
import { LocalService } from '../../host/local-service.ts';
import type { ServiceLink } from '../../engine/engine-options.ts';
import { UNLIMITED } from '../../host/service-link.ts';
import type { ServiceProgram } from '../../host/service-program.ts';
import { formatDuration } from '../display/numbers.ts';
import { failureText } from '../display/failure-text.ts';
import { failureOf } from '../../host/failures.ts';
import type { Finding } from './finding.ts';

/** A clock difference that has no effect: Spool calculates with the service's clock. */
const IGNORED_CLOCK_OFFSET_MS = 30_000;

/** The service as a running Spool sees it. */
export function checkServiceOfPrimary(summary: Summary): Finding {
  const { service, flow } = summary;
  const check = 'service';
  const obstacle = obstacleOf(flow);
  if (obstacle?.code === 'service-unreachable') {
    return { check, state: 'bad', message: failureText(obstacle) };
  }
  return {
    check,
    state: 'good',
    message: `The service of ${service.name} is in use.${practiceText(practicePlan(summary))}`,
  };
}

/** A queue that waits for hours on the user's own computer has its reason here. */
function practiceText(plan: string | null): string {
  return plan === null ? '' : ` It practises with the limits of the ${plan} plan.`;
}

interface LocalCheck {
  readonly dataDir: string;
  /** Of the account; `UNLIMITED`, or the one that is practised with. */
  readonly plan: string;
  readonly signal: AbortSignal;
}

/** Starts the service on this computer, checks that it answers, and stops it. */
export async function checkLocalService(
  program: ServiceProgram,
  { dataDir, plan, signal }: LocalCheck,
): Promise<Finding> {
  const check = 'service';
  const folder = path.join(dataDir, 'local-service');
  try {
    const local = new LocalService(program, folder, { signal });
    const running = await local.start(await localPort(folder));
    try {
      const reach = await reachService({
        baseUrl: running.url,
        ca: running.ca,
        clock: systemClock,
      });
      return reach.kind === 'reached'
        ? {
            check,
            state: 'good',
            message: `The service on this computer starts and answers.${practiceText(plan === UNLIMITED ? null : plan)}`,
          }
        : { check, state: 'bad', message: failureText(reach.failure) };
    } finally {
      await running.stop();
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { check, state: 'bad', message: failureText(failure) };
  }
}

/** Whether a remote service answers, and how far its clock differs from this computer's. */
export async function checkRemoteService(
  { service }: ServiceLink,
  { api = DOCUMENTED_API }: Profile,
  findProxy: FindProxy,
): Promise<readonly Finding[]> {
  const { baseUrl, ca, name } = service;
  const origin = api.origin ?? serviceIdOf(baseUrl);
  if (origin !== serviceIdOf(baseUrl)) {
    const { message } = userMessage('profile-of-other-origin', { origin });
    return [{ check: 'service', state: 'bad', message }];
  }
  const reach = await reachService({ baseUrl, api, ca, clock: systemClock, findProxy });
  if (reach.kind === 'unreachable') {
    return [{ check: 'service', state: 'bad', message: failureText(reach.failure) }];
  }
  const reached: Finding = { check: 'service', state: 'good', message: `${name} answers.` };
  return reach.offset === null ? [reached] : [reached, clockFinding(reach.offset, name)];
}

/** Whether a remote service accepts the stored key. */
export async function checkKey(
  { service }: ServiceLink,
  { api, answers }: Profile,
  keys: KeyStore,
  findProxy: FindProxy,
): Promise<Finding> {
  const { baseUrl, ca, name } = service;
  const origin = serviceIdOf(baseUrl);
  const key = await keys.get(origin);
  if (key === null) return keyMissing(origin);
  const client = new ServiceClient({
    baseUrl,
    api,
    ca,
    findProxy,
    clock: systemClock,
    rules: answers,
    key: () => key,
  });
  try {
    const outcome = await client.checkKey();
    switch (outcome.kind) {
      case 'accepted':
        return keyAccepted(name);
      case 'key-refused':
        return keyRefused(failureText(outcome.failure), origin);
      default:
        return {
          check: 'key',
          state: 'note',
          message: `It is not known whether ${name} accepts the API key.`,
        };
    }
  } finally {
    await client.close();
  }
}

/** The state of a running Spool's key after a check. */
export function checkKeyOfPrimary({ key, service }: Summary): Finding {
  switch (key.state) {
    case 'absent':
      return keyMissing(key.origin);
    case 'refused':
      return keyRefused('The service does not accept the API key.', key.origin);
    case 'accepted':
      return keyAccepted(service.name);
    case 'untested':
      return { check: 'key', state: 'note', message: 'The API key has not been tested yet.' };
  }
}

function clockFinding({ low, high }: ClockOffset, name: string): Finding {
  const offset = (low + high) / 2;
  const difference = formatDuration(Math.abs(offset));
  if (Math.abs(offset) <= IGNORED_CLOCK_OFFSET_MS) {
    return {
      check: 'clock',
      state: 'good',
      message: `This computer’s clock agrees with ${name}’s.`,
    };
  }
  const way = offset > 0 ? 'behind' : 'ahead of';
  return {
    check: 'clock',
    state: 'note',
    message: `This computer’s clock is ${difference} ${way} that of ${name}.`,
    advice: 'Spool allows for that; the times it shows are this computer’s.',
  };
}

function keyMissing(origin: string): Finding {
  return {
    check: 'key',
    state: 'bad',
    message: `There is no API key for ${origin}.`,
    advice: `spool key set --service ${origin}`,
  };
}

function keyRefused(message: string, origin: string): Finding {
  return { check: 'key', state: 'bad', message, advice: `spool key set --service ${origin}` };
}

function keyAccepted(name: string): Finding {
  return { check: 'key', state: 'good', message: `${name} accepts the API key.` };
}
