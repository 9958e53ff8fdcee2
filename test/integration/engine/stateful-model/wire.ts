import type { Failure } from '../../../../src/contract/failure.ts';
import type { Clock } from '../../../../src/engine/clock.ts';
import type { ExchangeResult } from '../../../../src/engine/service/exchange.ts';
import { notSent } from '../../../../src/engine/service/service-failures.ts';
import type {
  SimulatedExchange,
  SimulatedNetwork,
  SimulatedRequest,
} from '../../../rigs/simulated-client.ts';
import type { Fault } from './faults.ts';
import type { ServiceRequest, Response, SimulatedService } from './simulated-service.ts';

const LATENCY_MS = 100;
const CLIENT_TIMEOUT_MS = 120_000;

/** Whether the service can be reached, and faults of the next requests. */
export interface Network {
  isOnline: boolean;
  readonly next: Readonly<Record<ServiceRequest['to'], Fault[]>>;
}

/** Observes every submission when its first byte is sent, and every response. */
export interface WireWatcher {
  /** @returns the job whose request it is */
  checkSubmission(body: string): number;
  /** @param response `null`: none, or an incomplete one */
  recordResponse(to: ServiceRequest['to'], job: number | null, response: Response | null): void;
}

export interface WireParts {
  readonly service: SimulatedService;
  readonly network: Network;
  readonly key: () => string | null;
  /**
   * Not the engine's: a sent request continues after the engine's process was killed.
   */
  readonly clock: Clock;
  readonly worldClock: Clock;
  readonly watcher: WireWatcher;
}

/** The connection to the simulated service. */
export class Wire implements SimulatedNetwork {
  readonly #parts: WireParts;

  constructor(parts: WireParts) {
    this.#parts = parts;
  }

  readonly connect = async (): Promise<SimulatedExchange | Failure> => {
    const { network, key, clock } = this.#parts;
    if (key() !== null && network.isOnline) return this.exchange;
    await clock.sleep(LATENCY_MS);
    const { host } = new URL(this.#parts.service.origin);
    return notSent(host, { why: 'connection', code: 'ECONNREFUSED' });
  };

  /** @param entered a key that is not in use, of which the watcher is not told */
  readonly exchange: SimulatedExchange = async (simulated, signal, entered) => {
    const request = requestOf(simulated);
    const { network, key, clock, worldClock } = this.#parts;
    const watcher = entered === undefined ? this.#parts.watcher : null;
    const value = entered ?? key();
    const fault = network.isOnline ? network.next[request.to].shift() : undefined;
    if (value === null || !network.isOnline || fault?.reply === 'unsent') {
      const cause = { why: 'connection', code: 'ECONNREFUSED' } as const;
      await clock.sleep(LATENCY_MS);
      return { kind: 'not-sent', cause };
    }
    const job = request.to === 'generate' ? (watcher?.checkSubmission(request.body) ?? null) : null;
    const sent = request.to === 'generate' ? { ...request, job: job ?? 0 } : request;
    const sentAt = clock.now();
    let response: Response | null = null;
    void worldClock.sleep(LATENCY_MS / 2).then(() => {
      response = this.#deliver(sent, value, fault);
    });
    try {
      await clock.sleep(fault?.reply === 'silence' ? CLIENT_TIMEOUT_MS : LATENCY_MS, signal);
    } catch {
      watcher?.recordResponse(request.to, job, null);
      return { kind: 'broken', cause: { why: 'stopped' }, response: null };
    }
    const isCut = fault?.reply === 'half';
    return this.#readResponse(request.to, job, response, isCut, sentAt, watcher);
  };

  /** @returns the response; `null` for none */
  #deliver(request: ServiceRequest, key: string, fault: Fault | undefined): Response | null {
    const { service } = this.#parts;
    if (!fault) return service.answer(request, key);
    const response = fault.arrives ? service.answer(request, key) : service.respond(200, {});
    if (fault.reply === 'half') return response;
    return typeof fault.reply === 'string' ? null : fault.reply({ service, request, response });
  }

  #readResponse(
    to: ServiceRequest['to'],
    job: number | null,
    response: Response | null,
    isCut: boolean,
    sentAt: number,
    watcher: WireWatcher | null,
  ): ExchangeResult {
    const { clock } = this.#parts;
    const body = isCut ? response?.body.slice(0, 5) : response?.body;
    const received = response && { ...response, body: body ?? '', sentAt, receivedAt: clock.now() };
    const isRefusal = response !== null && response.status >= 400;
    watcher?.recordResponse(to, job, isCut && !isRefusal ? null : response);
    const cause = { why: 'connection', code: 'ECONNRESET' } as const;
    if (received === null || isCut) return { kind: 'broken', cause, response: received };
    return { kind: 'answered', response: received };
  }
}

function requestOf({ to, id, body }: SimulatedRequest): ServiceRequest {
  if (to === 'list') throw new Error('This service has no list.');
  return to === 'generate' ? { to, body: body ?? '', job: 0 } : { to, id: id ?? '' };
}
