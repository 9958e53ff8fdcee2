// The table of what every outcome of a request means. A new kind of outcome does not compile here
// until it has its row.
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../../../src/contract/failure.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { effectsOf } from '../../../../src/engine/flow/effects-of.ts';
import type { Answer, Effects } from '../../../../src/engine/flow/effects.ts';
import type {
  BalanceOutcome,
  CancelOutcome,
  GenerateOutcome,
  HttpResponse,
  KeyCheckOutcome,
  LinkOutcome,
  ListOutcome,
  RemoteStatus,
  StatusOutcome,
} from '../../../../src/engine/service/outcomes.ts';

const AT = 1_000_000;
const response: HttpResponse = { status: 200, headers: {}, body: '{}', sentAt: AT, receivedAt: AT };
const failure: Failure = { code: 'service-refused', ...userMessage('nothing-left') };
const free = { ...failure, refusal: { when: 'after-render', paid: 'no' } } as const;
const paid = { ...failure, refusal: { when: 'before-render', paid: 'unknown' } } as const;
const link = { url: 'https://files.example/v.mp4', expiresAt: null };

/** The columns of the table; an effect that a row does not name is none. */
interface Row {
  /** Names of moves; `change`: the state stays; with the wait of a download after a colon. */
  readonly moves?: string;
  readonly ledger?: Effects['ledger'];
  readonly quota?: Effects['quota'];
  readonly balance?: Effects['balance'];
  readonly limits: Effects['limits'];
  readonly renders?: Effects['renders'];
  readonly breaker?: 'clear' | 'unknown' | 'refused';
  readonly key?: Effects['key'];
  readonly outage?: 'ended' | 'failed';
  readonly endpoint?: 'usable' | 'failed';
  readonly nextPoll?: string;
  /** Whether the response is kept with the job. */
  readonly kept?: boolean;
}

function rowOf(effects: Effects): Row {
  const { moves, nextPoll: next, outage, endpoint, breaker, storesResponse, ...rest } = effects;
  const named = moves.map(({ name, wait }) => [name ?? 'change', wait?.kind].filter(Boolean));
  const poll = next === null || next === 'in-turn' ? next : [next.wait, next.ms].filter(Boolean);
  return withoutNone({
    ...rest,
    moves: named.map((each) => each.join(':')).join(', '),
    breaker: breaker?.kind,
    outage: typeof outage === 'object' && outage !== null ? 'failed' : outage,
    endpoint: typeof endpoint === 'object' && endpoint !== null ? 'failed' : endpoint,
    nextPoll: Array.isArray(poll) ? poll.join(' ') : poll,
    kept: storesResponse,
  });
}

function withoutNone(row: object): Row {
  const named = Object.entries(row).filter(([, effect]) => Boolean(effect));
  return Object.fromEntries(named) as unknown as Row;
}

type Outcomes<Outcome extends { kind: string }> = {
  readonly [Kind in Outcome['kind']]: Outcome & { readonly kind: Kind };
};

const trouble = {
  'rate-limited': { kind: 'rate-limited', response },
  'key-refused': { kind: 'key-refused', failure, response },
  'not-found': { kind: 'not-found', failure, response },
  expired: { kind: 'expired', failure, response },
  'server-error': { kind: 'server-error', failure, response },
  unusable: { kind: 'unusable', failure, response },
  unreachable: { kind: 'unreachable', failure, response: null },
} as const;

const generate: Outcomes<GenerateOutcome> = {
  accepted: { kind: 'accepted', remoteId: 'v1', response },
  'not-sent': { kind: 'not-sent', failure },
  'rate-limited': { kind: 'rate-limited', response },
  'key-refused': { kind: 'key-refused', failure, response },
  'quota-used-up': { kind: 'quota-used-up', failure, response },
  rejected: { kind: 'rejected', about: 'video', failure, response },
  'server-error': { kind: 'server-error', failure, response },
  unknown: { kind: 'unknown', failure, response: null },
};

const reported = (state: RemoteStatus['state']): StatusOutcome & { kind: 'status' } => ({
  kind: 'status',
  status: { state, word: 'word', progress: 0.5, error: null },
  response,
});

const statuses: Outcomes<StatusOutcome> = {
  ...trouble,
  status: reported('working'),
  refused: { kind: 'refused', failure, response },
};

const links: Outcomes<LinkOutcome> = {
  ...trouble,
  link: { kind: 'link', link, response },
  'not-ready': { kind: 'not-ready', response },
  'no-link': { kind: 'no-link', failure, response },
  refused: { kind: 'refused', failure, response },
};

