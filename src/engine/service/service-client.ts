import type { Socket } from 'node:net';
import { Client, Pool, type buildConnector, type Dispatcher } from 'undici';
import type { Failure } from '../../contract/failure.ts';
import type { Clock } from '../clock.ts';
import type { Trace } from '../logger.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { exchange, type ExchangeRequest, type ExchangeResult } from './exchange.ts';
import { openSocket, useOnce } from './open-socket.ts';
import type {
  ConnectOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  Service,
  StatusOutcome,
} from './outcomes.ts';
import { withoutKey } from './redaction.ts';
import { requestFields, requestName, resultFields } from './trace-fields.ts';
import { keyMalformed, keyMissing, notSent } from './service-failures.ts';
import { ResponseClassifier, type Reading } from './response-classifier.ts';

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
  readonly trace?: Trace | undefined;
}

/** The base address is none that a key may be sent to. */
export class BaseUrlError extends TypeError {
  readonly code = 'base-url-invalid';
}

/** Connections kept for reads: a few, since 60 reads a minute is all there is (§8.1). */
const READ_CONNECTIONS = 4;

const HTTP = { allowH2: false, pipelining: 1 } as const;

/** An identifier that no video has, for a request whose only purpose is its status (§5.7). */
const NO_VIDEO = 'key-check';

/**
 * The documented API over undici. It follows no redirect, retries nothing and knows one origin:
 * its sockets lead nowhere else, so the key cannot.
 */
export class ServiceClient implements Service {
  readonly #origin: string;
  readonly #host: string;
  readonly #basePath: string;
  readonly #key: ServiceClientOptions['key'];
  readonly #clock: Clock;
  readonly #trace: Trace | undefined;
  readonly #timeouts: ServiceTimeouts;
  readonly #classifier: ResponseClassifier;
  readonly #tls: buildConnector.BuildOptions;
  readonly #reads: Pool;

  /** @throws {BaseUrlError} for an address that is not https or has more than an origin and a path. */
  constructor({ baseUrl, key, rules, clock, ca, timeouts, trace }: ServiceClientOptions) {
    const base = parseBaseUrl(baseUrl);
    this.#origin = base.origin;
    this.#host = base.host;
    this.#basePath = `${base.pathname.replace(/\/+$/, '')}/api/v1`;
    this.#key = key;
    this.#clock = clock;
    this.#trace = trace;
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#classifier = new ResponseClassifier(base.host, rules);
    this.#tls = {
      allowH2: false,
      timeout: this.#timeouts.connectMs,
      // Explicit, because an environment variable may have turned it off for the process.
      rejectUnauthorized: true,
      ...(ca === undefined ? {} : { ca }),
    };
    this.#reads = new Pool(this.#origin, {
      ...HTTP,
      connect: this.#tls,
      connections: READ_CONNECTIONS,
    });
  }

  async connect(signal?: AbortSignal): Promise<ConnectOutcome> {
    const key = this.#readKey();
    if (key.kind === 'unusable') return { kind: 'not-connected', failure: key.failure };
    const opened = await openSocket(new URL(this.#origin), this.#tls, signal);
    if (opened.kind === 'failed') {
      this.#trace?.({ host: this.#host, cause: opened.cause }, 'not connected');
      return { kind: 'not-connected', failure: notSent(this.#host, opened.cause) };
    }
    this.#trace?.({ host: this.#host }, 'connected');
    const { socket } = opened;
    const connection = {
      generate: (body: string, stop?: AbortSignal) => this.#generate(socket, body, stop),
      close: () => void socket.destroy(),
    };
    return { kind: 'connected', connection };
  }

  async #generate(socket: Socket, body: string, signal?: AbortSignal): Promise<GenerateOutcome> {
    const key = this.#readKey();
    if (key.kind === 'unusable') {
      socket.destroy();
      return { kind: 'not-sent', failure: key.failure };
    }
    const connection = new Client(this.#origin, { ...HTTP, connect: useOnce(socket) });
    try {
      const result = await this.#exchange(connection, key.value, signal, {
        method: 'POST',
        path: `${this.#basePath}/video/generate`,
        headers: { 'content-type': 'application/json' },
        body,
        lastOnItsConnection: true,
        headersMs: this.#timeouts.generateMs,
      });
      return this.#classifier.ofGenerate(result);
    } finally {
      // Not awaited: the outcome is known, and a peer that keeps its side open must not delay it.
      void connection.destroy();
      socket.destroy();
    }
  }

  async status(remoteId: string, signal?: AbortSignal): Promise<StatusOutcome> {
    const reading = await this.#read(
      `status/${encodeURIComponent(remoteId.toWellFormed())}`,
      signal,
    );
    return this.#classifier.ofStatus(reading);
  }

  async link(remoteId: string, signal?: AbortSignal): Promise<LinkOutcome> {
    const reading = await this.#read(
      `download/${encodeURIComponent(remoteId.toWellFormed())}`,
      signal,
    );
    return this.#classifier.ofLink(reading);
  }

  async checkKey(signal?: AbortSignal): Promise<KeyCheckOutcome> {
    return this.#classifier.ofKeyCheck(await this.#read(`status/${NO_VIDEO}`, signal));
  }

  /** Breaks off reads that are under way. A generate request is left to come to its end. */
  async close(): Promise<void> {
    await this.#reads.destroy();
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
    return this.#classifier.ofRead(result);
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
      // Without it any coding would do (RFC 9110 §12.5.3), and an answer in one could not be read.
      'accept-encoding': 'identity',
      'user-agent': 'Spool',
      'x-api-key': key,
    };
    const whole: ExchangeRequest = { ...request, headers, bodyMs: this.#timeouts.bodyMs };
    this.#trace?.(requestFields(request), 'request');
    const result = keyless(await exchange(dispatcher, whole, this.#clock, signal), key);
    this.#trace?.({ ...requestName(request), ...resultFields(result) }, 'answer');
    return result;
  }

  #readKey(): { kind: 'usable'; value: string } | { kind: 'unusable'; failure: Failure } {
    const value = this.#key(this.#origin);
    if (value === null) return { kind: 'unusable', failure: keyMissing() };
    // Anything else could end the header and begin another one.
    if (!/^[\x21-\x7e]{1,500}$/.test(value)) return { kind: 'unusable', failure: keyMalformed() };
    return { kind: 'usable', value };
  }
}

/** What came of an exchange, in which the key cannot be read even if the service has echoed it. */
function keyless(result: ExchangeResult, key: string): ExchangeResult {
  if (result.kind === 'answered') return { ...result, answer: withoutKey(result.answer, key) };
  if (result.kind === 'broken' && result.answer !== null) {
    return { ...result, answer: withoutKey(result.answer, key) };
  }
  return result;
}

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
