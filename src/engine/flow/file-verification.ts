import path from 'node:path';
import type { FileIssue, Verification } from '../../contract/files.ts';
import {
  userMessage,
  joinMessages,
  messageOf,
  type UserMessage,
} from '../../contract/user-message.ts';
import type { Clock } from '../clock.ts';
import { codeOf } from '../error-codes.ts';
import type { Serial } from '../serial.ts';
import { verifyFile, type Verification as OnDisk } from '../downloads/verify.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';

/** Milliseconds between two updates of the progress. */
const UPDATE_EVERY_MS = 250;

interface VerificationContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Idle while no file is being renamed. */
  readonly renaming: Pick<Serial, 'idle'>;
}

/**
 * Reads saved files again, one after another, which is the fastest for a disk. Rows are updated
 * with each result, so a verification that is stopped has reported what it found until then.
 *
 * @param ids of jobs; all that have or had a file when left out. Others are skipped.
 * @param stop ends it, without an error
 */
export async function* verifyFiles(
  ids: readonly number[] | undefined,
  context: VerificationContext,
  stop: AbortSignal,
): AsyncGenerator<Verification, void> {
  const left = new AbortController();
  const signal = AbortSignal.any([stop, left.signal]);
  const { store, clock } = context;
  const verification = new VerificationRun(context, signal, store.files.withFile(ids));
  const over = verification.run();
  try {
    for (let isOver = false; !isOver;) {
      const timer = new AbortController();
      const late = clock.sleep(UPDATE_EVERY_MS, timer.signal).catch(() => undefined);
      isOver = await Promise.race([over.then(() => true), late.then(() => false)]);
      timer.abort();
      if (signal.aborted) return;
      yield verification.report();
    }
  } finally {
    left.abort();
    await over;
  }
}

class VerificationRun {
  readonly #context: VerificationContext;
  readonly #signal: AbortSignal;
  readonly #files: readonly { readonly id: number; readonly bytes: number }[];
  readonly #found: Verification;

  constructor(
    context: VerificationContext,
    signal: AbortSignal,
    files: readonly { readonly id: number; readonly bytes: number }[],
  ) {
    this.#context = context;
    this.#signal = signal;
    this.#files = files;
    this.#found = {
      checkedFiles: 0,
      totalFiles: files.length,
      checkedBytes: 0,
      totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      errors: [],
      recovered: 0,
    };
  }

  /** The result so far, with the errors found since the last call. */
  report(): Verification {
    return { ...this.#found, errors: this.#found.errors.splice(0) };
  }

  async run(): Promise<void> {
    const found = this.#found;
    for (const { id, bytes } of this.#files) {
      const before = found.checkedBytes;
      const result = await this.#check(id, (read) => {
        // A file that has grown must not make the sum exceed the total.
        found.checkedBytes = Math.min(before + bytes, found.checkedBytes + read);
      });
      if (this.#signal.aborted) return;
      if (result === 'recovered') found.recovered += 1;
      else if (result) found.errors.push(result);
      found.checkedFiles += 1;
      found.checkedBytes = before + bytes;
    }
  }

  /** Reads one job's file and updates its row by the result. */
  async #check(
    id: number,
    onBytes: (bytes: number) => void,
  ): Promise<FileIssue | 'recovered' | null> {
    const { store, renaming } = this.#context;
    const signal = this.#signal;
    await renaming.idle();
    const job = signal.aborted ? null : store.jobs.find(id);
    if (!job || !isWithFile(job)) return null;
    const found = await read(job, signal, onBytes);
    // The user may have changed the job meanwhile, and the store may be closed.
    if (found === null || signal.aborted) return null;
    const now = store.jobs.find(id);
    // Others find missing files too, and what they found is no reason to call a file intact.
    if (now?.state !== job.state) return this.#check(id, onBytes);
    if (now.filePath === job.filePath && now.renameTo === null) return this.#conclude(job, found);
    if (!(await this.#isHalfRenamed(now))) return this.#check(id, onBytes);
    return found.kind === 'intact' ? null : issueOf(job, 'unreadable', userMessage('rename-later'));
  }

  /** Whether an interrupted renaming left its file where the store may not say. */
  async #isHalfRenamed({ id, filePath, renameTo }: JobRow): Promise<boolean> {
    if (renameTo === null) return false;
    await this.#context.renaming.idle();
    const now = this.#signal.aborted ? null : this.#context.store.jobs.find(id);
    return now?.filePath === filePath && now.renameTo === renameTo;
  }

  #conclude(job: FiledJob, found: Found): FileIssue | 'recovered' | null {
    const { store, clock } = this.#context;
    const { id, filePath, state } = job;
    const name = path.basename(filePath);
    const issue = (kind: FileIssue['found'], why: UserMessage): FileIssue =>
      issueOf(job, kind, why);
    switch (found.kind) {
      case 'intact':
        if (state === 'done') return null;
        store.jobs.move(id, 'markFound', clock.now(), { failure: null });
        return 'recovered';
      case 'unreadable':
        return issue(
          'unreadable',
          userMessage('named-file-unreadable', { name, code: found.code }),
        );
      case 'missing': {
        const why = userMessage('named-file-gone', { name });
        this.#lose(job, null, why);
        return issue('missing', why);
      }
      case 'damaged': {
        const why = joinMessages(userMessage('named-file-damaged', { name }), found.reason);
        this.#lose(job, why, why);
        return issue('damaged', why);
      }
    }
  }

  /** @param damage what is wrong with the file; `null`: it does not exist. */
  #lose({ id, state }: JobRow, damage: UserMessage | null, note: UserMessage): void {
    const { store, clock } = this.#context;
    const failure =
      damage === null ? null : { code: 'file-damaged' as const, ...messageOf(damage) };
    if (state === 'done') store.jobs.move(id, 'markMissing', clock.now(), { failure }, note);
    else store.jobs.change(id, { failure });
  }
}

function issueOf(
  { id, title, filePath }: FiledJob,
  found: FileIssue['found'],
  why: UserMessage,
): FileIssue {
  return { id: String(id), title, path: filePath, found, why };
}

type Found = OnDisk | { readonly kind: 'unreadable'; readonly code: string };

/** `null` when aborted. */
async function read(
  { filePath, fileBytes, fileSha256 }: FiledJob,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Found | null> {
  try {
    const expected = { bytes: fileBytes, sha256: fileSha256 };
    return await verifyFile(filePath, expected, signal, onBytes);
  } catch (error) {
    return signal.aborted ? null : { kind: 'unreadable', code: codeOf(error) ?? 'unknown' };
  }
}

type FiledJob = JobRow & {
  readonly filePath: string;
  readonly fileBytes: number;
  readonly fileSha256: string;
};

function isWithFile(job: JobRow): job is FiledJob {
  return job.filePath !== null && job.fileBytes !== null && job.fileSha256 !== null;
}
