import { Dispatcher } from 'undici';
import type { Failure } from '../../../src/contract/failure.ts';
import { exchange, type ExchangeRequest } from '../../../src/engine/service/exchange.ts';
import { keyMissing, notSent } from '../../../src/engine/service/service-failures.ts';
import type { SeededRandom } from '../../rigs/seeded-random.ts';
import type { SimulatedExchange, SimulatedNetwork } from '../../rigs/simulated-client.ts';
import type { Computer, EngineProcess } from './computer.ts';
import type { ModelRequest, ModelResponse, ModelService } from './model-service.ts';
import type { WorldTime } from './world-time.ts';

/** How connections fail: no route, no name, a proxy's refusal, a broken TLS record. */
export const CONNECTION_FAILURES = [
  ...(['ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT'] as const),
  'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
] as const;

export type ConnectionFailure = (typeof CONNECTION_FAILURES)[number];

/** Observes requests and responses. */
export interface Listener {
  /** The first byte of a request is about to be sent. */
  onSend(service: ModelService, request: ModelRequest): void;
  /** An event that no forecast could know. */
  recordInterference(what: string | null): void;
  /** A request reached the service. @param response `null`: the service did not execute it */
  onArrival(service: ModelService, request: ModelRequest, response: ModelResponse | null): void;
  /** The exchange has ended. @param response `null`: the client received no complete response */
  onResponse(service: ModelService, request: ModelRequest, response: ModelResponse | null): void;
}

/** The client's timeouts for headers and bodies. Milliseconds. */
const TIMEOUTS = { readMs: 30_000, generateMs: 120_000, bodyMs: 30_000 };

/** The connection to services and back. */
export class Network {
  /** How every connection fails; `null` while none does. */
  failure: ConnectionFailure | null = null;
  /** One way, at the median. */
  latencyMs = 60;
  /** Requests for videos that were passed to a connection. */
  generates = 0;
  readonly time: WorldTime;
  readonly computer: Computer;
  readonly #random: SeededRandom;
  readonly #listener: Listener;
  readonly #inFlight = new Set<() => void>();

  constructor(time: WorldTime, computer: Computer, random: SeededRandom, listener: Listener) {
    this.time = time;
    this.computer = computer;
    this.#random = random;
    this.#listener = listener;
  }

  /** Breaks the connections of all running requests after a time. */
  breakAfter(ms: number): void {
    for (const breakConnection of this.#inFlight) this.time.in(ms, breakConnection);
  }

  delay(): number {
    return Math.ceil(this.#random.logNormal(this.latencyMs, 0.3));
  }

  dispatch(
    service: ModelService,
    request: ModelRequest,
    process: EngineProcess,
    handler: Dispatcher.DispatchHandler,
  ): void {
    const controller = new Controller();
    const fail = (code: string): void => {
      this.#inFlight.delete(breakConnection);
      if (isOver || controller.aborted || process.isKilled) return;
      isOver = true;
      this.#listener.onResponse(service, request, null);
      handler.onResponseError?.(controller, Object.assign(new Error(code), { code }));
    };
    let isOver = false;
    const breakConnection = (): void => fail('ECONNRESET');
    if (request.to === 'generate') this.generates += 1;
    if (this.failure !== null) {
      isOver = true;
      const code = this.failure;
      this.time.in(this.delay(), () => {
        if (!process.isKilled)
          handler.onResponseError?.(controller, Object.assign(new Error(code), { code }));
      });
      return;
    }
    handler.onRequestStart?.(controller, {});
    if (controller.aborted) return;
    this.#listener.onSend(service, request);
    this.#inFlight.add(breakConnection);
    this.time.in(this.delay(), () => {
      const trouble = service.troubleWith(request);
      if (trouble) this.#listener.recordInterference(null);
      const executed = trouble?.executes === false ? null : service.handle(request, this.time.now);
      this.#listener.onArrival(service, request, executed);
      const answer = trouble ? trouble.answer : 'normal';
      if (answer === 'silence') {
        // The client times out by its own clock.
        const timeoutMs = request.to === 'generate' ? TIMEOUTS.generateMs : TIMEOUTS.readMs;
        this.time.in(timeoutMs, () => {
          if (!isOver && !process.isKilled) this.#listener.onResponse(service, request, null);
        });
        return;
      }
      this.time.in(this.delay(), () => {
        if (answer === 'reset') {
          breakConnection();
          return;
        }
        const response =
          answer === 'normal' || answer === 'cut'
            ? executed
            : service.answer(answer.status, answer.body, this.time.now);
        if (!response || this.computer.state === 'asleep') return;
        if (isOver || controller.aborted || process.isKilled) return;
        const isCut = answer === 'cut';
        handler.onResponseStart?.(controller, response.status, { ...response.headers });
        const bytes = Buffer.from(response.body);
        handler.onResponseData?.(controller, isCut ? bytes.subarray(0, 5) : bytes);
        if (isCut) {
          breakConnection();
          return;
        }
        this.#inFlight.delete(breakConnection);
        isOver = true;
        this.#listener.onResponse(service, request, response);
        handler.onResponseEnd?.(controller, {});
      });
    });
  }
}

class Controller implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

/** Passes requests to the simulated network instead of to sockets. */
class SimulatedDispatcher extends Dispatcher {
  readonly #dispatch: (
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ) => void;

  constructor(dispatch: SimulatedDispatcher['dispatch']) {
    super();
    this.#dispatch = dispatch;
  }

  override dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
  ): boolean {
    this.#dispatch(options, handler);
    return true;
  }
}

