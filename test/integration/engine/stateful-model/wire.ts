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
import type { Asked, Response, SimulatedService } from './simulated-service.ts';

const LATENCY_MS = 100;
/** After which a client gives up on an answer. */
const PATIENCE_MS = 120_000;

/** The next faults, and the one of every request. */
export interface Weather {
  isOnline: boolean;
  readonly next: Readonly<Record<Asked['to'], Fault[]>>;
}

/** Observes every request when its first byte is sent, and the response. */
export interface WireWatcher {
  /** @returns the job whose request it is */
  leaves(body: string): number;
  /** @param response `null`: none, or an incomplete one */
  recordResponse(to: Asked['to'], job: number | null, response: Response | null): void;
}

export interface WireParts {
  readonly service: SimulatedService;
  readonly weather: Weather;
  readonly rules: AnswerRules;
  readonly key: () => string | null;
  /**
   * Shared by the engine and the world: a sent request continues after the engine's process died.
   */
  readonly clock: Clock;
  readonly worldClock: Clock;
  readonly watcher: WireWatcher;
}

/**
 * The way to the simulated service and back; its answers are judged by the engine's own verdicts.
 */
export class Wire implements Service {
  readonly #parts: WireParts;
  readonly #verdicts: ResponseClassifier;

  constructor(parts: WireParts) {
    this.#parts = parts;
    this.#verdicts = new ResponseClassifier(
      new Endpoints(parts.service.origin, DOCUMENTED_API),
      parts.rules,
    );
  }

  /** An open connection can still be lost before the first byte: `generate` reports that. */
  async connect(): Promise<ConnectOutcome> {
    const { weather, key, clock } = this.#parts;
    if (key() === null || !weather.isOnline) {
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
    return this.#verdicts.ofGenerate(result);
  }

  async status(id: string, signal?: AbortSignal): Promise<StatusOutcome> {
    return this.#verdicts.ofStatus(await this.#read({ to: 'status', id }, signal));
  }

  knownLink(): null {
    return null;
  }

  list(): Promise<ListOutcome> {
    return Promise.reject(new Error('This service has no list.'));
  }

  async link(id: string, signal?: AbortSignal): Promise<LinkOutcome> {
    return this.#verdicts.ofLink(await this.#read({ to: 'download', id }, signal));
  }

  cancel(): Promise<never> {
    return Promise.reject(new Error('This service cancels nothing.'));
  }

  balance(): Promise<never> {
    return Promise.reject(new Error('This service tells no balance.'));
  }

  async checkKey(signal?: AbortSignal): Promise<KeyCheckOutcome> {
    return this.#verdicts.ofKeyCheck(await this.#read({ to: 'status', id: 'key-check' }, signal));
  }

  async #read(asked: Asked, signal?: AbortSignal): Promise<Reading> {
    return this.#verdicts.ofRead(await this.#exchange(asked, signal));
  }

  async #exchange(asked: Asked, signal?: AbortSignal): Promise<ExchangeResult> {
    const { weather, key, clock, worldClock, watcher } = this.#parts;
    const value = key();
    const fault = weather.isOnline ? weather.next[asked.to].shift() : undefined;
    if (value === null || !weather.isOnline || fault?.reply === 'unsent') {
      const cause = { why: 'connection', code: 'ECONNREFUSED' } as const;
      await clock.sleep(LATENCY_MS);
      return { kind: 'not-sent', cause };
    }
    const job = asked.to === 'generate' ? watcher.leaves(asked.body) : null;
    const sent = asked.to === 'generate' ? { ...asked, job: job ?? 0 } : asked;
    const sentAt = clock.now();
    let response: Response | null = null;
    void worldClock.sleep(LATENCY_MS / 2).then(() => {
      response = this.#reach(sent, value, fault);
    });
    try {
      await clock.sleep(fault?.reply === 'silence' ? PATIENCE_MS : LATENCY_MS, signal);
    } catch {
      watcher.recordResponse(asked.to, job, null);
      return { kind: 'broken', cause: { why: 'stopped' }, answer: null };
    }
    return this.#readResponse(asked.to, job, response, fault?.reply === 'half', sentAt);
  }

  /** What comes back; `null` for nothing. */
  #reach(asked: Asked, key: string, fault: Fault | undefined): Response | null {
    const { service } = this.#parts;
    if (!fault) return service.answer(asked, key);
    const response = fault.arrives ? service.answer(asked, key) : service.say(200, {});
    if (fault.reply === 'half') return response;
    return typeof fault.reply === 'string' ? null : fault.reply({ service, asked, response });
  }

  #readResponse(
    to: Asked['to'],
    job: number | null,
    response: Response | null,
    isCut: boolean,
    sentAt: number,
  ): ExchangeResult {
    const { clock, watcher } = this.#parts;
    const body = isCut ? response?.body.slice(0, 5) : response?.body;
    const answer = response && { ...response, body: body ?? '', sentAt, receivedAt: clock.now() };
    const isRefusal = response !== null && response.status >= 400;
    watcher.recordResponse(to, job, isCut && !isRefusal ? null : response);
    const cause = { why: 'connection', code: 'ECONNRESET' } as const;
    if (answer === null || isCut) return { kind: 'broken', cause, answer };
    return { kind: 'answered', answer };
  }
}
