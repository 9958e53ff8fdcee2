/** Decides what a response means for a request, from its status, headers and body. */
import type { Amount } from '../../contract/amount.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { RemoteState } from '../../contract/job.ts';
import type { Link } from '../link.ts';
import {
  classify,
  classOf,
  isFromService,
  isNotReady,
  isObject,
  parseResponse,
  provesTheKey,
  saysFailure,
  subjectOf,
} from './response-class.ts';
import {
  isAboutAnother,
  isKeyRefusal,
  isQuotaRefusal,
  readAmount,
  readErrorCode,
  readLink,
  readRemoteId,
  readStatus,
  readWarnings,
  type LinkReading,
} from './response-reader.ts';
import { readContentRefusal, usualCost, type ContentRefusal } from './content-refusal.ts';
import type { Endpoints } from './endpoints.ts';
import type { Break, ExchangeResult } from './exchange.ts';
import { readListPage } from './list-page.ts';
import type {
  HttpResponse,
  BalanceOutcome,
  CancelOutcome,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  ParsedResponse,
  ReadTrouble,
  RefusedVideo,
  StatusOutcome,
} from './outcomes.ts';
import { ResponseFailures, notSent, unknownAfterBreak, unreachable } from './service-failures.ts';

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
  readonly #failures: ResponseFailures;

  /** @param host what failures name: the service's own unless another one answers */
  constructor(endpoints: Endpoints, rules: AnswerRules, host = endpoints.host) {
    this.#endpoints = endpoints;
    this.#host = host;
    this.#rules = rules;
    this.#failures = new ResponseFailures(host, rules);
  }

  ofGenerate(result: ExchangeResult): GenerateOutcome {
    const found = classify(result);
    switch (found.is) {
      case 'not-sent':
        return { kind: 'not-sent', failure: notSent(this.#host, found.cause) };
      case 'broken': {
        const failure = unknownAfterBreak(this.#host, found.cause);
        return { kind: 'unknown', failure, response: found.response };
      }
      case 'key-refused':
        return this.#quotaStatus(found) ?? this.#keyRefused(found);
      case 'rate-limited':
        return this.#quotaRefusal(found) ?? { kind: 'rate-limited', response: found.response };
      case 'refused':
        return this.#isKeyRefusal(found)
          ? this.#keyRefused(found)
          : (this.#quotaRefusal(found) ?? this.#contentRejection(found) ?? this.#rejection(found));
      case 'success':
        return this.#accepted(found) ?? this.#contentRejection(found) ?? this.#unknown(found);
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
        return {
          kind: 'unreachable',
          failure: unreachable(this.#host, found.cause),
          response: null,
        };
      case 'broken':
        return this.#brokenRead(found.cause, found.response);
      case 'key-refused':
        return this.#keyRefused(found);
      case 'rate-limited':
        return { kind: 'rate-limited', response: found.response };
      case 'refused':
      case 'other':
        return found.cause
          ? this.#brokenRead(found.cause, found.response)
          : this.#ofRefusedRead(found);
      case 'success': {
        const { response, json } = found;
        return isObject(json) && !saysFailure(json)
          ? { kind: 'answered', response, json }
          : this.#ofRefusedRead(found);
      }
      case 'server-error':
        return { ...this.#unreadable(found), kind: 'server-error' };
    }
  }

  /** @param remoteId of the video that was asked for; `null` if the answer is not compared */
  ofStatus(reading: Reading, remoteId: string | null = null): StatusOutcome {
    if (reading.kind !== 'answered') return this.#refusedLater(reading) ?? reading;
    if (this.#isOfOther(reading, remoteId)) return this.#ofOther(reading);
    const status = readStatus(reading.json, this.#rules);
    const link = status.state === 'done' ? this.#readLinkInStatus(reading) : null;
    const { response } = reading;
    const refusal = this.#refusalIn(reading, status.state, link);
    if (refusal !== null) {
      const failure = this.#failures.contentRefused(reading, refusal);
      return { kind: 'refused', failure, response };
    }
    const cost = this.#costIn(reading.json);
    const found = link?.kind === 'link' ? link.link : null;
    return { kind: 'status', status, link: found, ...(cost && { cost }), response };
  }

  /**
   * The link in a status, or for a finished video the one that needs no request.
   * @param known `null` if there is none
   * @param remoteId as for `ofStatus`
   */
  ofLinkInStatus(
    reading: Reading,
    known: Link | null,
    remoteId: string | null = null,
  ): LinkOutcome {
    if (reading.kind !== 'answered') return reading;
    if (this.#isOfOther(reading, remoteId)) return this.#ofOther(reading);
    const { response, json } = reading;
    const { state, isRemoved } = readStatus(json, this.#rules);
    if (state !== 'done') return { kind: 'not-ready', response };
    if (isRemoved) return this.#deleted(reading);
    if (known !== null) return { kind: 'link', link: known, response };
    return this.#ofLinkReading(this.#readLinkInStatus(reading), reading);
  }

  ofLink(reading: Reading): LinkOutcome {
    if (reading.kind !== 'answered') {
      const isEarly =
        reading.kind === 'unusable' && reading.response && isNotReady(reading.response);
      if (isEarly) return { kind: 'not-ready', response: reading.response };
      return this.#refusedLater(reading) ?? reading;
    }
    return this.#ofLinkReading(readLink(reading.json, this.#rules), reading);
  }

  ofList(reading: Reading): ListOutcome {
    if (reading.kind !== 'answered') return reading;
    const { list } = this.#endpoints.api.once;
    const page = list && readListPage(reading.json, list, (item) => this.#endpoints.listedId(item));
    return page ? { kind: 'page', ...page, response: reading.response } : this.#unreadable(reading);
  }

  #isOfOther({ json }: ParsedResponse, remoteId: string | null): boolean {
    if (remoteId === null || 'addressAt' in this.#endpoints.api.status) return false;
    return isAboutAnother(json, remoteId, this.#rules);
  }

  #ofOther(parsed: ParsedResponse) {
    return this.#unreadable(parsed, userMessage('answer-about-another'));
  }

  /**
   * Why an ended video has no file: a refusal of its content. A word that means “rejected” is one,
   * whatever else the answer says. A finished video with a file is not refused.
   */
  #refusalIn(
    { json }: ParsedResponse,
    state: RemoteState | null,
    link: LinkReading | null,
  ): ContentRefusal | null {
    const isOver = state === 'failed' || state === 'rejected';
    if (!isOver && (state !== 'done' || link?.kind === 'link')) return null;
    const refusal = readContentRefusal(json, this.#rules);
    return state === 'rejected'
      ? (refusal ?? { when: 'after-render', paid: usualCost(this.#rules), fields: [] })
      : refusal;
  }

  /**
   * A refusal of the video in place of its status or its link, as services that check a request
   * only when they render it answer: of its content, or with the fields that are wrong.
   */
  #refusedLater(reading: Reading): RefusedVideo | null {
    if (reading.kind !== 'unusable' || reading.response === null) return null;
    const { response } = reading;
    const parsed = parseResponse(response);
    if (classOf(response.status) !== 'refused' || subjectOf(parsed) !== 'video') return null;
    const refusal = readContentRefusal(parsed.json, this.#rules);
    if (refusal !== null) {
      return { kind: 'refused', failure: this.#failures.contentRefused(parsed, refusal), response };
    }
    if (response.status !== 422) return null;
    const failure = this.#failures.refusedLater(parsed);
    return failure.fields === undefined ? null : { kind: 'refused', failure, response };
  }

  #ofLinkReading(link: LinkReading, parsed: ParsedResponse): LinkOutcome {
    const { response } = parsed;
    switch (link.kind) {
      case 'link':
        return { kind: 'link', link: link.link, response };
      case 'not-ready':
        return { kind: 'not-ready', response };
      case 'unreadable':
        return { ...this.#unreadable(parsed, link.why), kind: 'no-link' };
    }
  }

  /** The link in the status of a finished video. */
  #readLinkInStatus({ response, json }: ParsedResponse): LinkReading {
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
    const date = Date.parse(response.headers.date ?? '');
    const givenAt = Number.isNaN(date) ? response.receivedAt : date;
    return { kind: 'link', link: { ...reading.link, expiresAt: givenAt + lifeMs } };
  }

  /** Services answer with the video, with some word, or with only a status. */
  ofCancel(reading: Reading): CancelOutcome {
    if (reading.kind === 'answered') {
      const isFinished = readStatus(reading.json, this.#rules).state === 'done';
      return { kind: isFinished ? 'finished' : 'cancelled', response: reading.response };
    }
    if (reading.kind !== 'unusable' || reading.response === null) return reading;
    const { response, failure } = reading;
    const isSuccess = classOf(response.status) === 'success';
    if (isSuccess && response.body.trim() === '') return { kind: 'cancelled', response };
    const isRefusal = classOf(response.status) === 'refused' || isSuccess;
    return isRefusal && isFromService(parseResponse(response))
      ? { kind: 'refused', failure, response }
      : reading;
  }

  ofBalance(reading: Reading): BalanceOutcome {
    if (reading.kind !== 'answered') return reading;
    const { balance } = this.#endpoints.api.cost;
    const amount = balance === null ? null : readAmount(reading.json, balance);
    return { kind: 'balance', amount, response: reading.response };
  }

  ofKeyCheck(reading: Reading): KeyCheckOutcome {
    switch (reading.kind) {
      case 'answered':
      case 'rate-limited':
      case 'not-found':
      case 'expired':
        return { kind: 'accepted', response: reading.response };
      case 'unusable': {
        const { response, failure } = reading;
        return response !== null && provesTheKey(response)
          ? { kind: 'accepted', response }
          : { kind: 'unusable', failure, response };
      }
      case 'server-error':
        return { ...reading, kind: 'unusable' };
      case 'key-refused':
      case 'unreachable':
        return reading;
    }
  }

  #brokenRead(cause: Break, response: HttpResponse | null): ReadTrouble {
    return { kind: 'unusable', failure: unreachable(this.#host, cause), response };
  }

  /**
   * The API does not document the response for a deleted video (service-api.md §4, §7). 410 is HTTP's
   * status for it. The code is the local service's; other services may send it with other statuses.
   */
  #ofRefusedRead(parsed: ParsedResponse): ReadTrouble {
    const { response, json } = parsed;
    if (this.#isKeyRefusal(parsed)) return this.#keyRefused(parsed);
    const isGone =
      response.status === 410
        ? isFromService(parsed)
        : readErrorCode(json, this.#rules) === 'VIDEO_EXPIRED';
    if (isGone) return this.#deleted(parsed);
    if (response.status === 404 && isFromService(parsed)) {
      const message = userMessage('video-not-found');
      const failure = this.#failures.said('video-unknown', message, parsed);
      return { kind: 'not-found', failure, response };
    }
    return this.#unreadable(parsed);
  }

  #deleted(parsed: ParsedResponse): Extract<ReadTrouble, { kind: 'expired' }> {
    const message = userMessage('video-deleted-there');
    const failure = this.#failures.said('video-expired', message, parsed);
    return { kind: 'expired', failure, response: parsed.response };
  }

  /** `null` when a response has no identifier. */
  #accepted({ response, json }: ParsedResponse): GenerateOutcome | null {
    const remoteId = saysFailure(json) ? null : this.#readVideoId(json);
    if (remoteId === null) return null;
    const warnings = readWarnings(json, this.#rules);
    const cost = this.#costIn(json);
    const said = { ...(warnings !== null && { warnings }), ...(cost && { cost }) };
    return { kind: 'accepted', remoteId, response, ...said };
  }

  #costIn(json: unknown): Amount | null {
    const { actual } = this.#endpoints.api.cost;
    if (actual === null) return null;
    const amount = readAmount(json, actual);
    return amount === null ? null : { amount, unit: actual.unit, currency: actual.currency };
  }

  /** The identifier, or the path of the status if the response contains its address. */
  #readVideoId(json: unknown): string | null {
    const address = this.#endpoints.statusAddressIn(json);
    return address === undefined ? readRemoteId(json, this.#rules) : address;
  }

  #unknown(parsed: ParsedResponse) {
    const hasAddress = 'addressAt' in this.#endpoints.api.status;
    const failure = this.#failures.unknown(parsed, hasAddress);
    return { kind: 'unknown', failure, response: parsed.response } as const;
  }

  /** service-api.md §5.5: missing, invalid, revoked and expired keys get the same response. */
  #keyRefused(parsed: ParsedResponse): Extract<ReadTrouble, { kind: 'key-refused' }> {
    const failure = this.#failures.said('key-refused', userMessage('key-revoked'), parsed);
    return { kind: 'key-refused', failure, response: parsed.response };
  }

  #isKeyRefusal({ response, json }: ParsedResponse): boolean {
    return isKeyRefusal(response.status, json, this.#rules);
  }

  /** A 401 is about the quota only if the profile says so; `null` otherwise. */
  #quotaStatus(parsed: ParsedResponse): GenerateOutcome | null {
    const isOfQuota = this.#rules.quotaRefusal.statuses.includes(parsed.response.status);
    return isOfQuota ? this.#quotaRefusal(parsed) : null;
  }

  /** `null` when a refusal is not about the quota. */
  #quotaRefusal(parsed: ParsedResponse): GenerateOutcome | null {
    const { response, json } = parsed;
    return isQuotaRefusal(response.status, json, this.#rules)
      ? { kind: 'quota-used-up', failure: this.#failures.quotaUsedUp(parsed), response }
      : null;
  }

  /** `null` when a refusal is not about the content. */
  #contentRejection(parsed: ParsedResponse): GenerateOutcome | null {
    const refusal = readContentRefusal(parsed.json, this.#rules);
    if (refusal === null) return null;
    const failure = this.#failures.contentRefused(parsed, refusal);
    return { kind: 'rejected', about: 'video', failure, response: parsed.response };
  }

  #rejection(parsed: ParsedResponse): GenerateOutcome {
    const failure = this.#failures.refused(parsed);
    return { kind: 'rejected', about: subjectOf(parsed), failure, response: parsed.response };
  }

  #unreadable(parsed: ParsedResponse, why?: UserMessage) {
    const failure = this.#failures.unreadable(parsed, why);
    return { kind: 'unusable', failure, response: parsed.response } as const;
  }
}
