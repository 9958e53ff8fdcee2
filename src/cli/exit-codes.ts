import type { FailureCode } from '../contract/failure.ts';
import type { BatchEnding, BatchProgress } from './batch-progress.ts';

/** Exit codes; scripts rely on the numbers. */
export const EXIT = {
  allSaved: 0,
  someFailed: 1,
  usage: 2,
  keyRefused: 3,
  quotaUsedUp: 4,
  needsDecision: 5,
  folderLost: 6,
  outputFailed: 7,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Exit codes of the signals that request a safe end: 128 plus the signal's number, as in shells.
 */
const EXIT_CODE_OF = {
  SIGHUP: EXIT.hungUp,
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
} as const satisfies Readonly<Partial<Record<NodeJS.Signals, ExitCode>>>;

export type EndSignal = keyof typeof EXIT_CODE_OF;

/**
 * The reason of an abort by a signal, or by an output that cannot be written. The exit code tells a
 * supervisor which it was.
 */
export class Interruption extends DOMException {
  readonly exitCode: ExitCode;

  constructor(cause: EndSignal | 'output') {
    super(`Interrupted by ${cause}.`, 'AbortError');
    this.exitCode = cause === 'output' ? EXIT.outputFailed : EXIT_CODE_OF[cause];
  }
}

/** @param interrupted aborted, by a signal or because the output was closed */
export function exitCodeOfInterruption(interrupted: AbortSignal): ExitCode {
  const reason: unknown = interrupted.reason;
  return reason instanceof Interruption ? reason.exitCode : EXIT.interrupted;
}

/** Whether an error only says that the command was interrupted, by a signal or a closed output. */
export function isInterruption(error: unknown, interrupted: AbortSignal): boolean {
  return interrupted.aborted && error instanceof Error && error.name === 'AbortError';
}

export function exitCodeOfBatch(ending: BatchEnding, { jobs, awaited }: BatchProgress): ExitCode {
  switch (ending.kind) {
    case 'key-refused':
      return EXIT.keyRefused;
    case 'needs-check':
      return EXIT.needsDecision;
    case 'quota-used-up':
      return EXIT.quotaUsedUp;
    case 'settled':
      if (awaited.length > 0 || jobs.some((job) => job.state === 'uncertain')) {
        return EXIT.needsDecision;
      }
      return jobs.every((job) => job.state === 'done') ? EXIT.allSaved : EXIT.someFailed;
  }
}

export function exitCodeOfFailure(code: FailureCode): ExitCode {
  switch (code) {
    case 'batch-unreadable':
    case 'batch-empty':
    case 'column-missing':
    case 'value-invalid':
    case 'template-invalid':
    case 'profile-unusable':
      return EXIT.usage;
    case 'key-missing':
    case 'key-refused':
      return EXIT.keyRefused;
    case 'quota-used-up':
    case 'daily-quota-used-up':
    case 'nothing-left':
      return EXIT.quotaUsedUp;
    case 'outcome-unknown':
      return EXIT.needsDecision;
    case 'folder-lost':
      return EXIT.folderLost;
    case 'keychain-unusable':
    case 'rate-limited':
    case 'service-unreachable':
    case 'service-refused':
    case 'content-refused':
    case 'batch-held':
    case 'picture-unusable':
    case 'service-refuses-all':
    case 'answer-unreadable':
    case 'render-failed':
    case 'video-unknown':
    case 'video-expired':
    case 'status-unknown':
    case 'file-not-offered':
    case 'download-failed':
    case 'file-damaged':
    case 'disk-full':
    case 'folder-unusable':
    case 'data-exposed':
    case 'job-unknown':
    case 'batch-unknown':
    case 'not-possible-now':
    case 'plan-outdated':
    case 'in-use':
    case 'store-damaged':
    case 'store-copied':
    case 'store-newer':
    case 'store-older':
      return EXIT.someFailed;
  }
}
