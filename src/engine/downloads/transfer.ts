import path from 'node:path';
import { tell } from '../../contract/told.ts';
import { AddressRefusedError } from './address-policy.ts';
import { BATCH_BYTES } from './body.ts';
import { judge, OVERLAP_BYTES, serverDate, strongValidator } from './judgement.ts';
import type { Asked, Cause, Judgement, Validator } from './judgement.ts';
import { beginsLikeVideo } from './mp4.ts';
import { PartFile } from './part-file.ts';
import { codeOf } from '../code-of.ts';
import { SpeedMeter, STALE_MS } from './progress.ts';
import type { Progress } from './progress.ts';
import type { DownloadDeps, DownloadLink, DownloadOutcome, DownloadRequest } from './request.ts';
import type { LinkCause, WaitReason } from './request.ts';
import { open, RedirectError } from './response.ts';
import type { OpenResponse } from './response.ts';
import * as retry from './retry.ts';
import { failed, failedFor, isCertificateError, retryDelay } from './retry.ts';
import { inspectFile } from './verify.ts';

/** Bytes and milliseconds after which what was written is made durable and recorded. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
const CHECKPOINT_MS = 1_000;
const PROGRESS_MS = 250;

/** How a transfer ended: like a download, but the whole file still lies in its part. */
export type TransferOutcome =
  | Exclude<DownloadOutcome, { kind: 'saved' | 'skipped' }>
  | {
      readonly kind: 'whole';
      readonly bytes: number;
      readonly sha256: string;
      readonly durationSeconds: number | null;
      readonly refetchedBytes: number;
    };

/** What one attempt led to: the end of the transfer, or what stands in the way of the next. */
type Step =
  | { readonly kind: 'end'; readonly outcome: TransferOutcome }
  /** Ask again at once. */
  | { readonly kind: 'again' }
  /** The connection failed, or ended early. */
  | { readonly kind: 'interrupted'; readonly cause: string; readonly waitMs?: number | null }
  | { readonly kind: 'rejected'; readonly cause: Cause }
  | { readonly kind: 'restart'; readonly cause: Cause };

type Usable = Extract<Judgement, { kind: 'whole' | 'part' }>;

const NO_VALIDATOR: Validator = { etag: null, lastModified: null };

/** The disk, and not the network, refused. */
class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: string;
  constructor(cause: unknown) {
    super('The disk refused.', { cause });
    this.code = codeOf(cause) ?? 'unknown';
  }
}

/** Less room on the disk than the rest of the file needs. */
class NoSpaceError extends Error {
  override readonly name = 'NoSpaceError';
  readonly neededBytes: number;
  constructor(neededBytes: number) {
    super('The disk is full.');
    this.neededBytes = neededBytes;
  }
}

/**
 * Brings one part file to its end, over as many connections and links as it takes. Counters of
 * failures begin anew only when the file grows beyond where it has ever been, so that a server
 * that cuts every answer at the same byte cannot keep a transfer busy for ever.
 */
export class Transfer {
  readonly #target: string;
  readonly #request: DownloadRequest;
  readonly #deps: DownloadDeps;
  readonly #meter: SpeedMeter;
  #part: PartFile;
  #link: DownloadLink;
  #farthest: number;
  readonly #startedWith: number;
  #fetched = 0;
  #attempts = 0;
  #rejects = 0;
  #hasRenewed = false;
  #hasBegunAgain = false;
  #askForWhole = false;
  #server: { readonly date: number; readonly at: number } | undefined;
  #checkpointAt: number;
  #told: Progress | undefined;
  #toldAt = -Infinity;

  constructor(part: PartFile, target: string, request: DownloadRequest, deps: DownloadDeps) {
    this.#part = part;
    this.#target = target;
    this.#request = request;
    this.#deps = deps;
    this.#link = request.link;
    this.#meter = new SpeedMeter(deps.clock);
    this.#startedWith = part.offset;
    this.#farthest = part.offset;
    this.#checkpointAt = deps.clock.monotonic();
  }

