import type { Socket } from 'node:net';
import { Client, Pool, type buildConnector, type Dispatcher } from 'undici';
import type { Failure } from '../../contract/failure.ts';
import type { Clock } from '../clock.ts';
import type { KeyForFile, Link } from '../link.ts';
import { noProxy, type FindProxy } from '../proxy.ts';
import type { Trace } from '../logger.ts';
import { isPossibleKey } from '../../contract/key-text.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { DOCUMENTED_API, type ServiceApi } from '../../contract/service-profile.ts';
import { Endpoints } from './endpoints.ts';
import { exchange, type ExchangeRequest, type ExchangeResult } from './exchange.ts';
import { openSocket, secureConnector, useOnce } from './open-socket.ts';
import type {
  BalanceOutcome,
  CancelOutcome,
  ConnectOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  Service,
  StatusOutcome,
} from './outcomes.ts';
import { formOf, toMultipart } from './multipart.ts';
import type { FilePart, Upload } from './upload.ts';
import { valueAt } from './response-reader.ts';
import { withoutKey, withoutSecret } from './redaction.ts';
import { requestFields, requestName, resultFields } from './trace-fields.ts';
import {
  keyMalformed,
  keyMissing,
  notSent,
  uploadFailed,
  uploadMissing,
  videoUnknown,
} from './service-failures.ts';
import { ResponseClassifier, type Reading } from './response-classifier.ts';

/** Milliseconds. */
export interface ServiceTimeouts {
  /** To a verified TLS connection, including name resolution. */
  readonly connectMs: number;
  /** From a request's first byte to the end of the response's headers. */
  readonly readMs: number;
  /** The same for a generate request: aborting one leaves its outcome unknown, so it is long. */
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
  /** The documented API when left out. */
  readonly api?: ServiceApi | undefined;
  /** The key that was entered for this origin. Read again for every request. */
  readonly key: (origin: string) => string | null;
  readonly rules: AnswerRules;
  readonly clock: Clock;
  /** PEM of the one certificate authority to trust instead of the system's. */
  readonly ca?: string | undefined;
  /** Connects directly when left out. */
  readonly findProxy?: FindProxy | undefined;
  /** Why no request may be made; the key is not read then. */
  readonly unavailable?: Failure | undefined;
  readonly timeouts?: Partial<ServiceTimeouts>;
  readonly trace?: Trace | undefined;
}

/** A file that is sent. */
interface Posted {
  readonly contentType: string;
  readonly body: Buffer;
  readonly headersMs: number;
}

/** Connections to an origin for requests that may be repeated. */
interface Channel {
  readonly pool: Pool;
  readonly classifier: ResponseClassifier;
}

/** Characters of what a service calls an uploaded file. */
const MAX_UPLOAD = 4000;

/** Connections kept for reads: a few, because only 60 reads a minute are allowed (§8.1). */
const READ_CONNECTIONS = 4;

const HTTP = { allowH2: false, pipelining: 1 } as const;

/**
 * The API of a service over undici, as its profile describes it. It follows no redirect, retries
 * nothing and connects to its origin and that of its uploads only, so the key is sent nowhere else.
 */
export class ServiceClient implements Service {
  readonly #endpoints: Endpoints;
  readonly #api: ServiceApi;
  readonly #options: ServiceClientOptions;
  readonly #timeouts: ServiceTimeouts;
  readonly #classifier: ResponseClassifier;
  readonly #connector: buildConnector.connector;
  readonly #reads: Channel;
  /** For uploads, whose origin may be another one. */
  readonly #uploads: Channel;