/**
 * The documented API over the simulated network, with the rules of the engine's client for timeouts
 * and first bytes.
 */
export class ServiceConnection implements SimulatedNetwork {
  readonly #network: Network;
  readonly #service: ModelService;
  readonly #process: EngineProcess;
  readonly #key: () => string | null;
  readonly #closed = new AbortController();

  constructor(
    network: Network,
    service: ModelService,
    process: EngineProcess,
    key: () => string | null,
  ) {
    this.#network = network;
    this.#service = service;
    this.#process = process;
    this.#key = key;
  }

  readonly connect = async (signal?: AbortSignal): Promise<SimulatedExchange | Failure> => {
    if (this.#key() === null) return keyMissing();
    const { host } = new URL(this.#service.origin);
    await this.#process.sleep(2 * this.#network.delay(), signal).catch(() => undefined);
    if (signal?.aborted) return notSent(host, { why: 'stopped' });
    const { failure: code } = this.#network;
    return code === null ? this.exchange : notSent(host, { why: 'connection', code });
  };

  readonly exchange: SimulatedExchange = ({ to, id, body }, signal, entered) => {
    if (to === 'list') throw new Error('This service has no list.');
    const key = entered ?? this.#key() ?? undefined;
    const request: ExchangeRequest = {
      method: body === null ? 'GET' : 'POST',
      path: `/api/v1/video/${to}${id === null ? '' : `/${id}`}`,
      headers: key === undefined ? {} : { 'x-api-key': key },
      body,
      lastOnItsConnection: body !== null,
      headersMs: body === null ? TIMEOUTS.readMs : TIMEOUTS.generateMs,
      bodyMs: TIMEOUTS.bodyMs,
    };
    const dispatcher = new SimulatedDispatcher((_options, handler) => {
      this.#network.dispatch(this.#service, { to, id, body, key }, this.#process, handler);
      return true;
    });
    return exchange(dispatcher, request, this.#process, this.#stopOf(body, signal));
  };

  /** Aborts reads, as the real client does. */
  close(): Promise<void> {
    this.#closed.abort();
    return Promise.resolve();
  }

  #stopOf(body: string | null, signal: AbortSignal | undefined): AbortSignal | undefined {
    if (body !== null) return signal;
    return AbortSignal.any([this.#closed.signal, ...(signal ? [signal] : [])]);
  }
}
