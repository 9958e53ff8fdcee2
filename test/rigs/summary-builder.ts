import type { Batch, JobCounts } from '../../src/contract/batch.ts';
import { JOB_STATES } from '../../src/contract/job-states.ts';
import type { Limit, Summary } from '../../src/contract/summary.ts';

/** Counts that are 0 except for the given ones. */
export function counts(some: Partial<JobCounts> = {}): JobCounts {
  const none = Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as JobCounts;
  return { ...none, ...some };
}

export function batch(some: Partial<JobCounts>, rest: Partial<Batch> = {}): Batch {
  return {
    id: '1',
    name: 'Launch week',
    folder: '/videos',
    nameTemplate: '{title}.mp4',
    onCollision: 'number',
    addedAt: 0,
    savedBy: null,
    savedBetween: null,
    wait: null,
    results: null,
    ...rest,
    counts: counts(some),
  };
}

const limit: Limit = {
  limit: 10,
  remaining: 10,
  windowSeconds: 3600,
  resetAt: null,
  nextAt: 0,
  othersPerHour: 0,
};

/** A running queue with nothing to do, except for the given properties. */
export function summary(some: Partial<Summary> = {}): Summary {
  return {
    service: { name: 'this computer', origin: 'https://127.0.0.1:20000', isLocal: true },
    others: [],
    key: {
      state: 'accepted',
      origin: 'https://127.0.0.1:20000',
      lastFour: 'abcd',
      keptIn: 'keychain',
      since: null,
      label: null,
      trouble: null,
    },
    flow: { state: 'running' },
    counts: counts(),
    batches: [],
    hasArchived: false,
    limits: { generate: limit, status: limit, download: limit, renders: null },
    quota: {
      plan: 'starter',
      per: 'month',
      limit: 15,
      used: 0,
      held: 0,
      resetAt: 0,
      refused: false,
    },
    renderMs: null,
    balance: null,
    transfers: { active: 0, bytesPerSecond: null, paused: false },
    nextSendAt: null,
    defaultFolder: '/videos',
    ...some,
  };
}
