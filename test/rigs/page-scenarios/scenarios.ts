import type { JobCounts } from '../../../src/contract/batch.ts';
import { JOB_STATES, type JobState } from '../../../src/contract/job-states.ts';
import type { Balance, CostEstimate } from '../../../src/contract/service-cost.ts';
import type { Flow } from '../../../src/contract/summary.ts';
import { userMessage, joinMessages } from '../../../src/contract/user-message.ts';
import type { FakeScene } from '../fake-client.ts';

const times = (count: number, state: JobState): JobState[] =>
  Array.from({ length: count }, () => state);

function countsOf(some: Partial<JobCounts>): JobCounts {
  const none = Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as JobCounts;
  return { ...none, ...some };
}

const running: JobState[] = [
  ...times(5, 'done'),
  'uncertain',
  'verifying',
  'downloading',
  'downloading',
  'ready',
  ...times(4, 'rendering'),
  'failed',
  'submitted',
  'sending',
  'reserved',
  ...times(6, 'queued'),
  'held',
  'held',
  'rejected',
  'missing',
  'cancelled',
  'abandoned',
  ...times(88, 'queued'),
];

/**
 * When every scenario begins: in the middle of a day, a week and a month, so that results do not
 * depend on when and where tests run.
 */
export const BEGINS_AT = Date.UTC(2026, 2, 18, 10);

export type ScenarioName =
  | 'empty'
  | 'first'
  | 'first-broken'
  | 'first-bare'
  | 'first-untrusted'
  | 'first-untested'
  | 'running'
  | 'several-services'
  | 'no-quota'
  | 'nothing-left'
  | 'daily-cap'
  | 'limits-together'
  | 'few-at-a-time'
  | 'balance'
  | 'low-balance'
  | 'other-balance'
  | 'untrusted'
  | 'paused'
  | 'paused-key'
  | 'key'
  | 'keychain'
  | 'quota'
  | 'unreachable'
  | 'unopened'
  | 'elsewhere'
  | 'here'
  | 'this-computer'
  | 'on-battery'
  | 'practice'
  | 'refused'
  | 'finished'
  | 'shelf'
  | 'two-batches'
  | 'rows'
  | 'many'
  | 'many-rows';

const credits = (amount: number): CostEstimate => ({
  unit: 'credit',
  currency: null,
  amount,
  unknown: 0,
});

const creditsLeft = (amount: number): Balance => ({
  amount,
  unit: 'credit',
  currency: null,
  readAt: BEGINS_AT - 150_000,
});

const noKeychain = joinMessages(
  userMessage('keychain-unusable-because', { cause: 'No provider of secrets is running' }),
  userMessage('key-in-memory'),
  userMessage('install-keyring'),
);

const untrusted: Flow = {
  state: 'blocked',
  failure: {
    code: 'service-unreachable',
    ...userMessage('certificate-wrong', {
      host: 'video.example.com',
      cause: 'SELF_SIGNED_CERT_IN_CHAIN',
    }),
    untrusted: true,
  },
};

