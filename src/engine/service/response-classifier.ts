import type { AnswerRules } from '../../contract/answer-rules.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Link } from '../link.ts';
import {
  classify,
  classOf,
  isFromService,
  isNotReady,
  isObject,
  parsed,
  provesTheKey,
  saysFailure,
  subjectOf,
} from './answer-class.ts';
import {
  isKeyRefusal,
  isQuotaRefusal,
  readBalance,
  readErrorCode,
  readLink,
  readRemoteId,
  readStatus,
  type LinkReading,
} from './answer-reader.ts';
import type { Endpoints } from './endpoints.ts';
import type { Break, ExchangeResult } from './exchange.ts';
import { readListPage } from './list-page.ts';
import type {
  Answer,
  BalanceOutcome,
  CancelOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  ParsedResponse,
  ReadTrouble,
  StatusOutcome,
} from './outcomes.ts';
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

  ofList(reading: Reading): ListOutcome {
    if (reading.kind !== 'answered') return reading;
    const { list } = this.#endpoints.api.once;
    const page = list && readListPage(reading.json, list, (item) => this.#endpoints.listedId(item));
    return page ? { kind: 'page', ...page, answer: reading.answer } : this.#unreadable(reading);
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
