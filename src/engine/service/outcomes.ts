import type { Amount } from '../../contract/amount.ts';
import type { Failure } from '../../contract/failure.ts';
import type { RemoteState } from '../../contract/job.ts';
import type { EnteredKey } from '../../contract/summary.ts';
import type { FilePart } from './upload.ts';
import type { Link } from '../link.ts';

/** One response of the service, for the rate windows, the database and the details view. */
export interface HttpResponse {
  readonly status: number;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 1 MiB; a longer response is cut there and counts as unreadable. */
  readonly body: string;
  /** Wall-clock milliseconds at which the request's first byte left. */
  readonly sentAt: number;
  /** Wall-clock milliseconds at which the response's headers had arrived. */
  readonly receivedAt: number;
}

/** A response, parsed once. */
export interface ParsedResponse {
  /** Addresses in its body have no query: it may be stored and shown. */
  readonly response: HttpResponse;
  /** Its body before that; `undefined` for one that is not JSON. */
  readonly json: unknown;
}

/**
 * An open, verified connection for one `POST /video/generate`. No byte of the request has left, so
 * the caller can still decide not to send it.
 */
export interface GenerateConnection {
  /**
   * Sends one request body, byte for byte, without any retry. Call it at most once. Aborting before
   * the first byte gives `not-sent`, after it `unknown`.
   * @param idempotencyKey sent in the header that the profile names
   * @param files parts of a request that is multipart/form-data
   */
  generate(
    body: string,
    signal?: AbortSignal,
    idempotencyKey?: string,
    files?: readonly FilePart[],
  ): Promise<GenerateOutcome>;
  /** Closes the connection, used or not. Can be called more than once. */
  close(): void;
}

export type ConnectOutcome =
  | { readonly kind: 'connected'; readonly connection: GenerateConnection }
  | { readonly kind: 'not-connected'; readonly failure: Failure };

/**
 * The outcome of a `POST /video/generate` (service-api.md §4.1). The difference between `not-sent`
 * and `unknown` is the first byte: before it nothing can have been accepted, after it only a
 * response shows what happened.
 */
export type GenerateOutcome =
  | {
      readonly kind: 'accepted';
      readonly remoteId: string;
      /** What the service warns of, in its own words. */
      readonly warnings?: string;
      /** What it costs, as the service says. */
      readonly cost?: Amount;
      readonly response: HttpResponse;
    }
  | { readonly kind: 'not-sent'; readonly failure: Failure }
  | { readonly kind: 'rate-limited'; readonly response: HttpResponse }
  | { readonly kind: 'key-refused'; readonly failure: Failure; readonly response: HttpResponse }
  | { readonly kind: 'quota-used-up'; readonly failure: Failure; readonly response: HttpResponse }
  | {
      readonly kind: 'rejected';
      /**
       * `service`: any other request would have got this response as well (docs/decisions/0010).
       */
      readonly about: 'video' | 'service';
      readonly failure: Failure;
      readonly response: HttpResponse;
    }
  /** A 5xx: the request may have been executed before the server failed. */
  | { readonly kind: 'server-error'; readonly failure: Failure; readonly response: HttpResponse }
  | { readonly kind: 'unknown'; readonly failure: Failure; readonly response: HttpResponse | null };

/** What a `GET /video/status/{id}` said (service-api.md §4.2). */
export interface RemoteStatus {
  /** `null`: a word that the profile does not know; keep polling and show the word. */
  readonly state: RemoteState | null;
  readonly word: string | null;
  /** The video is finished, and its file was deleted. */
  readonly isRemoved?: true;
  /** 0 to 1; `null` when the service reports none. */
  readonly progress: number | null;
  /** The service's own words about a failure. */
  readonly error: string | null;
}

/** The failures of every GET. None of these fails a job at once. */
export type ReadTrouble =
  | { readonly kind: 'rate-limited'; readonly response: HttpResponse }
  | { readonly kind: 'key-refused'; readonly failure: Failure; readonly response: HttpResponse }
  /** The service does not know this video (404). */
  | { readonly kind: 'not-found'; readonly failure: Failure; readonly response: HttpResponse }
  /** The service had this video and has deleted it (410, or the code `VIDEO_EXPIRED`). */
  | { readonly kind: 'expired'; readonly failure: Failure; readonly response: HttpResponse }
  /** A 5xx. It may be about this video alone (docs/decisions/0010). */
  | { readonly kind: 'server-error'; readonly failure: Failure; readonly response: HttpResponse }
  /**
   * The request left and got no usable response: 403, 400, a body that cannot be read, a timeout, a
   * broken connection. It may be about this video only.
   */
  | { readonly kind: 'unusable'; readonly failure: Failure; readonly response: HttpResponse | null }
  /** Offline, DNS, TLS: no byte of the request left, so it counts against no limit. */
  | { readonly kind: 'unreachable'; readonly failure: Failure; readonly response: null };

