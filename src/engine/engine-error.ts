import type { Failure } from '../contract/failure.ts';
import type { JobState } from '../contract/job-states.ts';
import {
  joinMessages,
  messageOf,
  userMessage,
  type UserMessage,
} from '../contract/user-message.ts';
import { isFileLimit } from './file-limit.ts';

/**
 * A failure that is shown to the user, thrown to the caller of the engine. Hosts send `failure` to
 * the UI; anything else that the engine throws is a defect.
 */
export class EngineError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = new.target.name;
    this.failure = failure;
  }
}

/** No job of this service has this identifier. */
export class JobUnknownError extends EngineError {
  /** @param at where the queue has it: another service; left out if it has no such job */
  constructor(at?: { readonly origin: string; readonly state: JobState }) {
    const { origin } = at ?? {};
    super({
      code: 'job-unknown',
      ...(origin === undefined
        ? userMessage('job-unknown')
        : joinMessages(
            userMessage('job-at-other-service', { origin }),
            ...(at?.state === 'uncertain' ? [userMessage('job-uncertain-there')] : []),
          )),
      ...(origin === undefined ? {} : { origin }),
    });
  }
}

/** No batch of this engine has this identifier. */
export class BatchUnknownError extends EngineError {
  constructor() {
    super({ code: 'batch-unknown', ...userMessage('batch-unknown') });
  }
}

/** A cursor that no page of the list returned. */
export class PlaceUnknownError extends EngineError {
  constructor() {
    super({ code: 'value-invalid', ...userMessage('list-ends') });
  }
}

/** The call makes no sense in the job's present state. */
export class NotPossibleNowError extends EngineError {
  constructor(why: UserMessage) {
    super({ code: 'not-possible-now', ...messageOf(why) });
  }
}

/** Rows that were checked with another profile than the service has now. */
export class PlanOutdatedError extends EngineError {
  constructor() {
    super({ code: 'plan-outdated', ...userMessage('planned-by-other-profile') });
  }
}

/** Another engine has locked the data folder. */
export class InUseError extends EngineError {
  /** @param pid the other engine's process id, if it wrote one down */
  constructor(pid: number | null) {
    const message = pid === null ? userMessage('in-use') : userMessage('in-use-by', { pid });
    super({ code: 'in-use', ...message });
  }
}

/** Another process has taken the data folder of this one, or the folder is no longer there. */
export class FolderLostError extends EngineError {
  constructor() {
    super({ code: 'folder-lost', ...userMessage('folder-lost') });
  }
}

/** The database was written by a newer Spool. */
export class StoreNewerError extends EngineError {
  constructor() {
    super({ code: 'store-newer', ...userMessage('queue-newer') });
  }
}

/** The database was written by an earlier build, whose format is not read. */
export class StoreOlderError extends EngineError {
  constructor(folder: string) {
    super({ code: 'store-older', ...userMessage('queue-older', { folder }) });
  }
}

/**
 * The disk of the data folder has too little space for the queue. More may become free at any time.
 */
export class DiskFullError extends EngineError {
  /** Bytes that must be free. */
  readonly requiredBytes: number;

  constructor(folder: string, freeBytes: number, requiredBytes: number, cause?: unknown) {
    const missingBytes = Math.max(1, requiredBytes - freeBytes);
    const message = userMessage('queue-needs-room', { folder, missing: missingBytes });
    super({ code: 'disk-full', ...message, missingBytes }, { cause });
    this.requiredBytes = requiredBytes;
  }
}

/** The disk refused a write although it has space. */
export class QueueUnwritableError extends EngineError {
  constructor(cause: unknown) {
    super({ code: 'disk-full', ...userMessage('queue-unwritable') }, { cause });
  }
}

/** The data folder cannot be created, read or written. */
export class FolderUnusableError extends EngineError {
  constructor(folder: string, cause: unknown) {
    super(
      {
        code: 'folder-unusable',
        ...(isFileLimit(cause)
          ? userMessage('too-many-open-files')
          : userMessage('folder-unusable', { folder })),
        ...(cause instanceof Error ? { detail: cause.message } : {}),
      },
      { cause },
    );
  }
}
