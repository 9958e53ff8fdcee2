import type { Job } from '../../contract/job.ts';
import { waitWords } from '../../contract/wait.ts';
import type { Texts } from '../texts/en.ts';
import type { Sizes } from '../../contract/sizes.ts';

/** The text of the column "when" for a job, with or without a time. */
export type When =
  | {
      readonly kind: 'moment';
      readonly at: number;
      readonly words: (when: string) => string;
      readonly estimated: boolean;
      /** The time has passed. */
      readonly past?: true;
      /** How the time was determined; shown on hover. */
      readonly reason?: string;
    }
  | { readonly kind: 'words'; readonly words: string };

/**
 * The next event of a job, or the last one if no more will happen.
 * @param isUnlimited only the computer limits sending, so when it is saved says more than when it is sent
 */
export function whenOf(
  job: Job,
  texts: Texts,
  sizes: Pick<Sizes, 'bytes'>,
  isUnlimited = false,
): When {
  const { when } = texts;
  if (job.wait !== null) {
    const { until, reason } = job.wait;
    if (isUnlimited && (reason === 'turn' || reason === 'render-slot')) {
      const saved = savedMoment(job, when);
      if (saved !== null) return saved;
    }
    const { short } = waitWords(job.wait, texts.waits, (bytes) => sizes.bytes(bytes));
    if (until === null) return { kind: 'words', words: short(null) };
    const moment = { kind: 'moment', at: until, words: short, estimated: false } as const;
    if (reason === 'turn') return { ...moment, reason: when.sendReason };
    if (reason !== 'render-slot') return moment;
    return { ...moment, reason: texts.waits[reason].sentence() };
  }
  switch (job.state) {
    case 'uncertain':
    case 'rejected':
    case 'failed':
    case 'missing':
      return { kind: 'words', words: when.needsYou };
    case 'held':
      return { kind: 'words', words: when.onHold };
    case 'cancelled':
    case 'abandoned':
      return { kind: 'words', words: '' };
    case 'queued':
    case 'reserved':
    case 'sending':
      return { kind: 'words', words: when.reservedNow };
    case 'submitted':
    case 'rendering':
    case 'ready':
    case 'downloading':
    case 'verifying':
      return savedMoment(job, when) ?? { kind: 'words', words: '' };
    case 'done':
      return job.savedAt === null
        ? { kind: 'words', words: '' }
        : { kind: 'moment', at: job.savedAt, words: when.saved, estimated: false, past: true };
  }
}

function savedMoment({ forecast }: Job, when: Texts['when']): When | null {
  const { savedAt } = forecast;
  if (savedAt === null) return null;
  const reason = when.estimateReason;
  return { kind: 'moment', at: savedAt, words: when.saved, estimated: true, reason };
}

/** The time that a state's sentence mentions; `null` if it mentions none. */
export function nextMomentOf(job: Job): { at: number; estimated: boolean } | null {
  switch (job.state) {
    case 'submitted':
    case 'rendering':
    case 'ready':
    case 'downloading':
      return job.forecast.savedAt === null ? null : { at: job.forecast.savedAt, estimated: true };
    case 'queued':
    case 'held':
    case 'reserved':
    case 'sending':
    case 'uncertain':
    case 'verifying':
    case 'done':
    case 'missing':
    case 'rejected':
    case 'failed':
    case 'cancelled':
    case 'abandoned':
      return null;
  }
}