  /** Runs to an end. The part is closed afterwards, and recorded as far as it could be. */
  async run(): Promise<TransferOutcome> {
    const ended = new AbortController();
    void this.#takeBackSpeed(ended.signal);
    try {
      if (this.#part.offset > 0) this.#tell({ kind: 'resumed', atByte: this.#part.offset });
      for (;;) {
        const outcome = await this.#settle(await this.#attempt());
        if (outcome) return outcome;
      }
    } catch (error) {
      if (!this.#request.signal.aborted) throw error;
      return { kind: 'paused', receivedBytes: this.#part.offset };
    } finally {
      ended.abort();
      this.#deps.room.release(this);
      this.#report(true);
      await this.#part.close();
    }
  }

  async #attempt(): Promise<Step> {
    try {
      await this.#notice();
      if (this.#isComplete()) return await this.#finish();
      const expired = this.#hasExpired();
      if (expired && !this.#hasRenewed) return await this.#renew('expired');
      return await this.#fetch();
    } catch (error) {
      this.#request.signal.throwIfAborted();
      return this.#explain(error);
    }
  }

  /** Draws the consequence of an attempt: an outcome, or `undefined` to try again. */
  async #settle(step: Step): Promise<TransferOutcome | undefined> {
    switch (step.kind) {
      case 'end':
        return step.outcome;
      case 'again':
        return undefined;
      case 'restart':
        this.#tell({ kind: 'restarted', cause: step.cause });
        this.#attempts += 1;
        if (this.#attempts >= retry.MOST_ATTEMPTS) return failedFor(step.cause);
        return undefined;
      case 'rejected':
        this.#rejects += 1;
        if (this.#rejects >= retry.MOST_REJECTS) return failedFor(step.cause);
        if (step.cause.startsWith('range-') && this.#rejects >= retry.MOST_BAD_RANGES) {
          this.#askForWhole = true;
        }
        return this.#pause(step.cause, null);
      case 'interrupted':
        return this.#pause(step.cause, step.waitMs ?? null);
    }
  }

  /** Waits before the next attempt, or ends when the wait is too long to hold a slot for. */
  async #pause(cause: string, waitMs: number | null): Promise<TransferOutcome | undefined> {
    const { clock, random } = this.#deps;
    this.#attempts += 1;
    const wait = waitMs ?? retryDelay(this.#attempts, random);
    if (wait > retry.LONGEST_WAIT_MS) return this.#waiting('server-busy', clock.now() + wait);
    if (this.#attempts >= retry.MOST_ATTEMPTS) {
      return this.#waiting('unreachable', clock.now() + retry.UNREACHABLE_FOR_MS);
    }
    this.#meter.reset();
    this.#tell({ kind: 'retrying', cause, waitMs: wait });
    await clock.sleep(wait, this.#request.signal);
    return undefined;
  }

  async #fetch(): Promise<Step> {
    const part = this.#part;
    const from =
      this.#askForWhole || part.offset === 0 ? 0 : Math.max(0, part.offset - OVERLAP_BYTES);
    const hasRange = !this.#askForWhole && part.offset > 0;
    const origin = URL.parse(this.#link.url)?.origin ?? '';
    const strong = strongValidator(part.validator);
    const condition =
      hasRange && strong !== null && !this.#deps.connections.ignoringIfRange.has(origin)
        ? strong
        : null;
    const asked: Asked = {
      offset: part.offset,
      from,
      conditional: condition !== null,
      total: part.total,
      validator: part.validator,
    };
    const response = await open(
      this.#link.url,
      {
        // Anything else would make offsets meaningless (`downloads.md` fault 18).
        'accept-encoding': 'identity',
        ...(hasRange ? { range: `bytes=${from}-` } : {}),
        ...(condition === null ? {} : { 'if-range': condition }),
      },
      this.#deps,
      this.#request.signal,
    );
    try {
      return await this.#answer(asked, response, origin);
    } finally {
      this.#fetched += response.body.received;
      response.body.close();
      await this.#disk(this.#part.rest());
    }
  }

  #answer(asked: Asked, response: OpenResponse, origin: string): Promise<Step> | Step {
    const { clock, connections } = this.#deps;
    const date = serverDate(response.headers);
    if (date !== null) this.#server = { date, at: clock.monotonic() };
    const judgement = judge(asked, response.status, response.headers, clock.now());
    switch (judgement.kind) {
      case 'whole':
        if (judgement.ignoredCondition) connections.ignoringIfRange.add(origin);
        return this.#receive(response, judgement);
      case 'part':
        return this.#receive(response, judgement);
      case 'complete':
        this.#part.describe(judgement.total, NO_VALIDATOR);
        return this.#finish();
      case 'restart':
        return this.#startOver(judgement.cause);
      case 'reject':
        return { kind: 'rejected', cause: judgement.cause };
      case 'link-refused':
        return this.#renew(this.#hasExpired() ? 'expired' : 'refused');
      case 'busy':
        return {
          kind: 'interrupted',
          cause: `status ${judgement.status}`,
          waitMs: judgement.retryAfterMs,
        };
    }
  }

  /** Takes a body in, as far as it goes. */
  async #receive({ body }: OpenResponse, judgement: Usable): Promise<Step> {
    const { signal, limits = [] } = this.#request;
    const beginsAnew = judgement.kind === 'whole';
    const isOpening = beginsAnew || this.#part.offset === 0;
    let position = beginsAnew ? 0 : judgement.at;
    let hasBegun = false;
    for (;;) {
      // Up to a whole batch's edge: from there on it can be written around the system's cache.
      const toEdge = BATCH_BYTES - (position % BATCH_BYTES);
      const bytes = await body.take(Math.min(toEdge, ...limits.map((limit) => limit.burstBytes)));
      if (!bytes) break;
      for (const limit of limits) await limit.pay(bytes.length, signal);
      if (!hasBegun) {
        // Nothing is given up for a page of HTML: first the new body must begin like a video.
        if (isOpening && !beginsLikeVideo(bytes)) {
          return { kind: 'rejected', cause: 'not-a-video' };
        }
        await this.#begin(judgement);
        hasBegun = true;
      }
      if (!(await this.#store(position, bytes))) return this.#startOver('overlap-differs');
      position += bytes.length;
      this.#report(false);
      // Bytes beyond the total are not part of the file (`downloads.md` fault 13).
      if (this.#isComplete()) return { kind: 'again' };
    }
    if (hasBegun) return this.#ended();
    return beginsAnew
      ? { kind: 'rejected', cause: 'empty' }
      : { kind: 'interrupted', cause: 'cut' };
  }

  /** A body came to its end. Without a stated size only the file itself can tell if it is whole. */
  async #ended(): Promise<Step> {
    if (this.#isComplete()) return { kind: 'again' };
    if (this.#part.total !== null) return { kind: 'interrupted', cause: 'cut' };
    const report = await this.#disk(inspectFile(this.#part.file, this.#part.offset));
    if (report.kind === 'cut') return { kind: 'interrupted', cause: 'cut' };
    this.#part.describe(this.#part.offset, NO_VALIDATOR);
    return { kind: 'again' };
  }

  async #startOver(cause: Cause): Promise<Step> {
    await this.#disk(this.#part.restart(null, NO_VALIDATOR));
    return { kind: 'restart', cause };
  }

  async #begin(judgement: Usable): Promise<void> {
    const { total, validator } = judgement;
    if (judgement.kind === 'whole') {
      await this.#makeSureOfRoom(total, this.#part.offset);
      if (this.#part.offset > 0) this.#tell({ kind: 'restarted', cause: 'range-ignored' });
      await this.#disk(this.#part.restart(total, validator));
    } else {
      await this.#makeSureOfRoom(total === null ? null : total - this.#part.offset, 0);
      this.#part.describe(total, validator);
    }
  }

  /** @returns false when bytes that lie here already are not the same. */
  async #store(position: number, bytes: Buffer): Promise<boolean> {
    const part = this.#part;
    const { clock } = this.#deps;
    const overlap = Math.min(bytes.length, Math.max(0, part.offset - position));
    if (overlap > 0) {
      const isSame = await this.#disk(part.matches(position, bytes.subarray(0, overlap)));
      if (!isSame) return false;
    }
    const room = (part.total ?? Infinity) - part.offset;
    const fresh = bytes.subarray(overlap, Math.min(bytes.length, overlap + room));
    if (fresh.length === 0) return true;
    await this.#disk(part.append(fresh));
    this.#deps.room.shrink(this, (part.total ?? 0) - part.offset);
    this.#meter.add(fresh.length);
    if (part.offset > this.#farthest) {
      this.#farthest = part.offset;
      this.#attempts = 0;
      this.#rejects = 0;
      this.#hasRenewed = false;
      this.#askForWhole = false;
    }
    const isDue = clock.monotonic() - this.#checkpointAt >= CHECKPOINT_MS;
    if (isDue || part.unrecorded >= CHECKPOINT_BYTES) {
      this.#checkpointAt = clock.monotonic();
      part.checkpointBehind();
    }
    return true;
  }

  async #finish(): Promise<Step> {
    const part = this.#part;
    const { expected = {} } = this.#request;
    this.#tell({ kind: 'verifying' });
    const report = await this.#disk(inspectFile(part.file, part.offset));
    const sha256 = part.sha256();
    const isExpected =
      (expected.bytes ?? part.offset) === part.offset && (expected.sha256 ?? sha256) === sha256;
    if (report.kind !== 'whole' || !isExpected) {
      if (!this.#hasBegunAgain) {
        this.#hasBegunAgain = true;
        return this.#startOver('changed');
      }
      await this.#disk(part.restart(null, NO_VALIDATOR));
      return end(failed('damaged', tell('video-damaged-there')));
    }
    await this.#disk(part.seal());
    if (!(await part.isUntouched())) return { kind: 'again' };
    const { durationSeconds } = report;
    const gained = part.offset - this.#startedWith;
    const refetchedBytes = Math.max(0, this.#fetched - gained);
    return end({ kind: 'whole', bytes: part.offset, sha256, durationSeconds, refetchedBytes });
  }

  async #renew(cause: LinkCause): Promise<Step> {
    const { renewLink, signal } = this.#request;
    if (!renewLink || this.#hasRenewed) {
      return end(failed('link-refused', tell('link-refused')));
    }
    this.#hasRenewed = true;
    this.#tell({ kind: 'renewing-link', cause });
    const answer = await renewLink(cause, signal);
    switch (answer.kind) {
      case 'link':
        this.#link = answer.link;
        this.#server = undefined;
        return { kind: 'again' };
      case 'wait':
        return end(this.#waiting('link-limit', answer.until));
      case 'gone':
        return end(failed('link-gone', answer));
    }
  }

  /** Judged by the server's own clock; when it is not known, the link is simply tried. */
  #hasExpired(): boolean {
    const { expiresAt } = this.#link;
    if (expiresAt === null || !this.#server) return false;
    const elapsed = this.#deps.clock.monotonic() - this.#server.at;
    return this.#server.date + elapsed >= expiresAt;
  }

  /** Opens the part again when somebody deleted or edited it meanwhile. */
  async #notice(): Promise<void> {
    if (await this.#part.isUntouched()) return;
    await this.#part.close();
    this.#part = await this.#disk(PartFile.open(this.#target, this.#request.video ?? null));
    if (this.#part.offset === 0) this.#tell({ kind: 'restarted', cause: 'part-edited' });
  }

  /** @param freed bytes of the part that are about to be given up */
  async #makeSureOfRoom(bytes: number | null, freed: number): Promise<void> {
    if (bytes === null) return;
    const folder = path.dirname(this.#target);
    const needed = bytes - freed;
    const lacking = await this.#disk(this.#deps.room.claim(this, folder, needed));
    if (lacking > 0) throw new NoSpaceError(needed);
  }

  #explain(error: unknown): Step {
    if (error instanceof NoSpaceError) {
      return end(this.#waiting('no-space', null, error.neededBytes));
    }
    if (error instanceof DiskError) {
      const { total, offset } = this.#part;
      return end(retry.refusedByDisk(error.code, total === null ? null : total - offset));
    }
    if (error instanceof AddressRefusedError) return end(failed(error.code, error.told));
    if (error instanceof RedirectError) return end(failed('redirects', error.told));
    if (isCertificateError(error)) {
      return end(failed('certificate', tell('download-certificate-wrong')));
    }
    const code = codeOf(error);
    if (code === undefined) throw error;
    return { kind: 'interrupted', cause: code };
  }

  #waiting(reason: WaitReason, until: number | null, neededBytes: number | null = null) {
    return { kind: 'waiting', reason, until, neededBytes } as const;
  }

  async #disk<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw new DiskError(error);
    }
  }

  #isComplete(): boolean {
    return this.#part.offset > 0 && this.#part.offset === this.#part.total;
  }

  #tell(event: Parameters<NonNullable<DownloadRequest['onEvent']>>[0]): void {
    this.#request.onEvent?.(event);
  }

  #report(isLast: boolean): void {
    const now = this.#deps.clock.monotonic();
    if (!isLast && now - this.#toldAt < PROGRESS_MS) return;
    this.#toldAt = now;
    this.#told = this.#meter.progress(this.#part.offset, this.#part.total);
    this.#request.onProgress?.(this.#told);
  }

  /** While nothing comes nothing is told, so that a speed would stay: it is taken back in time. */
  async #takeBackSpeed(ended: AbortSignal): Promise<void> {
    for (;;) {
      try {
        await this.#deps.clock.sleep(STALE_MS, ended);
      } catch {
        return;
      }
      if (this.#told !== undefined && this.#told.bytesPerSecond !== null) this.#report(false);
    }
  }
}

function end(outcome: TransferOutcome): Step {
  return { kind: 'end', outcome };
}
