import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { after, type Clock } from '../clock.ts';
import type { UserMessage } from '../../contract/user-message.ts';
import { innermostCode } from '../error-codes.ts';
import { ProxyError } from '../tunnel.ts';
import type { HttpResponse } from './outcomes.ts';

/** A longer response is cut here and counts as unreadable; usual ones have a few hundred bytes. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** From the root of the origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is read once; the headers have its length. */
  readonly body: string | Buffer | Readable | null;
  /** Close the connection after the response instead of keeping it for the next request. */
  readonly lastOnItsConnection: boolean;
  /** From the first byte of the request to the end of the response's headers, in milliseconds. */
  readonly headersMs: number;
  /** From the end of the headers to the end of the body, in milliseconds. */
  readonly bodyMs: number;
}

/** Why an exchange was not completed. */
export type Break =
  | { readonly why: 'stopped' | 'timed-out' | 'too-long' }
  /** `code` is the system's or the TLS library's name for it, such as `ECONNREFUSED`. */
  | { readonly why: 'connection'; readonly code: string }
  /** The proxy did not connect to the service. */
  | { readonly why: 'proxy'; readonly proxy: string; readonly message: UserMessage };

export type ExchangeResult =
  | { readonly kind: 'answered'; readonly response: HttpResponse }
  /** No byte of the request was written to a socket. */
  | { readonly kind: 'not-sent'; readonly cause: Break }
  /**
   * The request was being sent. `response` has what arrived of it, if its headers were
   * complete.
   */
  | { readonly kind: 'broken'; readonly cause: Break; readonly response: HttpResponse | null };

/**
 * One request and its response. The dispatcher asks for permission (`onRequestStart`) on a
 * connected and verified socket and writes in the same turn: that call separates `not-sent` from
 * `broken`. A second one for the same request would be a retry, and is refused before its first
 * byte.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  clock: Clock,
  signal?: AbortSignal,
): Promise<ExchangeResult> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let controller: Dispatcher.DispatchController | undefined;
    let bytes = 0;
    let isSettled = false;
    let sentAt: number | undefined;
    let timer: Disposable | undefined;
    let head: Pick<HttpResponse, 'status' | 'headers' | 'receivedAt'> | undefined;

    const response = (): HttpResponse | null =>
      head && sentAt !== undefined
        ? { ...head, body: Buffer.concat(chunks).toString('utf8'), sentAt }
        : null;

    function settle(result: ExchangeResult): void {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', onAbort);
      timer?.[Symbol.dispose]();
      resolve(result);
    }

    function breakOff(cause: Break): void {
      settle(
        sentAt === undefined
          ? { kind: 'not-sent', cause }
          : { kind: 'broken', cause, response: response() },
      );
      controller?.abort(new Error('The exchange was broken off.'));
    }

    function onAbort(): void {
      breakOff({ why: 'stopped' });
    }

    function allow(ms: number): void {
      timer?.[Symbol.dispose]();
      if (isSettled) return;
      timer = after(clock, ms, () => breakOff({ why: 'timed-out' }));
    }

    if (signal?.aborted) {
      resolve({ kind: 'not-sent', cause: { why: 'stopped' } });
      return;
    }
    signal?.addEventListener('abort', onAbort, { once: true });

    dispatcher.dispatch(
      {
        method: request.method,
        path: request.path,
        headers: { ...request.headers },
        body: request.body,
        reset: request.lastOnItsConnection,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      {
        onRequestStart(started) {
          if (isSettled || sentAt !== undefined) {
            started.abort(new Error('The exchange is over.'));
            return;
          }
          controller = started;
          sentAt = clock.now();
          allow(request.headersMs);
        },
        onResponseStart(_controller, status, headers) {
          if (status < 200) return;
          head = { status, headers: joined(headers), receivedAt: clock.now() };
          allow(request.bodyMs);
        },
        onResponseData(_controller, chunk) {
          const room = MAX_RESPONSE_BYTES - bytes;
          bytes += chunk.length;
          if (room > 0) chunks.push(chunk.subarray(0, room));
          if (chunk.length > room) breakOff({ why: 'too-long' });
        },
        onResponseEnd() {
          const whole = response();
          if (whole) settle({ kind: 'answered', response: whole });
        },
        onResponseError(_controller, error) {
          breakOff(breakOf(error));
        },
      },
    );
  });
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function joined(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')]],
    ),
  );
}

/** The reason why a connection failed or ended. */
export function breakOf(error: unknown): Break {
  return error instanceof ProxyError
    ? { why: 'proxy', proxy: error.proxy, message: error.userMessage }
    : { why: 'connection', code: innermostCode(error) };
}
