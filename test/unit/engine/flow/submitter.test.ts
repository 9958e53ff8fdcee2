import { DOCUMENTED_API, type ServiceApi } from '../../../../src/contract/service-profile.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { userMessage } from '../../../../src/contract/user-message.ts';
import { DiskFullError, FolderLostError } from '../../../../src/engine/engine-error.ts';
import { ApiKey } from '../../../../src/engine/flow/api-key.ts';
import { ConcurrentRenders } from '../../../../src/engine/flow/concurrent-renders.ts';
import { RenderTimeTracker } from '../../../../src/engine/flow/render-time-tracker.ts';
import { limitsOf } from '../../../../src/engine/pacing/service-limits.ts';
import { Submitter } from '../../../../src/engine/flow/submitter.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { flowContextOn } from '../../../rigs/flow-context.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { KeyNotes } from '../../../../src/engine/keys/key-notes.ts';
import { MemoryKeyStore } from '../../../../src/engine/keys/key-store.ts';
import type { HttpResponse, GenerateOutcome } from '../../../../src/engine/service/outcomes.ts';
import { FakeService, offline } from '../../../rigs/fake-service.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const ORIGIN = 'https://service.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Far from the quota’s reset on the first, where it does not matter which clock is right. */
const MID_MONTH = Date.UTC(2026, 0, 15, 9);
const failureOf = (code: 'service-refused' | 'outcome-unknown' | 'service-unreachable') => ({
  code,
  ...userMessage('verbatim', { text: 'As the test says.' }),
});

interface Options {
  readonly titles?: readonly string[];
  readonly startAt?: number;
  readonly limit?: number;
  /** Limits that differ from the documented ones. */
  readonly limits?: Partial<ServiceApi['limits']>;
  /** What else differs from the documented API. */
  readonly api?: Partial<ServiceApi>;
}

/** A submitter with its collaborators, and a service in memory. */
async function setUp({
  titles = ['One'],
  startAt = MID_MONTH,
  limit = 50,
  limits: some = {},
  api = {},
}: Options = {}) {
  const clock = new VirtualClock(startAt);
  const service = new FakeService(clock);
  const connect = service.connect.bind(service);
  const store = await openStore({
    folder: temporaryFolder(),
    origin: ORIGIN,
    now: startAt,
  });
  const keys = new MemoryKeyStore();
  await keys.set(ORIGIN, 'svc_live_0123456789');
  const key = await ApiKey.open(keys, new KeyNotes(temporaryFolder()), ORIGIN);
  const lock = { assertOurs: (): void => undefined };
  const ids = store.jobs.insert(
    addBatch(store, { addedAt: startAt }).id,
    titles.map((title, occurrence) => aRow(title, { occurrence })),
    startAt,
  );

  const seen = {
    connections: 0,
    open: 0,
    /** Monotonic times, in ms, at which the service was asked for its time. */
    timeAsked: [] as number[],
    /** Runs while a connection is being opened. */
    whileConnecting: (): unknown => undefined,
    giveUpSignals: [] as (AbortSignal | undefined)[],
    idempotencyKeys: [] as (string | undefined)[],
  };
  const context = flowContextOn(store, clock, {
    key,
    lock,
    service,
    plan: { name: 'custom', limit, anchor: Date.UTC(2025, 0, 1) },
    api: { ...DOCUMENTED_API, ...api, limits: { ...DOCUMENTED_API.limits, ...some } },
  });
  const { wakeSignal, outage, circuitBreaker, limits, renders, quota, balance, flow } = context;
  service.connect = async () => {
    seen.connections += 1;
    await seen.whileConnecting();
    const outcome = await connect();
    if (outcome.kind !== 'connected') return outcome;
    seen.open += 1;
    const { connection: opened } = outcome;
    const connection = {
      generate: (body: string, signal?: AbortSignal, idempotencyKey?: string) => {
        seen.giveUpSignals.push(signal);
        seen.idempotencyKeys.push(idempotencyKey);
        return opened.generate(body, signal);
      },
      close: () => void (seen.open -= 1),
    };
    return { kind: 'connected', connection };
  };
  const submitter = new Submitter(context, () => {
    seen.timeAsked.push(clock.monotonic());
    return Promise.resolve();
  });
  let stop = new AbortController();
  const giveUp = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  const rig = {
    clock,
    service,
    store,
    key,
    wakeSignal,
    outage,
    circuitBreaker,
    limits,
    renders,
    quota,
    balance,
    lock,
    flow,
    ids,
    seen,
    giveUp,
    /** Starts, or restarts after a defect. Resolves with the defect that ends it. */
    run(): Promise<unknown> {
      stop = new AbortController();
      ended = submitter.run(stop.signal, giveUp.signal).catch((error: unknown) => error);
      return ended;
    },
    stop: () => stop.abort(),
    states: () => ids.map((id) => store.jobs.get(id).state),
    spent: () => store.ledger.spent(0, Infinity),
    attempts: () =>
      store.transactions
        .all('SELECT job_id, outcome FROM attempt ORDER BY id')
        .map(({ job_id: job, outcome }) => [ids.indexOf(Number(job)), outcome]),
    /** Charges in the rate window of `generate`. */
    slotsTaken: () => limits.generate.windows[0].window.state.charges.length,
  };
  onTestFinished(async () => {
    stop.abort();
    giveUp.abort();
    const end = { isOver: false };
    void ended.then(() => (end.isOver = true));
    while (!end.isOver) await clock.advance(1000);
    await store.close();
  });
  return rig;
}

