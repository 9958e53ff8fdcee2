import { Readable } from 'node:stream';
import type { ExchangeRequest, ExchangeResult } from './exchange.ts';
import type { HttpResponse } from './outcomes.ts';
import { withoutLinkSecrets } from './redaction.ts';

/** Longer bodies are cut. */
const MAX_CHARACTERS = 4000;

/** Headers about the limits, the clock or the body; never a cookie. */
const TRACED = /^(?:(?:x-)?ratelimit|retry-after$|date$|content-type$|location$)/;

type Fields = Readonly<Record<string, unknown>>;

/** Identifies a request, to match its response. */
export function requestName({ method, path }: Pick<ExchangeRequest, 'method' | 'path'>): Fields {
  return { method, path };
}

/** The trace of a request: without its headers, one of which is the key. */
export function requestFields(request: Pick<ExchangeRequest, 'method' | 'path' | 'body'>): Fields {
  const { body } = request;
  return { ...requestName(request), ...(body === null ? {} : { body: tracedBody(body) }) };
}

/** Files are left out. */
function tracedBody(body: string | Buffer | Readable): string {
  if (body instanceof Readable) return '…';
  const text = typeof body === 'string' ? body : body.toString('latin1', 0, 4 * MAX_CHARACTERS);
  return traced(text.replace(/(data:image\/[\w+.-]+;base64,)[\w+/=]*/g, '$1…'));
}

/** The trace of its result. Moments are milliseconds since the epoch, by the local clock. */
export function resultFields(result: ExchangeResult): Fields {
  if (result.kind === 'answered')
    return { result: result.kind, ...responseFields(result.response) };
  const { kind, cause } = result;
  const response =
    kind === 'broken' && result.response !== null ? responseFields(result.response) : {};
  return { result: kind, cause, ...response };
}

function responseFields({ status, headers, body, sentAt, receivedAt }: HttpResponse): Fields {
  const kept = Object.entries(headers).filter(([name]) => TRACED.test(name));
  const values = kept.map(([name, value]) => [name, withoutLinkSecrets(value)]);
  return {
    status,
    sentAt,
    receivedAt,
    headers: Object.fromEntries(values) as Fields,
    body: traced(body),
  };
}

/** Redacted before it is cut, so that no cut hides where a query begins. */
function traced(body: string): string {
  const safe = withoutLinkSecrets(body);
  return safe.length > MAX_CHARACTERS ? `${safe.slice(0, MAX_CHARACTERS)}…` : safe;
}