const NOT_LEFT = { limits: 'not-counted', outage: 'failed' } as const;
const WORKS = { limits: 'answered', key: 'accepted', outage: 'ended' } as const;
const ENDPOINT_WORKS = { ...WORKS, endpoint: 'usable' } as const;
const ENDPOINT_FAILS = { limits: 'answered', outage: 'ended', endpoint: 'failed' } as const;
const KEY_REFUSED = { limits: 'answered', key: 'refused', outage: 'ended' } as const;
const REQUEUED = { moves: 'requeue', ledger: 'release' } as const;
const UNCERTAIN = { moves: 'markUncertain', breaker: 'unknown' } as const;

describe('a request for a video', () => {
  const submit = (outcome: GenerateOutcome, isAboutRenders = false): Answer => ({
    to: 'submit',
    outcome,
    isAboutRenders,
    quotaPer: 'month',
    at: AT,
  });

  const table: Readonly<Record<GenerateOutcome['kind'], Row>> = {
    accepted: {
      ...WORKS,
      moves: 'accept',
      ledger: 'charge',
      quota: 'accepted',
      balance: 'spent',
      renders: 'accepted',
      breaker: 'clear',
      kept: true,
    },
    'not-sent': { ...REQUEUED, ...NOT_LEFT },
    'rate-limited': { ...WORKS, ...REQUEUED, breaker: 'clear', kept: true },
    'key-refused': { ...KEY_REFUSED, ...REQUEUED, kept: true },
    'quota-used-up': {
      ...WORKS,
      ...REQUEUED,
      limits: 'answered-elsewhere',
      quota: 'refused',
      balance: 'outdated',
      breaker: 'clear',
      kept: true,
    },
    rejected: { ...WORKS, moves: 'reject', ledger: 'release', breaker: 'clear', kept: true },
    'server-error': { limits: 'answered', ...UNCERTAIN, kept: true },
    unknown: { limits: 'counted', ...UNCERTAIN },
  };

  test.each(Object.entries(table))('%s', (kind, row) => {
    expect(rowOf(effectsOf(submit(generate[kind as GenerateOutcome['kind']])))).toEqual(row);
  });

  test.each<[string, GenerateOutcome, boolean, Row]>([
    [
      'a 429 about running renders says nothing about the limit of requests',
      generate['rate-limited'],
      true,
      { ...table['rate-limited'], limits: 'answered-elsewhere', renders: 'refused' },
    ],
    [
      'a refusal of every request proves no key',
      { ...generate.rejected, about: 'service' },
      false,
      {
        limits: 'answered',
        outage: 'ended',
        moves: 'reject',
        ledger: 'release',
        breaker: 'refused',
        kept: true,
      },
    ],
    [
      'a refusal that may cost is charged',
      { ...generate.rejected, failure: paid },
      false,
      { ...table.rejected, ledger: 'charge', balance: 'spent' },
    ],
    [
      'an unknown outcome with a response',
      { ...generate.unknown, response },
      false,
      { ...table['server-error'] },
    ],
  ])('%s', (_name, outcome, isAboutRenders, row) => {
    expect(rowOf(effectsOf(submit(outcome, isAboutRenders)))).toEqual(row);
  });

  test('an accepted video has its identifier, price and warnings', () => {
    const cost = { amount: 2, unit: 'money', currency: 'EUR' } as const;
    const warned: GenerateOutcome = { ...generate.accepted, warnings: 'Too long', cost };
    const [move] = effectsOf(submit(warned)).moves;
    const notice = userMessage('accepted-with-warnings', { text: 'Too long' });
    const change = { remoteId: 'v1', submittedAt: AT, failure: null, notice, cost };
    expect(move).toEqual({ name: 'accept', change, note: notice });
  });

  test.each([
    ['month', failure],
    ['day', userMessage('daily-quota-refused')],
    [null, userMessage('nothing-left')],
  ] as const)('a refusal because nothing is left is noted by its quota: %s', (quotaPer, note) => {
    const outcome = generate['quota-used-up'];
    const answer: Answer = { to: 'submit', outcome, isAboutRenders: false, quotaPer, at: AT };
    expect(effectsOf(answer).moves).toEqual([{ name: 'requeue', note }]);
  });

  test.each(Object.entries(generate))('%s to a repeated request moves nothing', (kind, outcome) => {
    const answer: Answer = { to: 'repeat', outcome, isAboutRenders: false };
    const {
      moves: _moves,
      ledger: _ledger,
      quota: _quota,
      ...service
    } = table[kind as GenerateOutcome['kind']];
    const { balance: _balance, renders: _renders, breaker: _breaker, ...expected } = service;
    expect(rowOf(effectsOf(answer))).toEqual(expected);
  });
});

