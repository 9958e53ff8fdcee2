import {
  isKeyRefusal,
  isQuotaRefusal,
  readBalance,
  readErrorCode,
  readLink,
  readRemoteId,
  readStatus,
  type LinkReading,
  valueAt,
} from './answer-reader.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Endpoints } from './endpoints.ts';
import type { Break, ExchangeResult } from './exchange.ts';
import { parseForeignJson } from '../../contract/json-text.ts';
import type { Link } from '../link.ts';
import type {
  Answer,
  BalanceOutcome,
  CancelOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListedVideo,
  ListOutcome,
  ParsedResponse,
  ReadTrouble,
  StatusOutcome,
} from './outcomes.ts';
import { withoutLinkSecrets } from './redaction.ts';
import { AnswerFailures, notSent, unknownAfterBreak, unreachable } from './service-failures.ts';

/** The result of any GET. */
export type Reading =
  | ({ readonly kind: 'answered' } & ParsedResponse)
  /** There is no JSON to read. */
  | ReadTrouble;

/** The meaning of exchanges with the service (service-api.md §4, §5 and §7). No I/O. */
export class ResponseClassifier {
  readonly #endpoints: Endpoints;
  readonly #host: string;
  readonly #rules: AnswerRules;
  readonly #failures: AnswerFailures;

  constructor(endpoints: Endpoints, rules: AnswerRules) {
    this.#endpoints = endpoints;
    this.#host = endpoints.host;
    this.#rules = rules;
    this.#failures = new AnswerFailures(endpoints.host, rules);
  }

