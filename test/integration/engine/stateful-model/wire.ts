import type { AnswerRules } from '../../../../src/contract/answer-rules.ts';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import type { Clock } from '../../../../src/engine/clock.ts';
import type { ExchangeResult } from '../../../../src/engine/service/exchange.ts';
import type {
  ConnectOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  Service,
  StatusOutcome,
} from '../../../../src/engine/service/outcomes.ts';
import { notSent } from '../../../../src/engine/service/service-failures.ts';
import {
  ResponseClassifier,
  type Reading,
} from '../../../../src/engine/service/response-classifier.ts';
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
  readonly rules: AnswerRules;
  readonly key: () => string | null;
  /**
   * Not the engine's: a sent request continues after the engine's process was killed.
   */
  readonly clock: Clock;
  readonly worldClock: Clock;
  readonly watcher: WireWatcher;
}

/** The connection to the simulated service. The engine's own classifier reads the responses. */
export class Wire implements Service {
  readonly #parts: WireParts;
  readonly #classifier: ResponseClassifier;

  constructor(parts: WireParts) {
    this.#parts = parts;
    this.#classifier = new ResponseClassifier(
      new Endpoints(parts.service.origin, DOCUMENTED_API),
      parts.rules,
    );
  }

  /** An open connection can still be lost before the first byte: `generate` reports that. */
  async connect(): Promise<ConnectOutcome> {
    const { network, key, clock } = this.#parts;
    if (key() === null || !network.isOnline) {
      await clock.sleep(LATENCY_MS);
      const { host } = new URL(this.#parts.service.origin);
      const failure = notSent(host, { why: 'connection', code: 'ECONNREFUSED' });
      return { kind: 'not-connected', failure };
    }
    return {
      kind: 'connected',
      connection: {
        generate: (body, signal) => this.#generate(body, signal),
        close: () => undefined,
      },
    };
  }

  async #generate(body: string, signal?: AbortSignal): Promise<GenerateOutcome> {
    const result = await this.#exchange({ to: 'generate', body, job: 0 }, signal);
    return this.#classifier.ofGenerate(result);
  }

  async status(id: string, signal?: AbortSignal): Promise<StatusOutcome> {
    return this.#classifier.ofStatus(await this.#read({ to: 'status', id }, signal));
  }

  knownLink(): null {
    return null;
  }

  list(): Promise<ListOutcome> {
    return Promise.reject(new Error('This service has no list.'));
  }

  async link(id: string, signal?: AbortSignal): Promise<LinkOutcome> {
    return this.#classifier.ofLink(await this.#read({ to: 'download', id }, signal));
  }

  cancel(): Promise<never> {
    return Promise.reject(new Error('This service cancels nothing.'));
  }

  balance(): Promise<never> {
    return Promise.reject(new Error('This service reports no balance.'));
  }

  async checkKey(signal?: AbortSignal, entered?: string): Promise<KeyCheckOutcome> {
    const request = { to: 'status', id: 'key-check' } as const;
    return this.#classifier.ofKeyCheck(await this.#read(request, signal, entered));
  }

  async #read(request: ServiceRequest, signal?: AbortSignal, entered?: string): Promise<Reading> {
    return this.#classifier.ofRead(await this.#exchange(request, signal, entered));
  }

  /** @param entered a key that is not in use, of which the watcher is not told */
  async #exchange(
    request: ServiceRequest,
    signal?: AbortSignal,
    entered?: string,
  ): Promise<ExchangeResult> {
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
  }

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
