import type { Job, TransferWait } from '../../contract/job.ts';
import type { Clock } from '../clock.ts';
import type { FlowControl } from '../flow/flow-control.ts';
import type { RateLimits } from '../flow/rate-limits.ts';
import type { RenderTimeBook } from '../flow/render-time-book.ts';
import type { TransferBoard } from '../flow/transfer-board.ts';
import type { TransferPauses } from '../flow/transfer-pauses.ts';
import type { Postponement, TransferWaits } from '../flow/transfer-waits.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { ForecastBook } from './forecast-book.ts';

export interface JobViewParts {
  readonly forecasts: ForecastBook;
  readonly renderTimes: RenderTimeBook;
  readonly transfers: TransferBoard;
  readonly waits: TransferWaits;
  readonly pauses: TransferPauses;
  readonly limits: RateLimits;
  readonly flow: FlowControl;
  readonly clock: Clock;
}

/** Shows a job as UIs see it: what the database has, and what is only known at the moment. */
export class JobView {
  readonly #parts: JobViewParts;

  constructor(parts: JobViewParts) {
    this.#parts = parts;
  }

  show(row: JobRow): Job {
    const { forecasts, transfers, flow } = this.#parts;
    return {
      id: String(row.id),
      batchId: String(row.batchId),
      row: row.row,
      title: row.title,
      state: row.state,
      priority: row.priority,
      stopsHere: flow.stopBefore === row.id,
      attempts: row.attempts,
      remoteId: row.remoteId,
      serviceWord: row.serviceWord,
      wordUnknown: row.wordUnknown,
      progress: this.#progress(row),
      transfer: transfers.of(row.id),
      transferWait: this.#transferWait(row),
      failure: row.failure,
      file: fileOf(row),
      forecast: forecasts.of(row.id),
      addedAt: row.addedAt,
      submittedAt: row.submittedAt,
      readyAt: row.readyAt,
      savedAt: row.savedAt,
    };
  }

  #transferWait({ id, state }: JobRow): Job['transferWait'] {
    const { waits, pauses, limits, clock } = this.#parts;
    if (state !== 'ready' && state !== 'downloading' && state !== 'verifying') return null;
    if (pauses.has(id)) return { reason: 'paused', until: null, missingBytes: null };
    if (state !== 'ready') return null;
    const wait = waits.of(id);
    const linkWait = limits.wait('download');
    if (wait?.room) return { reason: 'disk-full', until: null, missingBytes: wait.room.missing };
    const reason = wait && waits.left(id) > 0 ? reasonOf(wait) : null;
    if (wait && reason) return { reason, until: wait.untilAt, missingBytes: null };
    if (linkWait <= 0) return null;
    return { reason: 'link-limit', until: clock.now() + linkWait, missingBytes: null };
  }

  #progress(row: JobRow): Job['progress'] {
    const { renderTimes, clock } = this.#parts;
    if (row.state !== 'submitted' && row.state !== 'rendering') return null;
    if (row.progress !== null) return { fraction: row.progress, estimated: false };
    const age = clock.now() - (row.submittedAt ?? row.addedAt);
    return { fraction: renderTimes.progress(row.preset, age), estimated: true };
  }
}

function reasonOf({ reason }: Postponement): TransferWait['reason'] | null {
  switch (reason) {
    case 'no-space':
      return 'disk-full';
    case 'cannot-write':
      return 'folder-unusable';
    case 'not-ready':
      return null;
    case 'link-limit':
    case 'server-busy':
    case 'unreachable':
      return reason;
  }
}

function fileOf(row: JobRow): Job['file'] {
  if (row.filePath === null || row.fileBytes === null || row.fileSha256 === null) return null;
  return {
    path: row.filePath,
    bytes: row.fileBytes,
    sha256: row.fileSha256,
    durationSeconds: row.fileSeconds,
  };
}