/** What a user may find when the window opens, by name. */
export const SCENARIOS: Record<ScenarioName, FakeScene> = {
  empty: { states: [], quotaUsed: 0 },
  first: {
    states: [],
    quotaUsed: 0,
    key: 'absent',
    firstRun: { sample: true },
    settings: { service: { kind: 'local', practice: null } },
  },
  'first-broken': {
    states: [],
    quotaUsed: 0,
    key: 'absent',
    keychainTrouble: noKeychain,
    firstRun: {
      sample: true,
      failure: {
        code: 'service-unreachable',
        ...userMessage('here-not-started'),
        detail: 'listen EACCES: permission denied 127.0.0.1:8443',
      },
    },
  },
  'first-untrusted': {
    states: [],
    quotaUsed: 0,
    key: 'absent',
    firstRun: { sample: true },
    keyUnanswered: true,
    flow: untrusted,
  },
  'first-untested': {
    states: [],
    quotaUsed: 0,
    key: 'absent',
    keyUnanswered: true,
    firstRun: { sample: true },
  },
  'first-bare': { states: [], quotaUsed: 0, firstRun: { sample: false } },
  running: { states: running },
  'several-services': {
    states: running,
    others: [
      {
        name: 'api.dev.runwayml.com',
        origin: 'https://api.dev.runwayml.com',
        isLocal: false,
        counts: countsOf({ queued: 31, rendering: 3, done: 116, uncertain: 1 }),
        batches: [],
        flow: { state: 'running' },
      },
      {
        name: 'this computer',
        origin: 'https://127.0.0.1:24680',
        isLocal: true,
        counts: countsOf({ queued: 4, done: 12 }),
        batches: [],
        flow: { state: 'paused', what: 'sending', failure: null },
      },
      {
        name: 'api.creatomate.com',
        origin: 'https://api.creatomate.com',
        isLocal: false,
        counts: countsOf({ done: 8 }),
        batches: [],
        flow: null,
      },
    ],
  },
  'no-quota': { states: running, quota: 'none' },
  'nothing-left': {
    states: running,
    quota: 'none',
    flow: {
      state: 'blocked',
      failure: {
        code: 'nothing-left',
        ...userMessage('nothing-left'),
        retryAt: BEGINS_AT + 90_000,
      },
    },
  },
  'daily-cap': { states: running, quota: 'daily' },
  // At the same moment as the limit of requests.
  'limits-together': { states: running, quota: 'daily', quotaResetsIn: 21 * 60_000 },
  // A table of two videos costs 240 credits.
  balance: { states: running, quota: 'none', cost: credits(240), balance: creditsLeft(500) },
  'low-balance': { states: running, quota: 'none', cost: credits(240), balance: creditsLeft(180) },
  'other-balance': {
    states: running,
    quota: 'none',
    cost: { unit: 'second', currency: null, amount: 10, unknown: 0 },
    balance: { amount: 8.07, unit: 'money', currency: 'USD', readAt: BEGINS_AT - 150_000 },
  },
  'few-at-a-time': { states: running, renders: { limit: 5, underWay: 3 }, othersPerHour: 3 },
  untrusted: { states: running, flow: untrusted },
  paused: { states: running, flow: { state: 'paused', what: 'sending', failure: null } },
  'paused-key': {
    states: running,
    key: 'refused',
    flow: {
      state: 'paused',
      what: 'sending',
      failure: { code: 'key-refused', ...userMessage('key-refused-enter') },
    },
  },
  key: {
    states: running,
    key: 'refused',
    flow: {
      state: 'blocked',
      failure: { code: 'key-refused', ...userMessage('key-refused-enter') },
    },
  },
  keychain: {
    states: running,
    keychainTrouble: noKeychain,
  },
  quota: {
    states: running,
    quotaUsed: 150,
    flow: {
      state: 'blocked',
      failure: {
        code: 'quota-used-up',
        ...userMessage('quota-refused'),
        retryAt: BEGINS_AT + 10 * 24 * 3_600_000,
      },
    },
  },
  unreachable: {
    states: running,
    flow: {
      state: 'blocked',
      failure: {
        code: 'service-unreachable',
        ...userMessage('connection-too-slow', { host: 'video.example.com' }),
        retryAt: BEGINS_AT + 90_000,
      },
    },
  },
  unopened: {
    states: running,
    settings: { service: { kind: 'local', practice: null } },
    flow: {
      state: 'blocked',
      failure: { code: 'service-unreachable', ...userMessage('here-not-started') },
    },
  },
  elsewhere: { states: running, worker: { kind: 'elsewhere', pid: 4711, answers: true } },
  here: { states: times(6, 'done'), settings: { service: { kind: 'local', practice: null } } },
  'this-computer': {
    states: [
      ...times(5, 'done'),
      ...times(2, 'rendering'),
      ...times(2, 'submitted'),
      'failed',
      'held',
      ...times(29, 'queued'),
    ],
    settings: { service: { kind: 'local', practice: null } },
    renders: { limit: 4, underWay: 4 },
    renderMs: 4200,
  },
  'on-battery': {
    states: [...times(5, 'done'), 'rendering', ...times(8, 'queued')],
    settings: { service: { kind: 'local', practice: null }, lessPower: 'on-battery' },
    isOnBattery: true,
    renders: { limit: 2, underWay: 1 },
    renderMs: 4200,
  },
  practice: {
    states: [...times(5, 'done'), ...times(4, 'rendering'), ...times(31, 'queued')],
    settings: { service: { kind: 'local', practice: 'starter' } },
    quotaUsed: 9,
  },
  refused: { states: [...times(3, 'done'), 'rejected', 'held'] },
  finished: { states: times(6, 'done') },
  shelf: {
    states: [...times(5, 'done'), 'missing', ...times(9, 'done')],
    abilities: {
      open: true,
      show: true,
      chooseFolder: true,
      chooseFile: true,
      dragOut: true,
      notify: true,
      update: true,
      takeFiles: true,
      trash: true,
    },
  },
  // The rows of the two take turns.
  'two-batches': {
    states: [
      ...Array.from({ length: 6 }, (): JobState[] => ['done', 'rendering'])
        .flat()
        .slice(0, 8),
      ...Array.from({ length: 2 }, (): JobState[] => ['done', 'queued']).flat(),
    ],
    batches: ['Teasers', 'Launch week'],
  },
  rows: {
    states: [
      ...(['rendering', 'downloading', 'queued'] as const),
      ...times(3, 'done'),
      ...(['done', 'failed', 'done'] as const),
      ...times(3, 'rendering'),
      ...times(15, 'queued'),
    ],
    variants: ['16:9', '9:16', '1:1'],
  },
  many: { states: [...running, ...times(99_881, 'queued')], batches: ['Launch week', 'Archive'] },
  'many-rows': {
    states: times(99_999, 'queued'),
    variants: ['16:9', '9:16', '1:1'],
    quota: 'none',
  },
};
