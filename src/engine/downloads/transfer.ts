import { userMessage } from '../../contract/user-message.ts';
import { codeOf } from '../error-codes.ts';
import type { Link } from '../link.ts';
import { ProxyError } from '../tunnel.ts';
import { AddressBlockedError } from './address-policy.ts';
import { DiskError, onDisk } from './disk.ts';
import { DownloadRefusedError, failed, failedFor, refusedByDisk } from './download-failures.ts';
import {
  classifyRangeResponse,
  NO_VALIDATOR,
  rangeRequest,
  serverDate,
  type Asked,
  type Cause,
} from './range-response.ts';
import { PartFile } from './part-file.ts';
import { ProgressReporter } from './progress.ts';
import { Retries } from './retries.ts';
import { BodyWriter, type Usable } from './body-writer.ts';
import type {
  DownloadDeps,
  DownloadEvent,
  DownloadOutcome,
  DownloadRequest,
  LinkCause,
  SavedOutcome,
  WaitReason,
} from './request.ts';
import { open, type OpenResponse } from './response.ts';

/** A wait longer than this gives the transfer's slot to another. */
const MAX_WAIT_MS = 120_000;
/** When to retry a server that could not be reached at all. */
const UNREACHABLE_FOR_MS = 60_000;

/** How a transfer ended: like a download, but the whole file is still in its part. */
export type TransferOutcome =
  | Exclude<DownloadOutcome, { kind: 'saved' | 'skipped' }>
  | (Omit<SavedOutcome, 'kind' | 'path'> & { readonly kind: 'whole' });

/**
 * The result of one attempt: the end of the transfer, or what must happen before the next attempt.
 */
type Step =
  | TransferOutcome
  /** Ask again at once. */
  | { readonly kind: 'again' }
  /** The connection failed, or ended early. */
  | {
      readonly kind: 'interrupted';
      readonly cause: string;
      readonly waitMs?: number | null;
      /** What the proxy did instead of connecting. */
      readonly proxyError?: ProxyError;
    }
  | { readonly kind: 'rejected'; readonly cause: Cause }
  | { readonly kind: 'restart'; readonly cause: Cause };

/** Downloads one part file to its end, over as many connections and links as it takes. */
export class Transfer {
  readonly #target: string;
  readonly #request: DownloadRequest;
  readonly #deps: DownloadDeps;
  readonly #progress: ProgressReporter;
  readonly #bodyWriter: BodyWriter;
  #part: PartFile;
  #link: Link;
  readonly #retries: Retries;
  readonly #startedWith: number;
  #fetched = 0;
  #hasBegunAgain = false;
  #server: { readonly date: number; readonly at: number } | undefined;

