import {
  isQuotaRefusal,
  readErrorCode,
  readLink,
  readRemoteId,
  readStatus,
} from './answer-reader.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import type { ExchangeResult } from './exchange.ts';
import { parseAnswer, valueAt } from './json-answer.ts';
import type {
  Answer,
  GenerateOutcome,
  KeyCheckOutcome,
  LinkOutcome,
  ReadTrouble,
  StatusOutcome,
} from './outcomes.ts';
import { withoutLinkSecrets } from './redaction.ts';
import { AnswerFailures, notSent, unknownAfterBreak, unreachable } from './service-failures.ts';

/** What a GET came to, whatever it asked for. */
export type Reading =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly json: object }
  /** There is no JSON to be read. */
  | ReadTrouble;

/** What exchanges with the service mean (service-api.md §4, §5 and §7). No I/O. */
export class ResponseClassifier {
  readonly #host: string;
  readonly #rules: AnswerRules;
  readonly #failures: AnswerFailures;

  constructor(host: string, rules: AnswerRules) {
    this.#host = host;
    this.#rules = rules;
    this.#failures = new AnswerFailures(host, rules);
  }

  ofGenerate(result: ExchangeResult): GenerateOutcome {
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
      : { kind: 'accepted', remoteId, answer: unsigned(result.answer) };
  }

  ofRead(result: ExchangeResult): Reading {
    if (result.kind === 'not-sent') {
      const failure = unreachable(this.#host, result.cause);
      return { kind: 'unreachable', failure, answer: null };
    }
    const { answer } = result;
    if (answer?.status === 401) {
      return { kind: 'key-refused', failure: this.#failures.keyRefused(answer), answer };
    }
    if (answer?.status === 429) return { kind: 'rate-limited', answer };
    if (result.kind === 'broken') {
      const failure = unreachable(this.#host, result.cause);
      return { kind: 'unusable', failure, answer };
    }
    const json = parseAnswer(result.answer.body);
    if (this.#isExpired(result.answer, json)) {
      const failure = this.#failures.expired(result.answer);
      return { kind: 'expired', failure, answer: result.answer };
    }
    if (result.answer.status === 404 && speaksAsService(result.answer)) {
      const failure = this.#failures.notFound(result.answer);
      return { kind: 'not-found', failure, answer: result.answer };
    }
    return isSuccess(result.answer) && isObject(json) && !saysFailure(json)
      ? { kind: 'answered', answer: result.answer, json }
      : this.#unreadable(result.answer);
  }

  ofStatus(reading: Reading): StatusOutcome {
    if (reading.kind !== 'answered') return reading;
    const { answer, json } = reading;
    return { kind: 'status', status: readStatus(json, this.#rules), answer: unsigned(answer) };
  }

  ofLink(reading: Reading): LinkOutcome {
    if (reading.kind !== 'answered') {
      const isEarly = reading.kind === 'unusable' && reading.answer && isNotReady(reading.answer);
      return isEarly ? { kind: 'not-ready', answer: reading.answer } : reading;
    }
    const answer = unsigned(reading.answer);
    const link = readLink(reading.json, this.#rules);
    switch (link.kind) {
      case 'link':
        return { kind: 'link', link: link.link, answer };
      case 'not-ready':
        return { kind: 'not-ready', answer };
      case 'unreadable':
        return this.#unreadable(answer, link.why);
    }
  }

  ofKeyCheck(reading: Reading): KeyCheckOutcome {
    switch (reading.kind) {
      case 'answered':
      case 'rate-limited':
        return { kind: 'accepted', answer: reading.answer };
      case 'key-refused':
        return { kind: 'refused', failure: reading.failure, answer: reading.answer };
      case 'not-found':
      case 'expired':
        return { kind: 'accepted', answer: reading.answer };
      case 'unusable': {
        const { answer, failure } = reading;
        return answer !== null && provesTheKey(answer)
          ? { kind: 'accepted', answer }
          : { kind: 'unusable', failure, answer };
      }
      case 'unreachable':
        return reading;
    }
  }

  /**
   * The API does not document the answer for a deleted video (service-api.md §4, §7). 410 is HTTP's
   * status for it. The code is the local service's; other services may send it with other statuses.
   */
  #isExpired(answer: Answer, json: unknown): boolean {
    if (answer.status === 410) return speaksAsService(answer);
    const isRefused = isSuccess(answer) ? saysFailure(json) : answer.status < 500;
    return isRefused && readErrorCode(json, this.#rules) === 'VIDEO_EXPIRED';
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
    const failure = this.#failures.rejected(answer);
    return { kind: 'rejected', isAboutVideo: isAboutRequest(answer), failure, answer };
  }

  #unreadable(answer: Answer, why?: UserMessage): ReadTrouble {
    const failure = this.#failures.unreadable(answer, why);
    return { kind: 'unusable', failure, answer: unsigned(answer) };
  }
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** 408 is no refusal: it is the server's word for a request that it may have had only in part. */
function isRefusal({ status }: Answer): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

/**
 * True for a refusal of what was asked for, which another request may not meet with: 400 with an
 * error body (§4.1, §7), and what services say in its place. A refusal to everybody (403), an
 * address where nothing is (404, 405) and a web server's own page are about no request at all.
 */
function isAboutRequest({ status, body }: Answer): boolean {
  if (status === 413) return true;
  return [400, 409, 422].includes(status) && isObject(parseAnswer(body));
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
 * §5.7: a 400 or 200 proves the key, a 401 disproves it. A page, as a proxy or a hotel's network sends
 * for whatever is asked, proves nothing.
 */
function provesTheKey(answer: Answer): boolean {
  return [200, 400, 402, 409, 422].includes(answer.status) && speaksAsService(answer);
}

const LIMIT_HEADERS = ['x-ratelimit-remaining', 'ratelimit', 'ratelimit-remaining'];

/** Whether an answer comes from the service (§2.4, §8.2) and not from some web server before it. */
function speaksAsService({ headers, body }: Answer): boolean {
  return LIMIT_HEADERS.some((name) => name in headers) || isObject(parseAnswer(body));
}

/** An answer as it may be kept and shown: any answer can hold links, such as one to a poster. */
function unsigned(answer: Answer): Answer {
  return { ...answer, body: withoutLinkSecrets(answer.body) };
}
