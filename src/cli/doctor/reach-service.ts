import { Client } from 'undici';
import type { Failure } from '../../contract/failure.ts';
import { DOCUMENTED_API, type ServiceApi } from '../../contract/service-profile.ts';
import type { Clock } from '../../engine/clock.ts';
import { noProxy, type FindProxy } from '../../engine/proxy.ts';
import {
  clockOffset,
  learnClock,
  UNKNOWN_CLOCK,
  type ClockOffset,
} from '../../engine/pacing/server-clock.ts';
import { Endpoints } from '../../engine/service/endpoints.ts';
import { exchange } from '../../engine/service/exchange.ts';
import { secureConnector } from '../../engine/service/open-socket.ts';
import { unreachable } from '../../engine/service/service-failures.ts';

/** Milliseconds to a verified connection, and then to a response. */
const CONNECT_MS = 10_000;
const RESPONSE_MS = 15_000;

/** The result of an attempt to reach a service. */
export type Reach =
  /** It answered, with any status; `offset` is `null` when the response has no date. */
  | { readonly kind: 'reached'; readonly offset: ClockOffset | null }
  | { readonly kind: 'unreachable'; readonly failure: Failure };

export interface ReachOptions {
  /** The service's base address, without `/api/v1`. https only. */
  readonly baseUrl: string;
  /** The documented one when left out. */
  readonly api?: ServiceApi | undefined;
  /** PEM of the one certificate authority to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** Connects directly when left out. */
  readonly findProxy?: FindProxy;
  readonly clock: Clock;
}

/**
 * Sends a request without a key, to check whether the service answers and to read its clock. The
 * response is a 401 (service-api.md §5.5), which uses no quota.
 */
export async function reachService(options: ReachOptions): Promise<Reach> {
  const { baseUrl, api = DOCUMENTED_API, ca, clock, findProxy = noProxy } = options;
  const endpoints = new Endpoints(baseUrl, api);
  const { origin, host } = endpoints;
  const client = new Client(origin, {
    allowH2: false,
    connect: secureConnector({ findProxy, timeoutMs: CONNECT_MS, ca }),
  });
  try {
    const result = await exchange(
      client,
      {
        method: 'GET',
        path: endpoints.statusOfNone('reach'),
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'Spool',
        },
        body: null,
        lastOnItsConnection: true,
        headersMs: RESPONSE_MS,
        bodyMs: RESPONSE_MS,
      },
      clock,
    );
    if (result.kind !== 'answered') {
      return { kind: 'unreachable', failure: unreachable(host, result.cause) };
    }
    const { headers, sentAt, receivedAt } = result.response;
    const date = Date.parse(headers.date ?? '');
    const isDated = !Number.isNaN(date);
    const estimate = isDated
      ? learnClock(UNKNOWN_CLOCK, { date, sentAt, receivedAt })
      : UNKNOWN_CLOCK;
    return { kind: 'reached', offset: clockOffset(estimate) };
  } finally {
    void client.destroy();
  }
}