describe('a request', () => {
  test('is sent for each row in order, and its video, charge and answer are stored', async () => {
    const rig = await setUp({ titles: ['One', 'Two'] });
    void rig.run();
    await rig.clock.advance(1000);

    expect(rig.service.asked).toEqual(['{"title":"One"}', '{"title":"Two"}']);
    expect(rig.states()).toEqual(['submitted', 'submitted']);
    expect(rig.store.jobs.get(rig.ids[0]!)).toMatchObject({
      remoteId: 'video-1',
      submittedAt: MID_MONTH + 100,
      failure: null,
    });
    expect(rig.spent()).toEqual({ charged: 2, held: 0 });
    expect(rig.attempts()).toEqual([
      [0, 'accepted'],
      [1, 'accepted'],
    ]);
    expect(rig.store.jobs.lastResponse(rig.ids[0]!)).toContain('200');
    expect(rig.slotsTaken()).toBe(2);
    expect(rig.key.status.state).toBe('accepted');
    expect(rig.seen.open).toBe(0);
  });

  test('is on disk, with its slot and its unit of quota, before it is sent', async () => {
    const rig = await setUp();
    const before: unknown[] = [];
    rig.service.nextGenerate.push({ kind: 'not-sent', failure: failureOf('service-unreachable') });
    const { asked } = rig.service;
    const push = asked.push.bind(asked);
    asked.push = (body) => {
      before.push(rig.states(), rig.spent(), rig.attempts(), rig.slotsTaken());
      before.push(rig.store.journal.read().map(({ job }) => rig.ids.indexOf(job)));
      return push(body);
    };
    void rig.run();
    await rig.clock.advance(200);
    expect(before).toEqual([['sending'], { charged: 0, held: 1 }, [[0, null]], 1, [0]]);
  });

  test('has one identifier of ours, in its body and on disk', async () => {
    const once = { ...DOCUMENTED_API.once, idField: 'reference', idempotencyHeader: 'x-once' };
    const rig = await setUp({ api: { once } });
    void rig.run();
    await rig.clock.advance(1000);
    const [body = ''] = rig.service.asked;
    const { reference: ownId } = JSON.parse(body) as { reference: unknown };
    expect(ownId).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(rig.seen.idempotencyKeys).toEqual([ownId]);
    const mark = { ownId, header: 'x-once', idField: 'reference' };
    expect(rig.store.journal.read()).toMatchObject([{ job: rig.ids[0], mark }]);
    const [attempt] = rig.store.transactions.all('SELECT mark FROM attempt');
    expect(JSON.parse(String(attempt?.mark))).toMatchObject(mark);
  });

  test('leaves no attempt while there is no connection', async () => {
    const rig = await setUp();
    rig.service.trouble = offline;
    void rig.run();
    await rig.clock.advance(10 * MINUTE);

    expect(rig.states()).toEqual(['queued']);
    expect(rig.attempts()).toEqual([]);
    expect(rig.outage.failure).toMatchObject({ code: 'service-unreachable' });
    // Less and less often, down to once a minute.
    expect(rig.seen.connections).toBeGreaterThan(10);
    expect(rig.seen.connections).toBeLessThan(25);

    rig.service.trouble = null;
    await rig.clock.advance(MINUTE);
    expect(rig.states()).toEqual(['submitted']);
    expect(rig.outage.failure).toBeNull();
  });

  test('is for the row that is first when the connection opens', async () => {
    const rig = await setUp({ titles: ['One', 'Two'] });
    rig.seen.whileConnecting = () => {
      rig.seen.whileConnecting = () => rig.clock.sleep(HOUR);
      rig.store.jobs.move(rig.ids[0]!, 'hold', rig.clock.now());
    };
    void rig.run();
    await rig.clock.advance(1000);
    expect(rig.service.asked).toEqual(['{"title":"Two"}']);
  });

  test.each(['paused', 'stopped'])(
    'is not sent when Spool is %s while connecting',
    async (what) => {
      const rig = await setUp();
      rig.seen.whileConnecting = () => (what === 'paused' ? rig.flow.pause('sending') : rig.stop());
      const ended = rig.run();
      await rig.clock.advance(HOUR);
      rig.stop();
      expect(await ended).toBeUndefined();
      expect(rig.service.asked).toEqual([]);
      expect(rig.states()).toEqual(['queued']);
      expect(rig.seen).toMatchObject({ connections: 1, open: 0 });
    },
  );

  test('that cannot connect because Spool is stopped starts no outage', async () => {
    const rig = await setUp();
    rig.service.trouble = offline;
    rig.seen.whileConnecting = rig.stop;
    await Promise.all([rig.run(), rig.clock.advance(1000)]);
    expect(rig.outage.failure).toBeNull();
  });

  test('in flight when Spool is stopped is awaited', async () => {
    const rig = await setUp();
    const ended = rig.run();
    await rig.clock.advance(50);
    expect(rig.states()).toEqual(['sending']);
    rig.stop();
    await rig.clock.advance(100);
    expect(await ended).toBeUndefined();
    expect(rig.states()).toEqual(['submitted']);
    expect(rig.seen.giveUpSignals).toEqual([rig.giveUp.signal]);
  });

  test('waits when the limit is used up, and no longer than the limit requires', async () => {
    const rig = await setUp({ titles: Array.from({ length: 12 }, (_, n) => String(n)) });
    void rig.run();
    await rig.clock.advance(50 * MINUTE);
    expect(rig.service.asked).toHaveLength(10);
    await rig.clock.advance(11 * MINUTE);
    expect(rig.service.asked).toHaveLength(12);
  });

  test('follows at once when a row is released', async () => {
    const rig = await setUp({ titles: ['One', 'Two'] });
    rig.store.jobs.move(rig.ids[1]!, 'hold', rig.clock.now());
    void rig.run();
    await rig.clock.advance(1000);
    expect(rig.service.asked).toHaveLength(1);
    rig.store.jobs.move(rig.ids[1]!, 'release', rig.clock.now());
    rig.wakeSignal.notify();
    await rig.clock.advance(200);
    expect(rig.service.asked).toHaveLength(2);
  });

  test('is sent within half a minute without a wake signal, as after sleep', async () => {
    const rig = await setUp();
    rig.flow.pause('sending');
    void rig.run();
    await rig.clock.advance(HOUR);
    rig.flow.resume();
    await rig.clock.advance(30_000 + 200);
    expect(rig.service.asked).toHaveLength(1);
  });
});