/** A video that the service accepted, and then refused: there is no file, and will be none. */
export interface RefusedVideo {
  readonly kind: 'refused';
  readonly failure: Failure;
  readonly response: HttpResponse;
}

export type StatusOutcome =
  | {
      readonly kind: 'status';
      readonly status: RemoteStatus;
      /** To the file of a finished video, if the service's status contains one. */
      readonly link?: Link | null;
      /** What the video costs, as the service says. */
      readonly cost?: Amount;
      readonly response: HttpResponse;
    }
  | RefusedVideo
  /** Nothing is known of the video's state. */
  | ReadTrouble;

export type LinkOutcome =
  | { readonly kind: 'link'; readonly link: Link; readonly response: HttpResponse }
  /** The video is not finished (the local service's 409); request its status again. */
  | { readonly kind: 'not-ready'; readonly response: HttpResponse }
  /** The response is about a finished video, and has no usable link. */
  | { readonly kind: 'no-link'; readonly failure: Failure; readonly response: HttpResponse }
  | RefusedVideo
  | ReadTrouble;

/** A video in the service's list of recent ones. */
export interface ListedVideo {
  readonly remoteId: string;
  /** Our own identifier; `null` when it has none, as videos of other clients. */
  readonly ownId: string | null;
  /** When it was created, by the service's clock, in milliseconds since the epoch. */
  readonly createdAt: number | null;
}

export type ListOutcome =
  | {
      readonly kind: 'page';
      readonly videos: readonly ListedVideo[];
      /** Of the next page; `null` at the list's end. */
      readonly cursor: string | null;
      readonly response: HttpResponse;
    }
  | ReadTrouble;

/** The result of a request to cancel a render. */
export type CancelOutcome =
  | { readonly kind: 'cancelled' | 'finished'; readonly response: HttpResponse }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly response: HttpResponse | null }
  | ReadTrouble;

/** What the service said about the account's balance. */
export type BalanceOutcome =
  | {
      readonly kind: 'balance';
      /** In the unit of the profile; `null` when the response has no credible one. */
      readonly amount: number | null;
      readonly response: HttpResponse;
    }
  | ReadTrouble;

/** The result of a key check (service-api.md §5.7). */
export type KeyCheckOutcome =
  | { readonly kind: 'accepted'; readonly response: HttpResponse }
  | Extract<ReadTrouble, { kind: 'key-refused' | 'unusable' | 'unreachable' }>;

/**
 * What the answer says about a key that was entered. A limit of requests may be one of failed
 * authentications, so it proves no key that replaces another.
 */
export function enteredKey(outcome: KeyCheckOutcome): EnteredKey {
  if (outcome.kind === 'accepted')
    return outcome.response.status === 429 ? 'unchecked' : 'accepted';
  return outcome.kind === 'key-refused' ? 'refused' : 'unchecked';
}

/** The outcome of a request that may be repeated. */
export type ReadOutcome = StatusOutcome | LinkOutcome | ListOutcome | KeyCheckOutcome;

/** The requests of the engine to a service. Implemented by `ServiceClient`. */
export interface Service {
  /** Opens the connection that one generate request will use. */
  connect(signal?: AbortSignal): Promise<ConnectOutcome>;
  status(remoteId: string, signal?: AbortSignal): Promise<StatusOutcome>;
  /** Requests a link; without an endpoint for that, the status. */
  link(remoteId: string, signal?: AbortSignal): Promise<LinkOutcome>;
  /**
   * The link to the file of a finished video if it needs no request: the service itself delivers
   * the file. `null` for other services, and for an unusable identifier.
   */
  knownLink(remoteId: string): Link | null;
  /**
   * One page of the list of recent videos. It uses no quota.
   * @param cursor `null` for the first one
   */
  list(cursor: string | null, signal?: AbortSignal): Promise<ListOutcome>;
  /** Cancels a render, if the profile says how. Repeating it does no harm. */
  cancel(remoteId: string, signal?: AbortSignal): Promise<CancelOutcome>;
  /** Requests the account's balance, if the profile says how. */
  balance(signal?: AbortSignal): Promise<BalanceOutcome>;
  checkKey(signal?: AbortSignal, entered?: string): Promise<KeyCheckOutcome>;
}