  ofGenerate(result: ExchangeResult): GenerateOutcome {
    const found = classify(result);
    switch (found.is) {
      case 'not-sent':
        return { kind: 'not-sent', failure: notSent(this.#host, found.cause) };
      case 'broken': {
        const failure = unknownAfterBreak(this.#host, found.cause);
        return { kind: 'unknown', failure, answer: found.answer };
      }
      case 'key-refused':
        return this.#quotaStatus(found) ?? this.#keyRefused(found);
      case 'rate-limited':
        return this.#quotaRefusal(found) ?? { kind: 'rate-limited', answer: found.answer };
      case 'refused':
        return this.#isKeyRefusal(found)
          ? this.#keyRefused(found)
          : (this.#quotaRefusal(found) ?? this.#rejection(found));
      case 'success':
        return this.#accepted(found) ?? this.#unknown(found);
      case 'server-error':
        return { ...this.#unknown(found), kind: 'server-error' };
      case 'other':
        return this.#unknown(found);
    }
  }

  ofRead(result: ExchangeResult): Reading {
    const found = classify(result);
    switch (found.is) {
      case 'not-sent':
        return { kind: 'unreachable', failure: unreachable(this.#host, found.cause), answer: null };
      case 'broken':
        return this.#brokenRead(found.cause, found.answer);
      case 'key-refused':
        return this.#keyRefused(found);
      case 'rate-limited':
        return { kind: 'rate-limited', answer: found.answer };
      case 'refused':
      case 'other':
        return found.cause
          ? this.#brokenRead(found.cause, found.answer)
          : this.#ofRefusedRead(found);
      case 'success': {
        const { answer, json } = found;
        return isObject(json) && !saysFailure(json)
          ? { kind: 'answered', answer, json }
          : this.#ofRefusedRead(found);
      }
      case 'server-error':
        return { ...this.#unreadable(found), kind: 'server-error' };
    }
  }

  ofStatus(reading: Reading): StatusOutcome {
    if (reading.kind !== 'answered') return reading;
    const status = readStatus(reading.json, this.#rules);
    const link = status.state === 'done' ? this.#readLinkInStatus(reading) : null;
    const { answer } = reading;
    return { kind: 'status', status, link: link?.kind === 'link' ? link.link : null, answer };
  }

  /**
   * The link in a status, or for a finished video the one that needs no request.
   * @param known `null` if there is none
   */
  ofLinkInStatus(reading: Reading, known: Link | null): LinkOutcome {
    if (reading.kind !== 'answered') return reading;
    const { answer, json } = reading;
    if (readStatus(json, this.#rules).state !== 'done') return { kind: 'not-ready', answer };
    if (known !== null) return { kind: 'link', link: known, answer };
    return this.#ofLinkReading(this.#readLinkInStatus(reading), reading);
  }

  ofLink(reading: Reading): LinkOutcome {
    if (reading.kind !== 'answered') {
      const isEarly = reading.kind === 'unusable' && reading.answer && isNotReady(reading.answer);
      return isEarly ? { kind: 'not-ready', answer: reading.answer } : reading;
    }
    return this.#ofLinkReading(readLink(reading.json, this.#rules), reading);
  }

  /** A page of the list of recent videos; the profile says where they are in it. */
  ofList(reading: Reading): ListOutcome {
    if (reading.kind !== 'answered') return reading;
    const { answer, json } = reading;
    const { list } = this.#endpoints.api.once;
    const items = list && valueAt(json, list.items);
    if (!list || !Array.isArray(items)) return this.#unreadable(reading);
    const videos = items.flatMap((item: unknown): ListedVideo[] => {
      const remoteId = this.#endpoints.listedId(item);
      if (remoteId === null) return [];
      const ownId = valueAt(item, list.ours);
      const createdAt = list.createdAt === null ? null : momentFrom(valueAt(item, list.createdAt));
      return [{ remoteId, ownId: typeof ownId === 'string' ? ownId : null, createdAt }];
    });
    const cursor = list.nextPage === null ? null : cursorFrom(valueAt(json, list.nextPage.at));
    return { kind: 'page', videos, cursor, answer };
  }

  #ofLinkReading(link: LinkReading, response: ParsedResponse): LinkOutcome {
    const { answer } = response;
    switch (link.kind) {
      case 'link':
        return { kind: 'link', link: link.link, answer };
      case 'not-ready':
        return { kind: 'not-ready', answer };
      case 'unreadable':
        return this.#unreadable(response, link.why);
    }
  }

  /** The link in the status of a finished video. */
  #readLinkInStatus({ answer, json }: ParsedResponse): LinkReading {
    const { file } = this.#endpoints.api;
    if (file.kind === 'content-in-status') {
      const url = this.#endpoints.fileAddressIn(json);
      return url === null
        ? { kind: 'unreadable', why: userMessage('file-address-elsewhere') }
        : { kind: 'link', link: { url, expiresAt: null, needsKey: true } };
    }
    if (file.kind !== 'in-status') return { kind: 'not-ready' };
    const reading = readLink(json, this.#rules);
    const { lifeMs } = file;
    if (reading.kind !== 'link' || reading.link.expiresAt !== null || lifeMs === null) {
      return reading;
    }
    // The service's clock decides when its link expires.
    const date = Date.parse(answer.headers.date ?? '');
    const givenAt = Number.isNaN(date) ? answer.receivedAt : date;
    return { kind: 'link', link: { ...reading.link, expiresAt: givenAt + lifeMs } };
  }

  /** Services answer with the video, with some word, or with only a status. */
  ofCancel(reading: Reading): CancelOutcome {
    if (reading.kind === 'answered') {
      const isFinished = readStatus(reading.json, this.#rules).state === 'done';
      return { kind: isFinished ? 'finished' : 'cancelled', answer: reading.answer };
    }
    if (reading.kind !== 'unusable' || reading.answer === null) return reading;
    const { answer, failure } = reading;
    const isSuccess = classOf(answer.status) === 'success';
    if (isSuccess && answer.body.trim() === '') return { kind: 'cancelled', answer };
    const isRefusal = classOf(answer.status) === 'refused' || isSuccess;
    return isRefusal && isFromService(parsed(answer))
      ? { kind: 'refused', failure, answer }
      : reading;
  }

  ofBalance(reading: Reading): BalanceOutcome {
    if (reading.kind !== 'answered') return reading;
    const { balance } = this.#endpoints.api.cost;
    const amount = balance === null ? null : readBalance(reading.json, balance);
    return { kind: 'balance', amount, answer: reading.answer };
  }

  ofKeyCheck(reading: Reading): KeyCheckOutcome {
    switch (reading.kind) {
      case 'answered':
      case 'rate-limited':
      case 'not-found':
      case 'expired':
        return { kind: 'accepted', answer: reading.answer };
      case 'unusable': {
        const { answer, failure } = reading;
        return answer !== null && provesTheKey(answer)
          ? { kind: 'accepted', answer }
          : { kind: 'unusable', failure, answer };
      }
      case 'server-error':
        return { ...reading, kind: 'unusable' };
      case 'key-refused':
      case 'unreachable':
        return reading;
    }
  }

  #brokenRead(cause: Break, answer: Answer | null): ReadTrouble {
    return { kind: 'unusable', failure: unreachable(this.#host, cause), answer };
  }

  /**
   * The API does not document the answer for a deleted video (service-api.md §4, §7). 410 is HTTP's
   * status for it. The code is the local service's; other services may send it with other statuses.
   */
  #ofRefusedRead(response: ParsedResponse): ReadTrouble {
    const { answer, json } = response;
    if (this.#isKeyRefusal(response)) return this.#keyRefused(response);
    const isGone =
      answer.status === 410
        ? isFromService(response)
        : readErrorCode(json, this.#rules) === 'VIDEO_EXPIRED';
    if (isGone) {
      const message = userMessage('video-deleted-there');
      const failure = this.#failures.said('video-expired', message, response);
      return { kind: 'expired', failure, answer };
    }
    if (answer.status === 404 && isFromService(response)) {
      const message = userMessage('video-unknown-there');
      const failure = this.#failures.said('video-unknown', message, response);
      return { kind: 'not-found', failure, answer };
    }
    return this.#unreadable(response);
  }

  /** `null` when a response has no identifier. */
  #accepted({ answer, json }: ParsedResponse): GenerateOutcome | null {
    const remoteId = saysFailure(json) ? null : this.#readVideoId(json);
    return remoteId === null ? null : { kind: 'accepted', remoteId, answer };
  }

  /** The identifier, or the path of the status if the response contains its address. */
  #readVideoId(json: unknown): string | null {
    const address = this.#endpoints.statusAddressIn(json);
    return address === undefined ? readRemoteId(json, this.#rules) : address;
  }

  #unknown(response: ParsedResponse) {
    const hasAddress = 'addressAt' in this.#endpoints.api.status;
    const failure = this.#failures.unknown(response, hasAddress);
    return { kind: 'unknown', failure, answer: response.answer } as const;
  }

  /** service-api.md §5.5: missing, invalid, revoked and expired keys get the same answer. */
  #keyRefused(response: ParsedResponse): Extract<ReadTrouble, { kind: 'key-refused' }> {
    const failure = this.#failures.said('key-refused', userMessage('key-revoked'), response);
    return { kind: 'key-refused', failure, answer: response.answer };
  }

  #isKeyRefusal({ answer, json }: ParsedResponse): boolean {
    return isKeyRefusal(answer.status, json, this.#rules);
  }

  /** A 401 is about the quota only if the profile says so; `null` otherwise. */
  #quotaStatus(response: ParsedResponse): GenerateOutcome | null {
    const isOfQuota = this.#rules.quotaRefusal.statuses.includes(response.answer.status);
    return isOfQuota ? this.#quotaRefusal(response) : null;
  }

  /** `null` when a refusal is not about the quota. */
  #quotaRefusal(response: ParsedResponse): GenerateOutcome | null {
    const { answer, json } = response;
    return isQuotaRefusal(answer.status, json, this.#rules)
      ? { kind: 'quota-used-up', failure: this.#failures.quotaUsedUp(response), answer }
      : null;
  }

  #rejection(response: ParsedResponse): GenerateOutcome {
    const message = userMessage('video-refused', { status: response.answer.status });
    const failure = this.#failures.said('service-refused', message, response);
    return { kind: 'rejected', about: subjectOf(response), failure, answer: response.answer };
  }

  #unreadable(response: ParsedResponse, why?: UserMessage) {
    const failure = this.#failures.unreadable(response, why);
    return { kind: 'unusable', failure, answer: response.answer } as const;
  }
}

/** The result of an exchange, as far as it does not depend on the request. */
type Classified =
  | { readonly is: 'not-sent'; readonly cause: Break }
  | { readonly is: 'broken'; readonly cause: Break; readonly answer: Answer | null }
  | ({ readonly is: StatusClass; readonly cause: Break | null } & ParsedResponse);

type StatusClass =
  | 'success'
  | 'key-refused'
  | 'rate-limited'
  | 'refused'
  | 'server-error'
  | 'other';

/**
 * How each status is handled:
 *
 * | Status                | Request for a video               | Status or link of a video          |
 * | --------------------- | --------------------------------- | ---------------------------------- |
 * | 2xx                   | `accepted`, or `unknown`          | what was asked for, or `unusable`  |
 * | 401                   | `key-refused`                     | `key-refused`                      |
 * | 429                   | `rate-limited` or `quota-used-up` | `rate-limited`                     |
 * | other 4xx, except 408 | `rejected` or `quota-used-up`     | `not-found`, `expired`, `unusable` |
 * | 5xx                   | `server-error`                    | `server-error`                     |
 * | any other             | `unknown`                         | as other 4xx                       |
 *
 * 408 is no refusal: the server may have had the request only in part.
 */
function classOf(status: number): StatusClass {
  if (status >= 500) return 'server-error';
  if (status === 401) return 'key-refused';
  if (status === 429) return 'rate-limited';
  if (status >= 400 && status !== 408) return 'refused';
  return status >= 200 && status < 300 ? 'success' : 'other';
}

/** A refusal whose body was cut is still one: its status was complete. */
function classify(result: ExchangeResult): Classified {
  if (result.kind === 'not-sent') return { is: 'not-sent', cause: result.cause };
  if (result.kind === 'answered') {
    return { is: classOf(result.answer.status), cause: null, ...parsed(result.answer) };
  }
  const { cause } = result;
  if (result.answer === null) return { is: 'broken', cause, answer: null };
  const is = classOf(result.answer.status);
  const response = parsed(result.answer);
  return REFUSALS.includes(is)
    ? { is, cause, ...response }
    : { is: 'broken', cause, answer: response.answer };
}

const REFUSALS: readonly StatusClass[] = ['key-refused', 'rate-limited', 'refused'];

/** Any response can contain links, such as one to a poster. */
function parsed(answer: Answer): ParsedResponse {
  const { body } = answer;
  return { answer: { ...answer, body: withoutLinkSecrets(body) }, json: parseForeignJson(body) };
}

/**
 * `video` for a refusal of this request, which another request may not get: 400 with an error body
 * (§4.1, §7), and what other services send instead. A refusal of all requests (403), a missing
 * address (404, 405) and a web server's own page are about no request in particular.
 */
function subjectOf({ answer: { status }, json }: ParsedResponse): 'video' | 'service' {
  const isRequest = [400, 409, 422].includes(status) && isObject(json);
  return status === 413 || isRequest ? 'video' : 'service';
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null;
}

/** service-api.md §2.4: `success` is false in every error body, whatever the status says. */
function saysFailure(json: unknown): boolean {
  return valueAt(json, 'success') === false;
}

/** Services mark the end of their lists by an empty cursor, `null`, `false` or none. */
function cursorFrom(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MAX_CURSOR ? value : null;
}

/** Characters. */
const MAX_CURSOR = 2000;

/** Seconds or milliseconds since the epoch, or text with a time zone. */
function momentFrom(value: unknown): number | null {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string') return null;
  if (/^\d{1,15}(?:\.\d+)?$/.test(value)) return momentFrom(Number(value));
  const at = /(?:Z|[+-]\d\d:?\d\d|GMT|UTC)$/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/**
 * 409 and 425 are the usual statuses for a request that is too early; the API documents none
 * (§4.3).
 */
function isNotReady(answer: Answer): boolean {
  return answer.status === 409 || answer.status === 425;
}

/**
 * §5.7: a 400 or 200 proves the key, a 401 disproves it. A web page, as a proxy or a hotel's
 * network sends for any request, proves nothing.
 */
function provesTheKey(answer: Answer): boolean {
  return [200, 400, 402, 409, 422].includes(answer.status) && isFromService(parsed(answer));
}

const LIMIT_HEADERS = ['x-ratelimit-remaining', 'ratelimit', 'ratelimit-remaining'];

/**
 * Whether a response comes from the service (§2.4, §8.2) and not from a web server in front of it.
 */
function isFromService({ answer, json }: ParsedResponse): boolean {
  return LIMIT_HEADERS.some((name) => name in answer.headers) || isObject(json);
}