describe('an outcome', () => {
  const SLOT = 1;
  const answered = (rig: { service: FakeService }, status: number) => rig.service.response(status);
  type Rig = Awaited<ReturnType<typeof setUp>>;
  const outcomes: Record<string, (rig: Rig) => GenerateOutcome> = {
    'an identifier': (rig) => ({
      kind: 'accepted',
      remoteId: 'video-9',
      response: answered(rig, 200),
    }),
    'a refusal of the video': (rig) => ({
      kind: 'rejected',
      about: 'video',
      failure: failureOf('service-refused'),
      response: answered(rig, 400),
    }),
    'a refusal of any request': (rig) => ({
      kind: 'rejected',
      about: 'service',
      failure: failureOf('service-refused'),
      response: answered(rig, 404),
    }),
    'no answer': () => ({
      kind: 'unknown',
      failure: failureOf('outcome-unknown'),
      response: null,
    }),
    'an unclear answer': (rig) => ({
      kind: 'unknown',
      failure: failureOf('outcome-unknown'),
      response: answered(rig, 502),
    }),
    'a server error': (rig) => ({
      kind: 'server-error',
      failure: failureOf('outcome-unknown'),
      response: answered(rig, 502),
    }),
    'a used up quota': (rig) => ({
      kind: 'quota-used-up',
      failure: {
        code: 'quota-used-up',
        ...userMessage('verbatim', { text: 'No videos are left.' }),
      },
      response: answered(rig, 403),
    }),
    'a 429': (rig) => ({ kind: 'rate-limited', response: answered(rig, 429) }),
    'a refused key': (rig) => ({
      kind: 'key-refused',
      failure: {
        code: 'key-refused',
        ...userMessage('verbatim', { text: 'The key is not valid.' }),
      },
      response: answered(rig, 401),
    }),
    'a request that was not sent': () => ({
      kind: 'not-sent',
      failure: failureOf('service-unreachable'),
    }),
  };

  test.each([
    ['a refusal of the video', 'rejected', 'accepted', { held: 0, slots: SLOT, outage: false }],
    ['a refusal of any request', 'rejected', 'untested', { held: 0, slots: SLOT, outage: false }],
    ['no answer', 'uncertain', 'untested', { held: 1, slots: SLOT, outage: true }],
    ['an unclear answer', 'uncertain', 'untested', { held: 1, slots: 1, outage: true }],
    ['a server error', 'uncertain', 'untested', { held: 1, slots: 1, outage: true }],
    ['a used up quota', 'queued', 'accepted', { held: 0, slots: SLOT, outage: false }],
    ['a 429', 'queued', 'accepted', { held: 0, slots: 0, outage: false }],
    ['a refused key', 'queued', 'refused', { held: 0, slots: SLOT, outage: false }],
    ['a request that was not sent', 'queued', 'untested', { held: 0, slots: 0, outage: true }],
  ] as const)(
    '%s: the row is %s, the key is %s, and quota, limit and outage follow',
    async (name, state, keyState, { held, slots, outage }) => {
      const rig = await setUp();
      // An outage that the outcome may end.
      rig.outage.failed(failureOf('service-unreachable'));
      const outcome = outcomes[name]!(rig);
      rig.service.nextGenerate.push(outcome);
      const { version: versionBefore } = rig.wakeSignal;
      void rig.run();
      await rig.clock.advance(1000 + 150);
      rig.stop();
      await rig.clock.advance(1000);

      expect(rig.service.asked).toHaveLength(1);
      expect(rig.states()).toEqual([state]);
      expect(rig.key.status.state).toBe(keyState);
      expect(rig.spent()).toEqual({ charged: 0, held });
      expect(rig.slotsTaken()).toBe(slots);
      expect(rig.outage.failure !== null).toBe(outage);
      expect(rig.attempts()).toEqual([[0, outcome.kind]]);
      expect(rig.wakeSignal.version).toBeGreaterThan(versionBefore);
      const response = 'response' in outcome ? outcome.response : null;
      expect(rig.store.jobs.lastResponse(rig.ids[0]!)).toBe(response?.body ?? null);
    },
  );

  test.each([
    ['a refusal of the video', 'As the test says.', 'service-refused'],
    ['no answer', 'As the test says.', 'outcome-unknown'],
    ['a used up quota', 'No videos are left.', null],
    ['a 429', null, null],
    ['a refused key', 'The key is not valid.', null],
  ])(
    '%s is noted in the row’s history, and stored with a row that has ended',
    async (name, note, code) => {
      const rig = await setUp();
      rig.service.nextGenerate.push(outcomes[name]!(rig));
      void rig.run();
      await rig.clock.advance(150);
      const job = rig.store.jobs.get(rig.ids[0]!);
      const message = rig.store.jobs.history(job).at(-1)?.note?.message ?? null;
      if (note === null) expect(message).toMatch(/limit|early|soon/i);
      else expect(message).toBe(note);
      expect(job.failure?.code ?? null).toBe(code);
    },
  );

  test('that is good clears an earlier failure of the row', async () => {
    const rig = await setUp();
    rig.store.jobs.change(rig.ids[0]!, { failure: failureOf('service-refused') });
    void rig.run();
    await rig.clock.advance(150);
    expect(rig.store.jobs.get(rig.ids[0]!).failure).toBeNull();
  });

  test.each([
    ['no answer', 1, MINUTE],
    ['an unclear answer', 1, MINUTE],
    ['a server error', 1, MINUTE],
    ['a refusal of any request', 3, MINUTE],
    ['a refusal of the video', 9, 0],
  ])('%s, %i in a row: the next request waits %i ms', async (name, times, waitMs) => {
    const titles = Array.from({ length: times + 1 }, (_, n) => String(n));
    const rig = await setUp({ titles });
    for (let n = 0; n < times; n += 1) rig.service.nextGenerate.push(outcomes[name]!(rig));
    void rig.run();
    await rig.clock.advance(times * 100 + 50);
    expect(rig.service.asked).toHaveLength(waitMs === 0 ? times + 1 : times);
    expect(rig.circuitBreaker.wait() > waitMs - 1000).toBe(true);
    await rig.clock.advance(waitMs + 1000);
    expect(rig.service.asked).toHaveLength(times + 1);
  });

  test.each(['an identifier', 'a 429', 'a used up quota', 'a refusal of the video'])(
    '%s resets the count of refusals',
    async (name) => {
      const rig = await setUp({ titles: ['One', 'Two', 'Three', 'Four'] });
      const refusal = outcomes['a refusal of any request']!;
      rig.service.nextGenerate.push(refusal(rig), refusal(rig), outcomes[name]!(rig), refusal(rig));
      void rig.run();
      while (rig.service.asked.length < 4) await rig.clock.advance(1000);
      await rig.clock.advance(200);
      expect(rig.circuitBreaker.failure).toBeNull();
    },
  );

  test.each(['a refused key', 'a request that was not sent'])(
    '%s does not reset the count of refusals',
    async (name) => {
      const rig = await setUp({ titles: ['One', 'Two', 'Three'] });
      const refusal = outcomes['a refusal of any request']!;
      rig.service.nextGenerate.push(refusal(rig), refusal(rig), outcomes[name]!(rig), refusal(rig));
      void rig.run();
      await rig.clock.advance(1000);
      await rig.key.set('svc_live_another_key', { since: 0, label: null });
      rig.wakeSignal.notify();
      await rig.clock.advance(5000);
      expect(rig.circuitBreaker.failure).toMatchObject({ code: 'service-refuses-all' });
    },
  );

  const generate = { method: 'POST', path: '/v1/films', pathBy: [] as [], body: 'json' } as const;

  test.each<[string, Options, string]>([
    ['today’s videos', { limits: { cap: { count: 5, per: 'day' } } }, 'daily-quota-refused'],
    ['what is left, where there is no quota', { api: { generate } }, 'nothing-left'],
  ])('about the quota is noted as one about %s', async (_, options, sentence) => {
    const rig = await setUp(options);
    rig.service.nextGenerate.push(outcomes['a used up quota']!(rig));
    void rig.run();
    await rig.clock.advance(150);
    const note = rig.store.jobs.history(rig.store.jobs.get(rig.ids[0]!)).at(-1)?.note;
    expect(note?.says).toEqual([{ sentence, values: {} }]);
  });

  test('says whether the balance is read again soon', async () => {
    const rig = await setUp({ titles: ['One', 'Two'] });
    const spent = vi.spyOn(rig.balance, 'spent');
    const want = vi.spyOn(rig.balance, 'want');
    rig.service.nextGenerate.push(outcomes['an identifier']!(rig));
    rig.service.nextGenerate.push(outcomes['a used up quota']!(rig));
    void rig.run();
    await rig.clock.advance(150);
    expect([spent, want].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    await rig.clock.advance(1000);
    expect([spent, want].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  test('about the quota does not count for the rate limit, however long its Retry-After is', async () => {
    const rig = await setUp();
    rig.service.nextGenerate.push({
      kind: 'quota-used-up',
      failure: {
        code: 'quota-used-up',
        ...userMessage('verbatim', { text: 'No videos are left.' }),
      },
      response: rig.service.response(429, { 'retry-after': String(14 * 86_400) }),
    });
    void rig.run();
    await rig.clock.advance(150);
    expect(rig.limits.wait('generate')).toBe(0);
    expect(rig.flow.waitToSend()).toBeGreaterThan(0);
  });

  test('that is good ends a refused quota', async () => {
    const rig = await setUp();
    rig.service.nextGenerate.push(outcomes['a used up quota']!(rig));
    void rig.run();
    await rig.clock.advance(150);
    expect(rig.quota.left).toBe(0);
    rig.quota.tryNow();
    rig.wakeSignal.notify();
    await rig.clock.advance(MINUTE);
    expect(rig.states()).toEqual(['submitted']);
    expect(rig.quota.left).toBe(49);
  });

  test('that names another video’s identifier is not accepted', async () => {
    const rig = await setUp({ titles: ['One', 'Two'] });
    const response = rig.service.response(200);
    const accepted: GenerateOutcome = { kind: 'accepted', remoteId: 'video-1', response };
    rig.service.nextGenerate.push(accepted, accepted);
    void rig.run();
    await rig.clock.advance(1000);
    expect(rig.states()).toEqual(['submitted', 'uncertain']);
    const { failure, remoteId } = rig.store.jobs.get(rig.ids[1]!);
    expect(failure).toMatchObject({ code: 'outcome-unknown', detail: 'video-1' });
    expect(failure?.message).toContain('One');
    expect(remoteId).toBeNull();
    expect(rig.spent()).toEqual({ charged: 1, held: 1 });
    expect(rig.store.jobs.lastResponse(rig.ids[1]!)).toBe(response.body);
  });

  test('that names the identifier of the same request is accepted', async () => {
    const rig = await setUp({ titles: ['One', 'One'] });
    const response = rig.service.response(200);
    const accepted: GenerateOutcome = { kind: 'accepted', remoteId: 'video-1', response };
    rig.service.nextGenerate.push(accepted, accepted);
    void rig.run();
    await rig.clock.advance(1000);
    expect(rig.states()).toEqual(['submitted', 'submitted']);
  });

  test('of a client that throws is unknown, with its message shortened', async () => {
    const rig = await setUp();
    rig.service.asked.push = () => {
      throw new Error('x'.repeat(3000));
    };
    void rig.run();
    await rig.clock.advance(100);
    const { state, failure } = rig.store.jobs.get(rig.ids[0]!);
    expect(state).toBe('uncertain');
    expect(failure?.code).toBe('outcome-unknown');
    expect(failure?.detail).toBe(`Error: ${'x'.repeat(1993)}`);
    expect(rig.spent()).toEqual({ charged: 0, held: 1 });
  });
});

describe('a full disk or a defect', () => {
  const full = () => new DiskFullError('/data', 0, 1);

  test('delays the outcome until there is space', async () => {
    const rig = await setUp();
    const end = vi.spyOn(rig.store.jobs, 'endAttempt');
    end.mockImplementationOnce(() => {
      throw full();
    });
    void rig.run();
    await rig.clock.advance(150);
    expect(rig.states()).toEqual(['sending']);
    await rig.clock.advance(5000);
    expect(rig.states()).toEqual(['submitted']);
    expect(rig.service.asked).toHaveLength(1);
  });

  test('leaves the row uncertain, once, if the outcome cannot be stored by a defect', async () => {
    const rig = await setUp();
    vi.spyOn(rig.store.jobs, 'endAttempt').mockImplementationOnce(() => {
      throw new Error('A defect.');
    });
    const defect = rig.run();
    await rig.clock.advance(150);
    expect(String(await defect)).toContain('A defect.');
    expect(rig.states()).toEqual(['sending']);

    void rig.run();
    await rig.clock.advance(150);
    expect(rig.states()).toEqual(['uncertain']);
    const { failure } = rig.store.jobs.get(rig.ids[0]!);
    expect(failure).not.toHaveProperty('detail');
    expect(rig.service.asked).toHaveLength(1);

    // The user's decision holds from here on.
    rig.store.jobs.move(rig.ids[0]!, 'resend', rig.clock.now());
    rig.store.ledger.release(rig.ids[0]!);
    await rig.clock.advance(2 * MINUTE);
    expect(rig.states()).toEqual(['submitted']);
  });

  test('changes nothing on a row that the user has moved since', async () => {
    const rig = await setUp();
    vi.spyOn(rig.store.jobs, 'endAttempt').mockImplementationOnce(() => {
      throw new Error('A defect.');
    });
    const defect = rig.run();
    await rig.clock.advance(150);
    await defect;
    rig.store.jobs.move(rig.ids[0]!, 'markUncertain', rig.clock.now());
    rig.store.jobs.move(rig.ids[0]!, 'confirmAccepted', rig.clock.now());
    const again = rig.run();
    await rig.clock.advance(MINUTE);
    rig.stop();
    expect(await again).toBeUndefined();
    expect(rig.states()).toEqual(['submitted']);
  });

  test('sends nothing if the attempt cannot be stored, and releases slot and quota', async () => {
    const rig = await setUp();
    rig.service.rateLimit = null;
    vi.spyOn(rig.store.journal, 'append').mockImplementationOnce(() => {
      throw full();
    });
    const defect = rig.run();
    await rig.clock.advance(150);
    expect(await defect).toBeInstanceOf(DiskFullError);
    expect(rig.service.asked).toEqual([]);
    expect(rig.states()).toEqual(['reserved']);
    expect(rig.slotsTaken()).toBe(0);
    expect(rig.seen.open).toBe(0);

    rig.flow.pause('sending');
    void rig.run();
    await rig.clock.advance(150);
    expect(rig.states()).toEqual(['queued']);
    expect(rig.spent()).toEqual({ charged: 0, held: 0 });
  });

  test('prevents sending while the disk reserve is in use', async () => {
    const rig = await setUp();
    const makeRoom = vi.spyOn(rig.store.reserve, 'makeRoom');
    makeRoom.mockImplementation(() => rig.store.reserve.shrink());
    void rig.run();
    await rig.clock.advance(MINUTE);
    expect(rig.seen.connections).toBe(0);
    makeRoom.mockRestore();
    rig.store.reserve.refill();
  });
});

test('a request is stored and does not leave once another computer has taken the folder', async () => {
  const rig = await setUp();
  rig.lock.assertOurs = () => {
    throw new FolderLostError();
  };
  const defect = rig.run();
  await rig.clock.advance(MINUTE);
  expect(await defect).toBeInstanceOf(FolderLostError);
  expect(rig.service.asked).toEqual([]);
  // The process that took the folder finds the attempt, and marks the job uncertain.
  expect(rig.states()).toEqual(['sending']);
  expect(rig.seen).toMatchObject({ connections: 1, open: 0 });
});

test('sending pauses before the selected row, and continues from there', async () => {
  const rig = await setUp({ titles: ['One', 'Two', 'Three'] });
  rig.flow.setStopBefore(rig.ids[1]!);
  void rig.run();
  await rig.clock.advance(1000);
  expect(rig.service.asked).toEqual(['{"title":"One"}']);
  expect(rig.flow.paused).toBe('sending');
  expect(rig.flow.stopBefore).toBeNull();

  const { version: versionBefore } = rig.wakeSignal;
  rig.flow.resume();
  rig.wakeSignal.notify();
  await rig.clock.advance(1000);
  expect(rig.service.asked).toHaveLength(3);
  expect(rig.wakeSignal.version).toBeGreaterThan(versionBefore + 1);
});

test('a pause before the selected row is notified once', async () => {
  const rig = await setUp();
  rig.flow.setStopBefore(rig.ids[0]!);
  const { version: versionBefore } = rig.wakeSignal;
  void rig.run();
  await rig.clock.advance(1000);
  expect(rig.wakeSignal.version).toBe(versionBefore + 1);
});

describe('the time of the service', () => {
  /** An hour after the quota’s reset, where the right clock decides which month it is. */
  const EDGE = Date.UTC(2026, 0, 1, 1);

  test('is requested before sending near the start of a month, at most once a minute', async () => {
    const rig = await setUp({ startAt: EDGE });
    rig.service.tellsTime = false;
    rig.service.nextGenerate.push(
      ...Array.from({ length: 4 }, () => ({
        kind: 'not-sent' as const,
        failure: failureOf('service-unreachable'),
      })),
    );
    void rig.run();
    await rig.clock.advance(2 * MINUTE);
    expect(rig.seen.timeAsked.slice(0, 1)).toEqual([0]);
    const gaps = rig.seen.timeAsked.slice(1).map((at, n) => at - rig.seen.timeAsked[n]!);
    expect(gaps.every((gap) => gap >= MINUTE)).toBe(true);
  });

  test('is requested every minute until there is an answer', async () => {
    const rig = await setUp({ startAt: EDGE });
    rig.flow.suspendSending(failureOf('outcome-unknown'));
    void rig.run();
    await rig.clock.advance(5 * MINUTE + 1000);
    expect(rig.seen.timeAsked).toEqual([0, 1, 2, 3, 4, 5].map((n) => n * MINUTE));
  });

  test('is not requested once it is known', async () => {
    const rig = await setUp({ startAt: EDGE });
    const charge = rig.limits.reserve.bind(rig.limits);
    rig.store.transactions.write(() =>
      rig.limits.settle('status', charge('status'), 'answered', rig.service.response(200)),
    );
    rig.flow.suspendSending(failureOf('outcome-unknown'));
    void rig.run();
    await rig.clock.advance(5 * MINUTE);
    expect(rig.seen.timeAsked).toEqual([]);
  });

  test.each<[string, (rig: Awaited<ReturnType<typeof setUp>>) => void]>([
    ['in the middle of a month', ({ clock }) => clock.jumpWall(MID_MONTH - EDGE)],
    ['when no row waits', (rig) => rig.store.jobs.move(rig.ids[0]!, 'hold', EDGE)],
    ['when sending is paused', (rig) => rig.flow.pause('sending')],
    [
      'while the service cannot be reached',
      (rig) => rig.outage.failed(failureOf('service-unreachable')),
    ],
    [
      'when the limit of status requests is used up',
      (rig) => {
        rig.store.transactions.write(() => {
          for (let n = 0; n < 60; n += 1) {
            rig.limits.settle('status', rig.limits.reserve('status'), 'counted', null);
          }
        });
      },
    ],
  ])('is not requested %s', async (_name, prepare) => {
    const rig = await setUp({ startAt: EDGE });
    rig.flow.suspendSending(failureOf('outcome-unknown'));
    prepare(rig);
    void rig.run();
    await rig.clock.advance(300);
    expect(rig.seen.timeAsked).toEqual([]);
  });
});

describe('a service that renders two at a time', () => {
  const two = {
    concurrent: { count: 2 },
    windows: [{ endpoint: 'generate', count: 20, perMs: HOUR, known: 'assumed' }],
  } satisfies Options['limits'];
  const titles = ['One', 'Two', 'Three', 'Four'];
  type Rig = Awaited<ReturnType<typeof setUp>>;

  const finish = (rig: Rig, index: number): void => {
    rig.store.jobs.move(rig.ids[index]!, 'finish', rig.clock.now());
    rig.wakeSignal.notify();
  };
  const tooMany = (rig: Rig, headers: Readonly<Record<string, string>> = {}) => {
    const now = rig.clock.now();
    const body = '{"code":"CONCURRENCY_LIMIT","message":"Two renders are running."}';
    const response = { status: 429, headers, body, sentAt: now, receivedAt: now };
    rig.service.nextGenerate.push({ kind: 'rate-limited', response });
  };

  test('is sent the next video when a render ends', async () => {
    const rig = await setUp({ titles, limits: two });
    void rig.run();
    await rig.clock.advance(10 * MINUTE);
    expect(rig.service.asked).toHaveLength(2);

    finish(rig, 0);
    await rig.clock.advance(1000);
    expect(rig.states()).toEqual(['ready', 'submitted', 'submitted', 'queued']);
  });

  test('counts its renders under way after a restart', async () => {
    const rig = await setUp({ titles, limits: two });
    void rig.run();
    await rig.clock.advance(MINUTE);
    const again = new ConcurrentRenders(
      { ...limitsOf(DOCUMENTED_API), ...two },
      rig.store,
      new RenderTimeTracker(rig.store.notes),
      rig.clock,
    );
    expect(again.wait()).toBe(Infinity);
    expect(again.view()).toEqual({ limit: 2, underWay: 2 });
  });

  test('shows by the headers of its profile whether a 429 is about requests', async () => {
    const headers = [{ name: 'X-Requests-Left', means: 'remaining', endpoint: null }] as const;
    const rig = await setUp({ titles, limits: { ...two, headers: [...headers] } });
    const refused = (named: Readonly<Record<string, string>>): HttpResponse => ({
      status: 429,
      headers: named,
      body: '',
      sentAt: rig.clock.now(),
      receivedAt: rig.clock.now(),
    });
    expect(rig.renders.isMeantBy(refused({ 'x-requests-left': '3' }))).toBe(true);
    expect(rig.renders.isMeantBy(refused({ 'x-requests-left': '0' }))).toBe(false);
    // The profile does not name this header.
    expect(rig.renders.isMeantBy(refused({ 'x-ratelimit-remaining': '3' }))).toBe(false);
  });

  test('may be rendering an unconfirmed video, for as long as renders take', async () => {
    const rig = await setUp({ titles, limits: two });
    rig.service.nextGenerate.push({
      kind: 'unknown',
      failure: failureOf('outcome-unknown'),
      response: null,
    });
    void rig.run();
    await rig.clock.advance(20 * MINUTE);
    expect(rig.states()).toEqual(['uncertain', 'submitted', 'queued', 'queued']);
    await rig.clock.advance(HOUR);
    expect(rig.states()).toEqual(['uncertain', 'submitted', 'submitted', 'queued']);
  });

  test('shows by a 429 that others use the account, not that requests are used up', async () => {
    const rig = await setUp({ titles, limits: two });
    void rig.run();
    rig.seen.whileConnecting = () => {
      if (rig.seen.connections === 2) tooMany(rig);
    };
    await rig.clock.advance(5000);
    expect(rig.states()).toEqual(['submitted', 'queued', 'queued', 'queued']);
    expect(rig.spent()).toEqual({ charged: 1, held: 0 });
    expect(rig.limits.wait('generate')).toBe(0);

    // A render ends, and another takes its place.
    finish(rig, 0);
    await rig.clock.advance(1000);
    expect(rig.states()).toEqual(['ready', 'submitted', 'queued', 'queued']);
    expect(rig.renders.plan?.limit).toBe(1);
    // By now a render of the others has ended, too.
    await rig.clock.advance(10 * MINUTE);
    expect(rig.states()).toEqual(['ready', 'submitted', 'submitted', 'queued']);
    expect(rig.renders.plan?.limit).toBe(2);
  });

  test('shows the same where its headers say that requests remain', async () => {
    const rig = await setUp({ titles, limits: two });
    const now = rig.clock.now();
    const headers = { 'x-ratelimit-remaining': '7', 'retry-after': '120' };
    const response = { status: 429, headers, body: '{}', sentAt: now, receivedAt: now };
    rig.service.nextGenerate.push({ kind: 'rate-limited', response });
    void rig.run();
    await rig.clock.advance(119_000);
    expect(rig.service.asked).toHaveLength(1);
    await rig.clock.advance(5000);
    expect(rig.service.asked).toHaveLength(3);
  });

  test('is asked again by the rate limit after a 429 that is about requests', async () => {
    const rig = await setUp({ titles, limits: two });
    const now = rig.clock.now();
    const headers = { 'x-ratelimit-remaining': '0', 'retry-after': '600' };
    const response = { status: 429, headers, body: '{}', sentAt: now, receivedAt: now };
    rig.service.nextGenerate.push({ kind: 'rate-limited', response });
    void rig.run();
    await rig.clock.advance(5000);
    expect(rig.limits.wait('generate')).toBeGreaterThan(9 * MINUTE);
  });
});
