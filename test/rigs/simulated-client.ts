/** The client of the simulations of a whole engine, for exchanges without sockets. */
import type { AnswerRules } from '../../src/contract/answer-rules.ts';
import type { Failure } from '../../src/contract/failure.ts';
import { DOCUMENTED_API, type ServiceApi } from '../../src/contract/service-profile.ts';
import { Endpoints } from '../../src/engine/service/endpoints.ts';
import type { ExchangeResult } from '../../src/engine/service/exchange.ts';
import type {
  ConnectOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  Service,
  StatusOutcome,
} from '../../src/engine/service/outcomes.ts';
import { ResponseClassifier, type Reading } from '../../src/engine/service/response-classifier.ts';

export interface SimulatedRequest {
  readonly to: 'generate' | 'status' | 'download' | 'list';
  /** Of the video; of a list, its cursor. */
  readonly id: string | null;
  readonly body: string | null;
  readonly idempotencyKey?: string | undefined;
}

/** Carries out a request. @param entered a key to use instead of the one in use */
export type SimulatedExchange = (
  request: SimulatedRequest,
  signal?: AbortSignal,
  entered?: string,
) => Promise<ExchangeResult>;

/**
 * How requests reach a simulated service. There is one for each simulation, because each breaks
 * exchanges elsewhere: between bytes, between requests, or between commits of a killed process.
 */
export interface SimulatedNetwork {
  /** @returns the exchange of one request for a video, or why there is no connection for it */
  readonly connect: (signal?: AbortSignal) => Promise<SimulatedExchange | Failure>;
  /** Of requests that may be repeated. */
  readonly exchange: SimulatedExchange;
}

/** Sends requests over a simulated network. The engine's own classifier reads the responses. */
export class SimulatedClient implements Service {
  readonly #network: SimulatedNetwork;
  readonly #api: ServiceApi;
  readonly #classifier: ResponseClassifier;

  constructor(network: SimulatedNetwork, origin: string, rules: AnswerRules, api = DOCUMENTED_API) {
    this.#network = network;
    this.#api = api;
    this.#classifier = new ResponseClassifier(new Endpoints(origin, api), rules);
  }

  /** An open connection can still be lost before the first byte: `generate` reports that. */
  async connect(signal?: AbortSignal): Promise<ConnectOutcome> {
    const exchange = await this.#network.connect(signal);
    if (typeof exchange !== 'function') return { kind: 'not-connected', failure: exchange };
    return {
      kind: 'connected',
      connection: {
        generate: async (body, stop, idempotencyKey) => {
          const request = { to: 'generate', id: null, body, idempotencyKey } as const;
          return this.#classifier.ofGenerate(await exchange(request, stop));
        },
        close: () => undefined,
      },
    };
  }

  async status(id: string, signal?: AbortSignal): Promise<StatusOutcome> {
    return this.#classifier.ofStatus(await this.#read('status', id, signal));
  }

  async link(id: string, signal?: AbortSignal): Promise<LinkOutcome> {
    return this.#api.file.kind === 'link-endpoint'
      ? this.#classifier.ofLink(await this.#read('download', id, signal))
      : this.#classifier.ofLinkInStatus(await this.#read('status', id, signal), null);
  }

  knownLink(): null {
    return null;
  }

  async list(cursor: string | null, signal?: AbortSignal): Promise<ListOutcome> {
    return this.#classifier.ofList(await this.#read('list', cursor, signal));
  }

  cancel(): Promise<never> {
    return Promise.reject(new Error('This service cancels nothing.'));
  }

  balance(): Promise<never> {
    return Promise.reject(new Error('This service reports no balance.'));
  }

  async checkKey(signal?: AbortSignal, entered?: string): Promise<KeyCheckOutcome> {
    return this.#classifier.ofKeyCheck(await this.#read('status', 'key-check', signal, entered));
  }

  async #read(
    to: SimulatedRequest['to'],
    id: string | null,
    signal?: AbortSignal,
    entered?: string,
  ): Promise<Reading> {
    const request = { to, id, body: null };
    return this.#classifier.ofRead(await this.#network.exchange(request, signal, entered));
  }
}
