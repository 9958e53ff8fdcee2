import type { FailureCode } from '../contract/failure.ts';
import type { BatchEnding, BatchProgress } from './batch-progress.ts';

/** What the process ends with; scripts rely on the numbers. */
export const EXIT = {
  allSaved: 0,
  someFailed: 1,
  usage: 2,
  keyRefused: 3,
  quotaUsedUp: 4,
  needsDecision: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOfBatch(ending: BatchEnding, { jobs }: BatchProgress): ExitCode {
  switch (ending.kind) {
    case 'key-refused':
      return EXIT.keyRefused;
    case 'distrusted':
      return EXIT.needsDecision;
    case 'quota-used-up':
      return EXIT.quotaUsedUp;
    case 'settled':
      if (jobs.some((job) => job.state === 'uncertain')) return EXIT.needsDecision;
      return jobs.every((job) => job.state === 'done') ? EXIT.allSaved : EXIT.someFailed;
  }
}

export function exitCodeOfFailure(code: FailureCode): ExitCode {
  switch (code) {
    case 'batch-unreadable':
    case 'batch-empty':
    case 'column-missing':
    case 'value-invalid':
    case 'template-faulty':
      return EXIT.usage;
    case 'key-missing':
    case 'key-refused':
      return EXIT.keyRefused;
    case 'quota-used-up':
      return EXIT.quotaUsedUp;
    case 'outcome-unknown':
      return EXIT.needsDecision;
    case 'keychain-unusable':
    case 'rate-limited':
    case 'service-unreachable':
    case 'service-refused':
    case 'service-refuses-all':
    case 'answer-unreadable':
    case 'render-failed':
    case 'download-failed':
    case 'file-damaged':
    case 'disk-full':
    case 'folder-unusable':
    case 'job-unknown':
    case 'batch-unknown':
    case 'not-possible-now':
    case 'in-use':
    case 'store-damaged':
    case 'store-copied':
    case 'store-newer':
      return EXIT.someFailed;
  }
}
