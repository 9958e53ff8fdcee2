import type { Failure } from '../../contract/failure.ts';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { userMessage, joinMessages, type UserMessage } from '../../contract/user-message.ts';
import { isCertificateCode } from '../error-codes.ts';
import { readRefusedFields } from './refused-fields.ts';
import { readRemoteError, sentence } from './response-reader.ts';
import type { ContentRefusal } from './content-refusal.ts';
import type { Break } from './exchange.ts';
import type { ParsedResponse } from './outcomes.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';

/** OpenSSL's codes for a peer that does not use TLS. A damaged record is not one of them. */
const NOT_TLS: ReadonlySet<string> = new Set([
  'EPROTO',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_HTTPS_PROXY_REQUEST',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
]);

/** The message about a connection, by the system's error code. */
function connectionTrouble(host: string, code: string): UserMessage {
  // abuse.md 26
  if (isCertificateCode(code)) return userMessage('certificate-wrong', { host, cause: code });
  if (NOT_TLS.has(code)) return userMessage('no-https', { host });
  switch (code) {
    case 'EMFILE':
    case 'ENFILE':
      return userMessage('too-many-open-files');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return userMessage('address-not-found', { host });
    case 'ECONNREFUSED':
      return userMessage('connection-refused', { host });
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
    case 'EADDRNOTAVAIL':
      return userMessage('host-unreachable', { host });
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return userMessage('connection-too-slow', { host });
    default:
      return userMessage('connection-broke', { host, code });
  }
}

function whatBroke(host: string, cause: Break): UserMessage {
  switch (cause.why) {
    case 'stopped':
      return userMessage('response-wait-stopped');
    case 'timed-out':
      return userMessage('answer-too-slow', { host });
    case 'too-long':
      return userMessage('answer-too-long', { host });
    case 'connection':
      return connectionTrouble(host, cause.code);
    case 'proxy':
      return cause.message;
  }
}

/** A request of which no byte left. */
export function notSent(host: string, cause: Break): Failure {
  return cause.why === 'stopped'
    ? { code: 'not-possible-now', ...userMessage('stopped-unsent') }
    : noConnection(host, cause);
}

/** A read that was not completed. */
export function unreachable(host: string, cause: Break): Failure {
  return cause.why === 'too-long'
    ? { code: 'answer-unreadable', ...whatBroke(host, cause) }
    : noConnection(host, cause);
}

function noConnection(host: string, cause: Break): Failure {
  const untrusted = cause.why === 'connection' && isCertificateCode(cause.code);
  return {
    code: 'service-unreachable',
    ...whatBroke(host, cause),
    ...(untrusted && { untrusted }),
  };
}

/** A request for a video that left, with unknown outcome. */
export function unknownAfterBreak(host: string, cause: Break): Failure {
  return {
    code: 'outcome-unknown',
    ...joinMessages(whatBroke(host, cause), userMessage('acceptance-unknown')),
  };
}

export function keyMissing(): Failure {
  return { code: 'key-missing', ...userMessage('key-enter') };
}

/** The key cannot be put into a header, so it cannot be one that the service issued. */
export function keyMalformed(): Failure {
  return { code: 'key-missing', ...userMessage('key-malformed') };
}

/** The identifier cannot be put into an address. */
export function videoUnknown(): Failure {
  return { code: 'video-unknown', ...userMessage('video-not-found') };
}

/** What a refusal costs. */
const COST = {
  yes: 'refusal-paid',
  no: 'refusal-free',
  unknown: 'refusal-maybe-paid',
} as const;

/** A body that says nothing, such as an empty object. */
const NO_WORDS = /^[\s{}[\]]*$/;

/** Failures from a response, with the service's own words. */
export class ResponseFailures {
  readonly #host: string;
  readonly #rules: AnswerRules;

  constructor(host: string, rules: AnswerRules) {
    this.#host = host;
    this.#rules = rules;
  }