  /** @throws {BaseUrlError} for an address that is not https or has more than an origin and a path. */
  constructor(options: ServiceClientOptions) {
    const { baseUrl, api = DOCUMENTED_API, rules, ca, timeouts, findProxy = noProxy } = options;
    this.#options = options;
    this.#api = api;
    this.#endpoints = new Endpoints(baseUrl, api);
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#classifier = new ResponseClassifier(this.#endpoints, rules);
    this.#connector = secureConnector({ findProxy, timeoutMs: this.#timeouts.connectMs, ca });
    const http = { ...HTTP, connect: this.#connector, connections: READ_CONNECTIONS };
    this.#reads = {
      pool: new Pool(this.#endpoints.origin, http),
      classifier: this.#classifier,
    };
    const { uploads } = this.#endpoints;
    this.#uploads =
      uploads === null || uploads.origin === this.#endpoints.origin
        ? this.#reads
        : {
            pool: new Pool(uploads.origin, http),
            classifier: new ResponseClassifier(this.#endpoints, rules, uploads.host),
          };
  }

  async connect(signal?: AbortSignal): Promise<ConnectOutcome> {
    const key = this.#readKey();
    if (key.kind === 'unusable') return { kind: 'not-connected', failure: key.failure };
    const opened = await openSocket(new URL(this.#endpoints.origin), this.#connector, signal);
    if (opened.kind === 'failed') {
      this.#options.trace?.({ host: this.#endpoints.host, cause: opened.cause }, 'not connected');
      return { kind: 'not-connected', failure: notSent(this.#endpoints.host, opened.cause) };
    }
    this.#options.trace?.({ host: this.#endpoints.host }, 'connected');
    const { socket } = opened;
    const connection = {
      generate: (
        body: string,
        stop?: AbortSignal,
        idempotencyKey?: string,
        files?: readonly FilePart[],
      ) => this.#generate(socket, { body, files }, stop, idempotencyKey),
      close: () => void socket.destroy(),
    };
    return { kind: 'connected', connection };
  }

  async #generate(
    socket: Socket,
    {
      body,
      files = [],
    }: { readonly body: string; readonly files?: readonly FilePart[] | undefined },
    signal?: AbortSignal,
    idempotencyKey?: string,
  ): Promise<GenerateOutcome> {
    const key = this.#readKey();
    if (key.kind === 'unusable') {
      socket.destroy();
      return { kind: 'not-sent', failure: key.failure };
    }
    const { once, generate } = this.#api;
    const { contentType, body: encoded } =
      generate.body === 'multipart'
        ? toMultipart(body, files)
        : { contentType: 'application/json', body };
    const { idempotencyHeader } = once;
    const idempotency =
      idempotencyHeader === null || idempotencyKey === undefined
        ? {}
        : { [idempotencyHeader]: idempotencyKey };
    const connection = new Client(this.#endpoints.origin, { ...HTTP, connect: useOnce(socket) });
    try {
      const result = await this.#exchange(connection, key.value, signal, {
        method: 'POST',
        path: this.#endpoints.generate(body),
        headers: { 'content-type': contentType, ...idempotency },
        body: encoded,
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

  /** Sends a file to the profile's `upload`, and the key there and to no other address. */
  readonly upload: Upload = async (file, signal) => {
    const { upload } = this.#api;
    const { uploads } = this.#endpoints;
    if (upload === null || uploads === null) {
      return { kind: 'refused', failure: videoUnknown() };
    }
    const { contentType, body } =
      upload.part === null
        ? { contentType: file.mediaType, body: file.bytes }
        : formOf(() => '', [{ ...file, property: upload.part }], upload.part);
    const post = { contentType, body, headersMs: this.#timeouts.generateMs };
    const reading = await this.#read(uploads.path, signal, 'POST', undefined, post);
    const status = reading.response?.status ?? 0;
    if (reading.kind === 'answered') {
      const value = uploadedAs(valueAt(reading.json, upload.at), upload.as);
      return value === null
        ? { kind: 'unavailable', failure: uploadFailed(uploads.host) }
        : { kind: 'uploaded', value, lifeMs: upload.lifeMs };
    }
    // The failure of a read would speak of a video that is gone.
    if ([404, 405, 410].includes(status)) {
      return { kind: 'no-endpoint', failure: uploadMissing(uploads, status) };
    }
    if (reading.kind === 'rate-limited') {
      return { kind: 'unavailable', failure: uploadFailed(uploads.host) };
    }
    // Another picture may be taken; no permission would meet all.
    const isRefused = [400, 413, 415, 422].includes(status);
    return { kind: isRefused ? 'refused' : 'unavailable', failure: reading.failure };
  };

  async status(remoteId: string, signal?: AbortSignal): Promise<StatusOutcome> {
    const path = this.#endpoints.status(remoteId);
    return this.#classifier.ofStatus(await this.#readVideo(path, signal), remoteId);
  }

  async link(remoteId: string, signal?: AbortSignal): Promise<LinkOutcome> {
    if (this.#api.file.kind === 'link-endpoint') {
      const path = this.#endpoints.file(remoteId);
      return this.#classifier.ofLink(await this.#readVideo(path, signal));
    }
    const path = this.#endpoints.status(remoteId);
    const reading = await this.#readVideo(path, signal);
    return this.#classifier.ofLinkInStatus(reading, this.knownLink(remoteId), remoteId);
  }

  async list(cursor: string | null, signal?: AbortSignal): Promise<ListOutcome> {
    return this.#classifier.ofList(await this.#readVideo(this.#endpoints.list(cursor), signal));
  }

  async cancel(remoteId: string, signal?: AbortSignal): Promise<CancelOutcome> {
    const { cancel } = this.#api;
    const path = this.#endpoints.cancel(remoteId);
    if (cancel === null || path === null) {
      return { kind: 'refused', failure: videoUnknown(), response: null };
    }
    return this.#classifier.ofCancel(await this.#read(path, signal, cancel.method));
  }

  async balance(signal?: AbortSignal): Promise<BalanceOutcome> {
    return this.#classifier.ofBalance(await this.#readVideo(this.#endpoints.balance, signal));
  }

  async checkKey(signal?: AbortSignal, entered?: string): Promise<KeyCheckOutcome> {
    const { keyCheck } = this.#endpoints;
    return this.#classifier.ofKeyCheck(await this.#read(keyCheck, signal, 'GET', entered));
  }

  knownLink(remoteId: string): Link | null {
    if (this.#api.file.kind !== 'content') return null;
    const path = this.#endpoints.file(remoteId);
    return path === null
      ? null
      : { url: this.#endpoints.origin + path, expiresAt: null, needsKey: true };
  }

  /**
   * The key for a request of a file, if this service delivers the file only with it; `null` for any
   * other address, to which the key must not be sent.
   */
  readonly keyFor = (url: URL): KeyForFile | null => {
    if (!this.#endpoints.isContent(url)) return null;
    const key = this.#readKey();
    if (key.kind === 'unusable') return null;
    return {
      headers: this.#endpoints.requestHeaders(key.value),
      removeFrom: (text) => withoutSecret(text, key.value),
    };
  };

  /** Aborts running reads. A generate request may finish. */
  async close(): Promise<void> {
    await Promise.all([this.#reads.pool.destroy(), this.#uploads.pool.destroy()]);
  }

  /** @param path `null` for an identifier that no video can have */
  #readVideo(path: string | null, signal: AbortSignal | undefined): Promise<Reading> {
    return path === null
      ? Promise.resolve({ kind: 'unusable', failure: videoUnknown(), response: null })
      : this.#read(path, signal);
  }

  /**
   * A request that may be repeated: handles everything that does not depend on what was requested.
   */
  async #read(
    path: string,
    signal: AbortSignal | undefined,
    method: ExchangeRequest['method'] = 'GET',
    entered?: string,
    post?: Posted,
  ): Promise<Reading> {
    const key = this.#readKey(entered);
    if (key.kind === 'unusable') {
      return { kind: 'unreachable', failure: key.failure, response: null };
    }
    const { pool, classifier } = post === undefined ? this.#reads : this.#uploads;
    const result = await this.#exchange(pool, key.value, signal, {
      method,
      path,
      headers: post === undefined ? {} : { 'content-type': post.contentType },
      body: post?.body ?? null,
      lastOnItsConnection: false,
      headersMs: post?.headersMs ?? this.#timeouts.readMs,
    });
    return classifier.ofRead(result);
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
      // Without it any coding would be allowed (RFC 9110 §12.5.3), and a compressed response could
      // not be read.
      'accept-encoding': 'identity',
      'user-agent': 'Spool',
      ...this.#endpoints.requestHeaders(key),
    };
    const whole: ExchangeRequest = { ...request, headers, bodyMs: this.#timeouts.bodyMs };
    this.#options.trace?.(requestFields(request), 'request');
    const result = keyless(await exchange(dispatcher, whole, this.#options.clock, signal), key);
    this.#options.trace?.({ ...requestName(request), ...resultFields(result) }, 'answer');
    return result;
  }

  /** @param entered a key to use instead of the one in use */
  #readKey(
    entered?: string,
  ): { kind: 'usable'; value: string } | { kind: 'unusable'; failure: Failure } {
    const { unavailable, key } = this.#options;
    if (unavailable) return { kind: 'unusable', failure: unavailable };
    const value = entered ?? key(this.#endpoints.origin);
    if (value === null) return { kind: 'unusable', failure: keyMissing() };
    if (!isPossibleKey(value)) return { kind: 'unusable', failure: keyMalformed() };
    return { kind: 'usable', value };
  }
}

/** What the service calls an uploaded file, as the request has it; `null` if that cannot be. */
function uploadedAs(value: unknown, as: 'text' | 'number'): string | number | null {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.length > MAX_UPLOAD) return null;
  if (as === 'text') return text;
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : null;
}

/** The result of an exchange without the key, in case the service has echoed it. */
function keyless(result: ExchangeResult, key: string): ExchangeResult {
  return result.kind === 'not-sent' || result.response === null
    ? result
    : { ...result, response: withoutKey(result.response, key) };
}
