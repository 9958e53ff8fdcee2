import { Client, Pool, type Dispatcher } from 'undici';
import type { Failure } from '../../contract/failure.ts';
import type { Clock } from '../clock.ts';
import { isQuotaRefusal, readLink, readRemoteId, readStatus } from './answer-reader.ts';
import type { AnswerRules } from './answer-rules.ts';
import { exchange, type ExchangeRequest, type ExchangeResult } from './exchange.ts';
import { parseAnswer, valueAt } from './json-answer.ts';
import type {
  Answer,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ReadTrouble,
  Service,
  StatusOutcome,
} from './outcomes.ts';
import { withoutKey, withoutLinkSecrets } from './redaction.ts';
import {
  AnswerFailures,
  keyMalformed,
  keyMissing,
  notSent,
  unknownAfterBreak,
  unreachable,
} from './service-failures.ts';

/** Milliseconds. */
export interface ServiceTimeouts {
  /** To a verified TLS connection, name look-up included. */
  readonly connectMs: number;
  /** From a request's first byte to the end of the answer's headers. */
  readonly readMs: number;
  /** The same for a generate request: giving up on one leaves its outcome unknown, so it is long. */
  readonly generateMs: number;
  /** From the end of the headers to the end of the body. */
  readonly bodyMs: number;
}

const TIMEOUTS: ServiceTimeouts = {
  connectMs: 10_000,
  readMs: 30_000,
  generateMs: 120_000,
  bodyMs: 30_000,
};

export interface ServiceClientOptions {
  /** The service's base address, without `/api/v1` (service-api.md, conventions). https only. */
  readonly baseUrl: string;
  /** The key that was entered for this origin. Asked for anew with every request. */
  readonly key: (origin: string) => string | null;
  readonly rules: AnswerRules;
  readonly clock: Clock;
  /** PEM of the one certificate authority to trust instead of the system's. */
  readonly ca?: string | undefined;
  readonly timeouts?: Partial<ServiceTimeouts>;
}

/** The base address is none that a key may be sent to. */
export class BaseUrlError extends TypeError {
  readonly code = 'base-url-invalid';
}

/** Connections kept for reads: a few, since 60 reads a minute is all there is (§8.1). */
const READ_CONNECTIONS = 4;

/** An identifier that no video has, for a request whose only purpose is its status (§5.7). */
const NO_VIDEO = 'key-check';

/**
 * The documented API over undici. It follows no redirect, retries nothing and knows one origin:
 * its sockets lead nowhere else, so the key cannot.
 */
export class ServiceClient implements Service {
  readonly #origin: string;
  readonly #basePath: string;
  readonly #key: ServiceClientOptions['key'];
  readonly #rules: AnswerRules;
  readonly #clock: Clock;
  readonly #timeouts: ServiceTimeouts;
  readonly #failures: AnswerFailures;
  readonly #host: string;
  readonly #connections: Client.Options;
  readonly #reads: Pool;