  quotaUsedUp(parsed: ParsedResponse): Failure {
    const { resetAt } = readRemoteError(parsed.json, this.#rules);
    return {
      ...this.said('quota-used-up', userMessage('quota-used-up'), parsed),
      ...(resetAt === null ? {} : { retryAt: resetAt }),
    };
  }

  /** A read that was answered with something else than requested. */
  unreadable(parsed: ParsedResponse, why?: UserMessage): Failure {
    const { status } = parsed.response;
    if (isRedirect(status)) {
      return { code: 'service-unreachable', ...this.#redirected() };
    }
    if (status >= 300) {
      const code = status >= 500 ? 'service-unreachable' : 'service-refuses-all';
      const message = userMessage('host-not-now', { host: this.#host, status });
      return this.said(code, message, parsed);
    }
    const odd = userMessage('answer-odd', { host: this.#host });
    const message = joinMessages(odd, ...(why === undefined ? [] : [why]));
    return this.said('answer-unreadable', message, parsed);
  }

  /**
   * A generate request whose response does not say whether the video was accepted.
   * @param hasAddress whether it should contain the address of the video's status
   */
  unknown(parsed: ParsedResponse, hasAddress: boolean): Failure {
    const { status } = parsed.response;
    const doubt = userMessage('acceptance-unknown');
    if (isRedirect(status)) {
      return { code: 'outcome-unknown', ...joinMessages(this.#redirected(), doubt) };
    }
    const what =
      status >= 300
        ? userMessage('answered-with', { status })
        : userMessage(hasAddress ? 'status-elsewhere' : 'no-identifier');
    return this.said('outcome-unknown', joinMessages(what, doubt), parsed);
  }

  /** A request that the service refused, with the fields that it names. */
  refused(parsed: ParsedResponse): Failure {
    const fields = readRefusedFields(parsed.json, this.#rules).map(({ path, detail }) => ({
      path,
      detail,
    }));
    const free = userMessage(COST.no);
    const message = joinMessages(userMessage('video-refused'), free);
    const failure = this.said('service-refused', message, parsed);
    if (fields.length > 0) return { ...failure, fields };
    if (failure.detail !== undefined) return failure;
    const { status } = parsed.response;
    const silently = userMessage('video-refused-silently', { status });
    return { ...failure, ...joinMessages(silently, free) };
  }

  /** A video that the service refuses because of its content. */
  contentRefused({ json }: ParsedResponse, { when, paid, fields }: ContentRefusal): Failure {
    const detail = sentence(readRemoteError(json, this.#rules)) ?? this.#reasons(json);
    return {
      code: 'content-refused',
      ...joinMessages(userMessage('content-refused'), userMessage(COST[paid])),
      ...(detail === null ? {} : { detail }),
      ...(fields.length === 0 ? {} : { fields: [...fields] }),
      refusal: { when, paid },
    };
  }

  /** A video that the service refuses after it had accepted the request. */
  refusedLater(parsed: ParsedResponse): Failure {
    return {
      ...this.refused(parsed),
      ...joinMessages(userMessage('video-refused'), userMessage(COST.unknown)),
      refusal: { when: 'after-render', paid: 'unknown' },
    };
  }

  #redirected(): UserMessage {
    return userMessage('redirected', { host: this.#host });
  }

  /**
   * A failure with the service's own words: the message of an error body (service-api.md §2.4), the
   * reasons of the fields that it names, or the beginning of the body.
   */
  said(code: Failure['code'], message: UserMessage, { response, json }: ParsedResponse): Failure {
    const said = sentence(readRemoteError(json, this.#rules)) ?? this.#reasons(json);
    const detail = said ?? sanitizeRemoteText(response.body.replace(NO_WORDS, ''));
    return { code, ...message, ...(detail === '' ? {} : { detail }) };
  }

  /** `null` when the answer names no field with a reason. */
  #reasons(json: unknown): string | null {
    const reasons = readRefusedFields(json, this.#rules).flatMap(({ detail }) => detail ?? []);
    return reasons.length === 0 ? null : sanitizeRemoteText(reasons.join(' '));
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The service did not keep a picture that it was sent. It may do so later. */
export function uploadFailed(host: string): Failure {
  return { code: 'service-unreachable', ...userMessage('picture-not-uploaded', { host }) };
}

/** The address that the profile names for files does not exist. */
export function uploadMissing(
  { host, path }: { readonly host: string; readonly path: string },
  status: number,
): Failure {
  return { code: 'picture-unusable', ...userMessage('upload-missing', { host, path, status }) };
}