  constructor(part: PartFile, target: string, request: DownloadRequest, deps: DownloadDeps) {
    this.#part = part;
    this.#target = target;
    this.#request = request;
    this.#deps = deps;
    this.#link = request.link;
    this.#progress = new ProgressReporter(deps.clock, request.onProgress);
    this.#startedWith = part.offset;
    this.#retries = new Retries(part.offset);
    this.#bodyWriter = new BodyWriter(request, deps, this.#progress, {
      onReplaced: () => this.#emit({ kind: 'restarted', cause: 'range-ignored' }),
      onGrowth: (offset) => this.#retries.grew(offset),
    });
  }

  /** Runs to an end. The part is closed afterwards, and recorded if the disk accepts it. */
  async run(): Promise<TransferOutcome> {
    const ended = new AbortController();
    void this.#progress.clearStaleSpeed(() => this.#part, ended.signal);
    try {
      if (this.#part.offset > 0) this.#emit({ kind: 'resumed', atByte: this.#part.offset });
      for (;;) {
        const outcome = await this.#settle(await this.#attempt());
        if (outcome) return outcome;
      }
    } catch (error) {
      if (!this.#request.signal.aborted) throw error;
      return { kind: 'paused', receivedBytes: this.#part.offset };
    } finally {
      ended.abort();
      this.#bodyWriter.end();
      this.#progress.reportNow(this.#part);
      await this.#part.close();
    }
  }

  async #attempt(): Promise<Step> {
    try {
      await this.#reopenIfChanged();
      if (this.#part.isComplete) return await this.#finish();
      const expired = this.#hasExpired();
      if (expired && !this.#retries.hasRenewed) return await this.#renew('expired');
      return await this.#fetch();
    } catch (error) {
      this.#request.signal.throwIfAborted();
      return this.#stepAfter(error);
    }
  }

  /** Handles the result of an attempt: returns an outcome, or `undefined` to try again. */
  async #settle(step: Step): Promise<TransferOutcome | undefined> {
    switch (step.kind) {
      case 'again':
        return undefined;
      case 'restart':
        this.#emit({ kind: 'restarted', cause: step.cause });
        this.#retries.restarted();
        return this.#retries.areUsedUp ? failedFor(step.cause) : undefined;
      case 'rejected':
        return this.#retries.rejected(step.cause)
          ? this.#pause(step.cause, null)
          : failedFor(step.cause);
      case 'interrupted':
        return this.#pause(step.cause, step.waitMs ?? null, step.proxyError);
      default:
        return step;
    }
  }

  /**
   * Waits before the next attempt, or ends the transfer when the wait is too long to occupy a slot.
   */
  async #pause(
    cause: string,
    waitMs: number | null,
    proxyError?: ProxyError,
  ): Promise<TransferOutcome | undefined> {
    const { clock, random } = this.#deps;
    const wait = this.#retries.nextWait(waitMs, random);
    if (wait > MAX_WAIT_MS) return this.#waiting('server-busy', clock.now() + wait);
    if (this.#retries.areUsedUp) {
      const until = clock.now() + UNREACHABLE_FOR_MS;
      if (proxyError === undefined) return this.#waiting('unreachable', until);
      const { proxy, userMessage: why } = proxyError;
      return { kind: 'waiting', reason: 'proxy-failed', proxy, why, until, neededBytes: null };
    }
    this.#progress.interrupted();
    this.#emit({ kind: 'retrying', cause, waitMs: wait });
    await clock.sleep(wait, this.#request.signal);
    return undefined;
  }

  async #fetch(): Promise<Step> {
    const origin = URL.parse(this.#link.url)?.origin ?? '';
    const ignoresIfRange = this.#deps.connections.ignoringIfRange.has(origin);
    const { asked, headers } = rangeRequest(this.#part, this.#retries.isForWhole, ignoresIfRange);
    const response = await open(this.#link, headers, this.#deps, this.#request.signal);
    try {
      return await this.#handleResponse(asked, response, origin);
    } finally {
      this.#fetched += response.body.received;
      response.body.close();
      await onDisk(this.#part.rememberState());
    }
  }

  #handleResponse(asked: Asked, response: OpenResponse, origin: string): Promise<Step> | Step {
    const { clock, connections } = this.#deps;
    const date = serverDate(response.headers);
    if (date !== null) this.#server = { date, at: clock.monotonic() };
    const rangeResponse = classifyRangeResponse(
      asked,
      response.status,
      response.headers,
      clock.now(),
    );
    switch (rangeResponse.kind) {
      case 'whole':
        if (rangeResponse.ignoredCondition) connections.ignoringIfRange.add(origin);
        return this.#receive(response, rangeResponse);
      case 'part':
        return this.#receive(response, rangeResponse);
      case 'complete':
        this.#part.describe(rangeResponse.total, NO_VALIDATOR);
        return this.#finish();
      case 'restart':
        return this.#startOver(rangeResponse.cause);
      case 'reject':
        return { kind: 'rejected', cause: rangeResponse.cause };
      case 'link-refused':
        return this.#renew(this.#hasExpired() ? 'expired' : 'refused');
      case 'busy':
        return {
          kind: 'interrupted',
          cause: `status ${rangeResponse.status}`,
          waitMs: rangeResponse.retryAfterMs,
        };
    }
  }

  async #receive({ body }: OpenResponse, rangeResponse: Usable): Promise<Step> {
    const received = await this.#bodyWriter.take(body, this.#part, rangeResponse);
    switch (received) {
      case 'whole':
        return { kind: 'again' };
      case 'cut':
        return { kind: 'interrupted', cause: 'cut' };
      case 'not-a-video':
      case 'empty':
        return { kind: 'rejected', cause: received };
      case 'overlap-differs':
        return this.#startOver(received);
      case 'endless': {
        const sent = this.#part.offset;
        await onDisk(this.#part.restart(null, NO_VALIDATOR));
        return failed('unusable-answer', userMessage('sent-endless', { sent }));
      }
    }
  }

  async #startOver(cause: Cause): Promise<Step> {
    await onDisk(this.#part.restart(null, NO_VALIDATOR));
    return { kind: 'restart', cause };
  }

  async #finish(): Promise<Step> {
    const part = this.#part;
    this.#emit({ kind: 'verifying' });
    const report = await onDisk(part.inspect(this.#request.signal));
    if (report.kind !== 'whole') {
      if (!this.#hasBegunAgain) {
        this.#hasBegunAgain = true;
        return this.#startOver('changed');
      }
      await onDisk(part.restart(null, NO_VALIDATOR));
      return failed('damaged', userMessage('video-damaged-there'));
    }
    await onDisk(part.seal());
    if (!(await part.isUntouched())) return { kind: 'again' };
    const gained = part.offset - this.#startedWith;
    return {
      kind: 'whole',
      bytes: part.offset,
      sha256: part.sha256(),
      durationSeconds: report.durationSeconds,
      refetchedBytes: Math.max(0, this.#fetched - gained),
    };
  }

  async #renew(cause: LinkCause): Promise<Step> {
    const { renewLink, signal } = this.#request;
    if (!renewLink || this.#retries.hasRenewed) {
      return failed('link-refused', userMessage('link-refused'));
    }
    this.#retries.renewed();
    this.#emit({ kind: 'renewing-link', cause });
    const renewal = await renewLink(cause, signal);
    switch (renewal.kind) {
      case 'link':
        this.#link = renewal.link;
        this.#server = undefined;
        return { kind: 'again' };
      case 'wait':
        return this.#waiting(renewal.reason, renewal.until);
    }
  }

  /** By the server's own clock; when that is not known, the link is simply tried. */
  #hasExpired(): boolean {
    const { expiresAt } = this.#link;
    if (expiresAt === null || !this.#server) return false;
    const elapsed = this.#deps.clock.monotonic() - this.#server.at;
    return this.#server.date + elapsed >= expiresAt;
  }

  /** Opens the part again if it was deleted or edited meanwhile. */
  async #reopenIfChanged(): Promise<void> {
    if (await this.#part.isUntouched()) return;
    await this.#part.close();
    this.#part = await onDisk(PartFile.open(this.#target, this.#request.video ?? null));
    if (this.#part.offset === 0) this.#emit({ kind: 'restarted', cause: 'part-edited' });
  }

  #stepAfter(error: unknown): Step {
    if (error instanceof DiskError) {
      const { total, offset } = this.#part;
      const left = total === null ? null : total - offset;
      return refusedByDisk(error.code, error.neededBytes ?? left);
    }
    if (error instanceof DownloadRefusedError) return failed(error.code, error.userMessage);
    if (error instanceof AddressBlockedError) {
      const { host } = error;
      const reason = 'address-blocked';
      return { kind: 'waiting', reason, host, until: null, neededBytes: null };
    }
    if (error instanceof ProxyError) {
      return { kind: 'interrupted', cause: error.message, proxyError: error };
    }
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { kind: 'interrupted', cause: code };
  }

  #waiting(reason: WaitReason, until: number | null) {
    return { kind: 'waiting', reason, until, neededBytes: null } as const;
  }

  #emit(event: DownloadEvent): void {
    this.#request.onEvent?.(event);
  }
}
