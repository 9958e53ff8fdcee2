import { parseForeignJson } from '../../contract/json-text.ts';
import { valueAt } from './response-reader.ts';
import type { Break, ExchangeResult } from './exchange.ts';
import type { HttpResponse, ParsedResponse } from './outcomes.ts';
import { withoutLinkSecrets } from './redaction.ts';

/** The result of an exchange, as far as it does not depend on the request. */
export type Classified =
  | { readonly is: 'not-sent'; readonly cause: Break }
  | { readonly is: 'broken'; readonly cause: Break; readonly response: HttpResponse | null }
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
export function classOf(status: number): StatusClass {
  if (status >= 500) return 'server-error';
  if (status === 401) return 'key-refused';
  if (status === 429) return 'rate-limited';
  if (status >= 400 && status !== 408) return 'refused';
  return status >= 200 && status < 300 ? 'success' : 'other';
}

/** A refusal whose body was cut is still one: its status was complete. */
export function classify(result: ExchangeResult): Classified {
  if (result.kind === 'not-sent') return { is: 'not-sent', cause: result.cause };
  if (result.kind === 'answered') {
    return { is: classOf(result.response.status), cause: null, ...parseResponse(result.response) };
  }
  const { cause } = result;
  if (result.response === null) return { is: 'broken', cause, response: null };
  const is = classOf(result.response.status);
  const parsed = parseResponse(result.response);
  return REFUSALS.includes(is)
    ? { is, cause, ...parsed }
    : { is: 'broken', cause, response: parsed.response };
}

const REFUSALS: readonly StatusClass[] = ['key-refused', 'rate-limited', 'refused'];

/** Any response can contain links, such as one to a poster. */
export function parseResponse(response: HttpResponse): ParsedResponse {
  const { body } = response;
  return {
    response: { ...response, body: withoutLinkSecrets(body) },
    json: parseForeignJson(body),
  };
}

/**
 * `video` for a refusal of this request, which another request may not get: 400 with an error body
 * (§4.1, §7), and what other services send instead. A refusal of all requests (403), a missing
 * address (404, 405) and a web server's own page are about no request in particular.
 */
export function subjectOf({ response: { status }, json }: ParsedResponse): 'video' | 'service' {
  const isRequest = [400, 409, 422].includes(status) && isObject(json);
  return status === 413 || isRequest ? 'video' : 'service';
}

export function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null;
}

/** service-api.md §2.4: `success` is false in every error body, whatever the status says. */
export function saysFailure(json: unknown): boolean {
  return valueAt(json, 'success') === false;
}

/**
 * 409 and 425 are the usual statuses for a request that is too early; the API documents none
 * (§4.3).
 */
export function isNotReady(response: HttpResponse): boolean {
  return response.status === 409 || response.status === 425;
}

/**
 * §5.7: a 400 or 200 proves the key, a 401 disproves it. A web page, as a proxy or a hotel's
 * network sends for any request, proves nothing.
 */
export function provesTheKey(response: HttpResponse): boolean {
  return (
    [200, 400, 402, 409, 422].includes(response.status) && isFromService(parseResponse(response))
  );
}

const LIMIT_HEADERS = ['x-ratelimit-remaining', 'ratelimit', 'ratelimit-remaining'];

/**
 * Whether a response comes from the service (§2.4, §8.2) and not from a web server in front of it.
 */
export function isFromService({ response, json }: ParsedResponse): boolean {
  return LIMIT_HEADERS.some((name) => name in response.headers) || isObject(json);
}