describe('the status of a video', () => {
  const ask = (outcome: StatusOutcome, some: Partial<Answer & { to: 'status' }> = {}): Row => {
    const job = { state: 'submitted', readyAt: null } as const;
    const usual = { to: 'status', isAborted: false, isGivenUp: false, job, at: AT } as const;
    return rowOf(effectsOf({ ...usual, outcome, ...some }));
  };

  const table: Readonly<Record<StatusOutcome['kind'], Row>> = {
    status: { ...ENDPOINT_WORKS, moves: 'render', nextPoll: 'in-turn', kept: true },
    refused: { ...ENDPOINT_WORKS, moves: 'refuse', kept: true },
    'not-found': { ...ENDPOINT_WORKS, nextPoll: 'not-found', kept: true },
    expired: { ...ENDPOINT_WORKS, nextPoll: 'not-found 600000', kept: true },
    'server-error': { ...ENDPOINT_FAILS, nextPoll: 'service-error', kept: true },
    unusable: { ...ENDPOINT_FAILS, nextPoll: 'service-error', kept: true },
    'rate-limited': WORKS,
    'key-refused': KEY_REFUSED,
    unreachable: NOT_LEFT,
  };

  test.each(Object.entries(table))('%s', (kind, row) => {
    expect(ask(statuses[kind as StatusOutcome['kind']])).toEqual(row);
  });

  const states: readonly (readonly [RemoteStatus['state'], Row])[] = [
    ['queued', { ...table.status, moves: 'change' }],
    ['working', table.status],
    ['done', { ...table.status, moves: 'finish' }],
    ['failed', { ...table.status, moves: 'renderFailed', ledger: 'refund' }],
    ['rejected', { ...table.status, moves: 'renderFailed', ledger: 'refund' }],
    ['cancelled', { ...table.status, moves: 'renderFailed', ledger: 'refund' }],
    [null, { ...table.status, moves: 'change', nextPoll: 'status-unknown' }],
  ];

  test.each(states)('%s', (state, row) => {
    expect(ask(reported(state))).toEqual(row);
  });

  test('of a video that is rendering changes its progress only', () => {
    const job = { state: 'rendering', readyAt: null } as const;
    expect(ask(reported('working'), { job })).toEqual({ ...table.status, moves: 'change' });
  });

  test('done, and its file was deleted', () => {
    const outcome = reported('done');
    const removed = { ...outcome, status: { ...outcome.status, isRemoved: true } } as const;
    expect(ask(removed)).toEqual({ ...table.status, moves: 'renderFailed' });
  });

  test.each(['not-found', 'expired'] as const)('%s for long enough is lost', (kind) => {
    const row = { ...ENDPOINT_WORKS, moves: 'renderFailed', kept: true };
    expect(ask(statuses[kind], { isGivenUp: true })).toEqual(row);
  });

  test('an unknown word for long enough is left to the user', () => {
    const row = { ...ENDPOINT_WORKS, moves: 'renderFailed', kept: true };
    expect(ask(reported(null), { isGivenUp: true })).toEqual(row);
  });

  test('a free refusal returns the unit', () => {
    const refused = { kind: 'refused', failure: free, response } as const;
    expect(ask(refused)).toEqual({ ...table.refused, ledger: 'refund' });
  });

  test.each(Object.entries(statuses))('%s of an abandoned job changes no job', (kind, outcome) => {
    const { limits, key, outage, endpoint } = table[kind as StatusOutcome['kind']];
    const row = withoutNone({ limits, key, outage, endpoint });
    expect(ask(outcome, { job: null })).toEqual(row);
  });
});