  /** @throws {BaseUrlError} for an address that is not https or has more than an origin and a path. */
  constructor({ baseUrl, key, rules, clock, ca, timeouts }: ServiceClientOptions) {
    const base = parseBaseUrl(baseUrl);
    this.#origin = base.origin;
    this.#host = base.host;
    this.#basePath = `${base.pathname.replace(/\/+$/, '')}/api/v1`;
    this.#key = key;
    this.#rules = rules;
    this.#clock = clock;
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#failures = new AnswerFailures(this.#host, rules);
    this.#connections = {
      allowH2: false,
      pipelining: 1,
      connect: {
        timeout: this.#timeouts.connectMs,
        // Said outright, because an environment variable may have turned it off for the process.
        rejectUnauthorized: true,
        ...(ca === undefined ? {} : { ca }),
      },
    };
    this.#reads = new Pool(this.#origin, { ...this.#connections, connections: READ_CONNECTIONS });
  }

  async generate(body: string, signal?: AbortSignal): Promise<GenerateOutcome> {
    const key = this.#readKey();
    if (key.kind === 'unusable') return { kind: 'not-sent', failure: key.failure };
    const connection = new Client(this.#origin, this.#connections);
    try {
      const result = await this.#exchange(connection, key.value, signal, {
        method: 'POST',
        path: `${this.#basePath}/video/generate`,
        headers: { 'content-type': 'application/json' },
        body,
        lastOnItsConnection: true,
        headersMs: this.#timeouts.generateMs,
      });
      return this.#generateOutcome(result);
    } finally {
      // Not awaited: the outcome is known, and a peer that keeps its side open must not delay it.
      void connection.destroy();
    }
  }

  async status(remoteId: string, signal?: AbortSignal): Promise<StatusOutcome> {
    const read = await this.#read(`status/${encodeURIComponent(remoteId)}`, signal);
    if (read.kind !== 'answered') return read;
    return { kind: 'status', status: readStatus(read.json, this.#rules), answer: read.answer };
  }

  async link(remoteId: string, signal?: AbortSignal): Promise<LinkOutcome> {
    const read = await this.#read(`download/${encodeURIComponent(remoteId)}`, signal);
    if (read.kind !== 'answered') {
      const { answer } = read;
      return answer !== null && isNotReady(answer) ? { kind: 'not-ready', answer } : read;
    }
    const answer = { ...read.answer, body: withoutLinkSecrets(read.answer.body) };
    const reading = readLink(read.json, this.#rules);
    switch (reading.kind) {
      case 'link':
        return { kind: 'link', link: reading.link, answer };
      case 'not-ready':
        return { kind: 'not-ready', answer };
      case 'unreadable':
        return this.#unreadable(answer, reading.why);
    }
  }

  async checkKey(signal?: AbortSignal): Promise<KeyCheckOutcome> {
    const read = await this.#read(`status/${NO_VIDEO}`, signal);
    switch (read.kind) {
      case 'answered':
      case 'rate-limited':
        return { kind: 'accepted', answer: read.answer };
      case 'key-refused':
        return { kind: 'refused', failure: read.failure, answer: read.answer };
      case 'not-found':
      case 'unreachable': {
        const { answer, failure } = read;
        return answer !== null && provesTheKey(answer)
          ? { kind: 'accepted', answer }
          : { kind: 'unreachable', failure, answer };
      }
    }
  }

  /** Breaks off reads that are under way. A generate request is left to come to its end. */
  async close(): Promise<void> {
    await this.#reads.destroy();
  }

  #generateOutcome(result: ExchangeResult): GenerateOutcome {
    if (result.kind === 'not-sent') {
      return { kind: 'not-sent', failure: notSent(this.#host, result.cause) };
    }
    const { answer } = result;
    // The status alone says that it was refused, even if the connection broke in the body.
    if (answer !== null && isRefusal(answer)) return this.#refusal(answer);
    if (result.kind === 'broken') {
      return { kind: 'unknown', failure: unknownAfterBreak(this.#host, result.cause), answer };
    }
    const remoteId = this.#acceptedId(result.answer);
    return remoteId === null
      ? { kind: 'unknown', failure: this.#failures.unknown(result.answer), answer }
      : { kind: 'accepted', remoteId, answer: result.answer };
  }

  #acceptedId(answer: Answer): string | null {
    if (!isSuccess(answer)) return null;
    const json = parseAnswer(answer.body);
    return saysFailure(json) ? null : readRemoteId(json, this.#rules);
  }

  #refusal(answer: Answer): GenerateOutcome {
    if (answer.status === 401) {
      return { kind: 'key-refused', failure: this.#failures.keyRefused(answer), answer };
    }
    if (isQuotaRefusal(answer.status, parseAnswer(answer.body), this.#rules)) {
      return { kind: 'quota-used-up', failure: this.#failures.quotaUsedUp(answer), answer };
    }
    if (answer.status === 429) return { kind: 'rate-limited', answer };
    return { kind: 'rejected', failure: this.#failures.rejected(answer), answer };
  }

  /** A GET, with everything decided that does not depend on what was asked for. */
  async #read(path: string, signal: AbortSignal | undefined): Promise<Reading> {
    const key = this.#readKey();
    if (key.kind === 'unusable') {
      return { kind: 'unreachable', failure: key.failure, answer: null };
    }
    const result = await this.#exchange(this.#reads, key.value, signal, {
      method: 'GET',
      path: `${this.#basePath}/video/${path}`,
      headers: {},
      body: null,
      lastOnItsConnection: false,
      headersMs: this.#timeouts.readMs,
    });
    if (result.kind === 'not-sent') {
      return { kind: 'unreachable', failure: unreachable(this.#host, result.cause), answer: null };
    }
    const { answer } = result;
    if (answer?.status === 401) {
      return { kind: 'key-refused', failure: this.#failures.keyRefused(answer), answer };
    }
    if (answer?.status === 429) return { kind: 'rate-limited', answer };
    if (result.kind === 'broken') {
      return { kind: 'unreachable', failure: unreachable(this.#host, result.cause), answer };
    }
    if (result.answer.status === 404 || result.answer.status === 410) {
      return {
        kind: 'not-found',
        failure: this.#failures.notFound(result.answer),
        answer: result.answer,
      };
    }
    const json = parseAnswer(result.answer.body);
    return isSuccess(result.answer) && isObject(json) && !saysFailure(json)
      ? { kind: 'answered', answer: result.answer, json }
      : this.#unreadable(result.answer);
  }

  async #exchange(
    dispatcher: Dispatcher,
    key: string,
    signal: AbortSignal | undefined,
    request: Omit<ExchangeRequest, 'bodyMs'>,
  ): Promise<ExchangeResult> {
    const headers = {
      ...request.headers,
      accept: 'application/json',
      'user-agent': 'Spool',
      'x-api-key': key,
    };
    const whole: ExchangeRequest = { ...request, headers, bodyMs: this.#timeouts.bodyMs };
    const result = await exchange(dispatcher, whole, this.#clock, signal);
    if (result.kind === 'answered') return { ...result, answer: withoutKey(result.answer, key) };
    if (result.kind === 'broken' && result.answer !== null) {
      return { ...result, answer: withoutKey(result.answer, key) };
    }
    return result;
  }

  #unreadable(answer: Answer, why?: string): ReadTrouble {
    return { kind: 'unreachable', failure: this.#failures.unreadable(answer, why), answer };
  }

  #readKey(): { kind: 'usable'; value: string } | { kind: 'unusable'; failure: Failure } {
    const value = this.#key(this.#origin);
    if (value === null) return { kind: 'unusable', failure: keyMissing() };
    // Anything else could end the header and begin another one.
    if (!/^[\x21-\x7e]{1,500}$/.test(value)) return { kind: 'unusable', failure: keyMalformed() };
    return { kind: 'usable', value };
  }
}

type Reading =
  { readonly kind: 'answered'; readonly answer: Answer; readonly json: object } | ReadTrouble;

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:') {
    throw new BaseUrlError('The service’s address must begin with https://.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new BaseUrlError(
      'The service’s address may have a host, a port and a path, nothing else.',
    );
  }
  return url;
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** 408 is no refusal: it is the server's word for a request that it may have had only in part. */
function isRefusal({ status }: Answer): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null;
}

/** service-api.md §2.4: `success` is false in every error body, whatever the status says. */
function saysFailure(json: unknown): boolean {
  return valueAt(json, 'success') === false;
}

/** 409 and 425 are the usual statuses for asking too early; the document has none (§4.3). */
function isNotReady(answer: Answer): boolean {
  return answer.status === 409 || answer.status === 425;
}

/**
 * §5.7: a 400 or 200 proves the key, a 401 disproves it. A 404 proves it as well if it comes from
 * the service and not from some other web server: then it has the limit's headers (§8.2).
 */
function provesTheKey({ status, headers, body }: Answer): boolean {
  if (status === 404 || status === 410) {
    return 'x-ratelimit-remaining' in headers || isObject(parseAnswer(body));
  }
  return [200, 400, 402, 409, 422].includes(status);
}