describe('a link', () => {
  const ask = (outcome: LinkOutcome, some: Partial<Answer & { to: 'link' }> = {}): Row => {
    const usual = { to: 'link', isAborted: false, isGivenUp: false, isForJob: true } as const;
    return rowOf(effectsOf({ ...usual, outcome, ...some }));
  };

  const table: Readonly<Record<LinkOutcome['kind'], Row>> = {
    link: ENDPOINT_WORKS,
    'not-ready': { ...ENDPOINT_WORKS, moves: 'notReady:not-ready', kept: true },
    'no-link': { ...ENDPOINT_FAILS, moves: 'change:service-error', kept: true },
    'not-found': { ...ENDPOINT_WORKS, moves: 'notReady:not-found', kept: true },
    expired: { ...ENDPOINT_WORKS, moves: 'notReady:not-found', kept: true },
    refused: { ...ENDPOINT_WORKS, moves: 'notReady, refuse', kept: true },
    'server-error': { ...ENDPOINT_FAILS, moves: 'change:service-error', kept: true },
    unusable: { ...ENDPOINT_FAILS, moves: 'change:service-error', kept: true },
    'rate-limited': WORKS,
    'key-refused': KEY_REFUSED,
    unreachable: NOT_LEFT,
  };

  test.each(Object.entries(table))('%s', (kind, row) => {
    expect(ask(links[kind as LinkOutcome['kind']])).toEqual(row);
  });

  test.each(['not-ready', 'no-link', 'not-found', 'expired'] as const)(
    '%s for long enough ends the download',
    (kind) => {
      const row = { ...table[kind], moves: 'downloadFailed' };
      expect(ask(links[kind], { isGivenUp: true })).toEqual(row);
    },
  );

  test.each(Object.entries(links))('%s to a running transfer moves nothing', (kind, outcome) => {
    const { moves: _moves, kept: _kept, ...service } = table[kind as LinkOutcome['kind']];
    expect(ask(outcome, { isForJob: false })).toEqual(service);
  });

  test('a request that the engine aborted says nothing', () => {
    const isAborted = true;
    expect(ask(links.unreachable, { isAborted })).toEqual({ limits: 'not-counted' });
    const lost = { kind: 'unusable', failure, response: null } as const;
    expect(ask(lost, { isAborted })).toEqual({ limits: 'counted' });
    const failed = { limits: 'counted', endpoint: 'failed', moves: 'change:service-error' };
    expect(ask(lost)).toEqual(failed);
  });
});

describe('requests about no job', () => {
  const lists: Outcomes<ListOutcome> = {
    ...trouble,
    page: { kind: 'page', videos: [], cursor: null, response },
  };
  const keys: Outcomes<KeyCheckOutcome> = {
    accepted: { kind: 'accepted', response },
    'key-refused': trouble['key-refused'],
    unusable: trouble.unusable,
    unreachable: trouble.unreachable,
  };
  const cancels: Outcomes<CancelOutcome> = {
    ...trouble,
    cancelled: { kind: 'cancelled', response },
    finished: { kind: 'finished', response },
    refused: { kind: 'refused', failure, response },
  };
  const balances: Outcomes<BalanceOutcome> = {
    ...trouble,
    balance: { kind: 'balance', amount: 1, response },
  };

  const listTable: Readonly<Record<ListOutcome['kind'], Row>> = {
    page: WORKS,
    'not-found': WORKS,
    expired: WORKS,
    'rate-limited': WORKS,
    'key-refused': KEY_REFUSED,
    'server-error': { limits: 'answered' },
    unusable: { limits: 'answered' },
    unreachable: NOT_LEFT,
  };

  test.each(Object.entries(listTable))('a page of the list: %s', (kind, row) => {
    const outcome = lists[kind as ListOutcome['kind']];
    expect(rowOf(effectsOf({ to: 'other', outcome, isAborted: false }))).toEqual(row);
  });

  const keyTable: Readonly<Record<KeyCheckOutcome['kind'], Row>> = {
    accepted: WORKS,
    'key-refused': KEY_REFUSED,
    unusable: { limits: 'answered', outage: 'failed' },
    unreachable: NOT_LEFT,
  };

  test.each(Object.entries(keyTable))('a test of a key: %s', (kind, row) => {
    const outcome = keys[kind as KeyCheckOutcome['kind']];
    const answer = { to: 'key', outcome, isAborted: false } as const;
    expect(rowOf(effectsOf({ ...answer, isInUse: true }))).toEqual(row);
    const { key: _key, ...ofEntered } = row;
    expect(rowOf(effectsOf({ ...answer, isInUse: false }))).toEqual(ofEntered);
  });

  test.each(Object.entries(cancels))('a cancellation: %s', (kind, outcome) => {
    const row = kind === 'unreachable' ? NOT_LEFT : { limits: 'counted' };
    expect(rowOf(effectsOf({ to: 'cancel', outcome, isAborted: false }))).toEqual(row);
  });

  test.each(Object.entries(balances))('a balance: %s', (kind, outcome) => {
    const row = { limits: kind === 'unreachable' ? 'not-counted' : 'counted' };
    expect(rowOf(effectsOf({ to: 'balance', outcome }))).toEqual(row);
  });
});
