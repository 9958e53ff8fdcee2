import { beforeAll, describe, expect, test } from 'vitest';
import type { ServiceApi } from '../../../../src/contract/service-profile.ts';
import { DOCUMENTED_API } from '../../../../src/contract/service-profile.ts';
import type { Balance } from '../../../../src/contract/service-cost.ts';
import { userMessage } from '../../../../src/contract/user-message.ts';
import type { BalanceOutcome } from '../../../../src/engine/service/outcomes.ts';
import { issueCertificate, type TestCertificate } from '../../../rigs/certificates.ts';
import { EngineRig, ORIGIN } from '../../../rigs/engine-rig.ts';
import { FakeService } from '../../../rigs/fake-service.ts';
import { allServices } from '../../../rigs/service-fakes/all-services.ts';
import { account, heygen } from '../../../rigs/service-fakes/heygen.ts';
import { runway } from '../../../rigs/service-fakes/runway.ts';
import type { Reply, ServiceFacts } from '../../../rigs/service-fakes/service-facts.ts';
import { ServiceRig } from '../../../rigs/service-fakes/service-rig.ts';
import { VirtualClock } from '../../../rigs/virtual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await issueCertificate();
});

type WithBalance = ServiceFacts & { readonly balance: NonNullable<ServiceFacts['balance']> };
const reporting = allServices.filter((facts): facts is WithBalance => facts.balance !== undefined);
const others = allServices.filter(({ balance }) => balance === undefined);

async function balanceOf(rig: ServiceRig): Promise<Balance | null> {
  for await (const { summary } of rig.engine.watch(undefined, new AbortController().signal)) {
    return summary.balance;
  }
  throw new Error('The engine is closed.');
}

const isDone = (rig: ServiceRig) => async (): Promise<boolean> =>
  (await rig.states()).every((state) => state === 'done');

test('four services report a balance', () => {
  expect(reporting.map(({ service }) => service).toSorted()).toEqual([
    'heygen',
    'json2video',
    'luma',
    'runway',
  ]);
});

describe.each(reporting.map((facts) => [facts.service, facts] as const))('%s', (_, facts) => {
  test('is asked for its balance at the start and after a batch, and never in between', async () => {
    const rig = await ServiceRig.open(facts, certificate);
    await rig.until(() => rig.service.balanceReads.length > 0);
    await rig.until(async () => (await balanceOf(rig)) !== null);
    const balance = await balanceOf(rig);
    expect(balance).toMatchObject(facts.balance.shown(1807));
    expect(rig.clock.now() - (balance?.readAt ?? 0)).toBeLessThan(1000);
    await rig.clock.advance(3 * HOUR);
    expect(rig.service.balanceReads).toHaveLength(1);

    rig.service.left = 900;
    await rig.add(3);
    await rig.until(isDone(rig));
    await rig.until(() => rig.service.balanceReads.length > 1);

    expect(await balanceOf(rig)).toMatchObject(facts.balance.shown(900));
    await rig.clock.advance(3 * HOUR);
    expect(rig.service.balanceReads).toHaveLength(2);
    expect(rig.service.wrong).toEqual([]);
    expect(rig.defects).toEqual([]);
  });

  test('is not asked while it refuses the key, and is asked again with another key', async () => {
    const rig = await ServiceRig.open(facts, certificate);
    await rig.until(() => rig.service.balanceReads.length > 0);
    rig.service.isKeyBad = true;
    await rig.engine.commands.key.check();
    await rig.add(1);
    await rig.clock.advance(HOUR);
    const asked = rig.service.balanceReads.length;

    await rig.clock.advance(24 * HOUR);
    expect(rig.service.balanceReads).toHaveLength(asked);

    rig.service.isKeyBad = false;
    rig.service.left = 33;
    const { origin, key } = rig.service;
    await rig.engine.commands.key.set({ origin, value: key });
    expect((await balanceOf(rig))?.amount).not.toBe(facts.balance.shown(1807).amount);
    await rig.until(async () => (await balanceOf(rig)) !== null);
    expect(await balanceOf(rig)).toMatchObject(facts.balance.shown(33));
  });

  test('uses the balance of the previous run until the next request is due', async () => {
    const rig = await ServiceRig.open(facts, certificate);
    await rig.until(() => rig.service.balanceReads.length > 0);
    const before = await balanceOf(rig);
    await rig.close();

    rig.service.left = 5;
    await rig.start();
    await rig.clock.advance(MINUTE);
    expect(await balanceOf(rig)).toEqual(before);
    expect(rig.service.balanceReads).toHaveLength(1);

    await rig.clock.advance(5 * MINUTE);
    expect(await balanceOf(rig)).toMatchObject(facts.balance.shown(5));
    expect(rig.service.balanceReads).toHaveLength(2);
  });
});

describe('a plan that waits for the balance', () => {
  /** The plan, and how long it took. */
  async function planAt(rig: ServiceRig, options: { readonly awaitsBalance?: boolean }) {
    const [header, row] = rig.service.facts.batch;
    const source = { name: 'Batch.csv', content: `${header}\n${row}` };
    const begun = rig.clock.monotonic();
    let isPlanned = false;
    const planned = rig.engine.commands.batches.plan({ source, options: {}, ...options });
    void Promise.resolve(planned).then(() => (isPlanned = true));
    await rig.until(() => isPlanned);
    return { ...(await planned), tookMs: rig.clock.monotonic() - begun };
  }

  test.each([true, false])(
    'includes the first balance only if it waits: %s',
    async (awaitsBalance) => {
      const rig = await ServiceRig.open(runway, certificate);
      const { balance, tellsBalance } = await planAt(rig, { awaitsBalance });
      expect(tellsBalance).toBe(true);
      expect(balance).toEqual(
        awaitsBalance ? expect.objectContaining(runway.balance!.shown(1807)) : null,
      );
    },
  );

  test('is complete after two seconds if the service does not answer', async () => {
    const rig = await ServiceRig.open(runway, certificate);
    rig.service.nextBalances.push('silent');
    const { balance, tellsBalance, tookMs } = await planAt(rig, { awaitsBalance: true });
    expect({ balance, tellsBalance }).toEqual({ balance: null, tellsBalance: true });
    expect(tookMs).toBeGreaterThanOrEqual(2000);
    expect(tookMs).toBeLessThan(3000);
  });

  test.each([
    ['the service reports no balance', others[0]!, true],
    ['everything is paused', runway, false],
  ])('does not wait if %s', async (_, facts, isRunning) => {
    const rig = await ServiceRig.open(facts, certificate);
    const { origin } = rig.service;
    if (!isRunning) {
      await rig.engine.commands.queue.pause({ origin, what: 'everything' });
      await rig.close();
      await rig.start();
    }
    rig.service.nextBalances.push('silent');
    const { tellsBalance, tookMs } = await planAt(rig, { awaitsBalance: true });
    expect(tellsBalance).toBe(!isRunning);
    expect(tookMs).toBeLessThan(1000);
  });
});

test.each<[string, Reply | 'silent']>([
  ['text', { status: 200, body: { creditBalance: '180' } }],
  ['an HTML page', { status: 200, body: '<h1>Welcome</h1>' }],
  ['too long', { status: 200, body: `{"creditBalance":180,"a":"${'x'.repeat(2 << 20)}"}` }],
  ['redirected', { status: 302, headers: { location: 'https://evil.example/' }, body: {} }],
  ['refused', { status: 403, body: { error: 'Not with this key.' } }],
  ['refused as with a bad key', { status: 401, body: { error: 'Not with this key.' } }],
  ['rate-limited', { status: 429, headers: { 'retry-after': '86400' }, body: {} }],
  ['an error', { status: 500, body: {} }],
  ['never answered', 'silent'],
])('a batch is rendered although the balance is %s, and no balance is shown', async (_, answer) => {
  const rig = await ServiceRig.open(runway, certificate);
  // The reads at the start and after the batch.
  rig.service.nextBalances.push(answer, answer);
  await rig.until(() => rig.service.balanceReads.length > 0);
  const openedAt = rig.clock.monotonic();

  await rig.add(1);
  await rig.until(isDone(rig));

  expect(await balanceOf(rig)).toBeNull();
  expect(rig.clock.monotonic() - openedAt).toBeLessThan(3 * MINUTE);
  expect(rig.service.wrong).toEqual([]);
  expect(rig.defects).toEqual([]);
});

test.each(others.map((facts) => [facts.service, facts] as const))(
  '%s reports no balance, and is not asked for one',
  async (_, facts) => {
    const rig = await ServiceRig.open(facts, certificate);
    await rig.clock.advance(HOUR);
    expect(rig.service.exchanges).toEqual([]);
    expect(await balanceOf(rig)).toBeNull();
  },
);

test.each([
  ['in credits', account({ currency: 'credits', remaining_balance: 180 })],
  ['by use', account(null)],
])('a HeyGen account that is billed %s has no balance in dollars', async (_, body) => {
  const rig = await ServiceRig.open(heygen, certificate);
  await rig.until(() => rig.service.balanceReads.length > 0);
  expect(await balanceOf(rig)).not.toBeNull();
  rig.service.nextBalances.push({ status: 200, body });
  await rig.add(1);
  await rig.until(() => rig.service.balanceReads.length > 1);
  expect(await balanceOf(rig)).toBeNull();
});

describe('the balance', () => {
  const cost: ServiceApi['cost'] = {
    ...DOCUMENTED_API.cost,
    balance: {
      path: '/v1/credits',
      at: 'left',
      unit: 'credit',
      currency: null,
      factor: 1,
      where: null,
    },
  };

  const open = (serviceLimits: Partial<ServiceApi['limits']> = {}): Promise<EngineRig> =>
    EngineRig.open({ api: { cost }, serviceLimits });

  test('is never requested from the documented service', async () => {
    const rig = await EngineRig.open();
    await rig.add(['One']);
    await rig.clock.advance(HOUR);
    expect(rig.service.balanceReads).toBe(0);
    expect((await rig.update()).balance).toBeNull();
  });

  test('is read at most every minute, however many batches there are', async () => {
    const rig = await open();
    for (let number = 0; number < 10; number += 1) {
      await rig.add([`Video ${number}`]);
      await rig.clock.advance(MINUTE / 4);
    }
    expect(rig.service.asked).toHaveLength(10);
    expect(rig.service.balanceReads).toBeLessThanOrEqual(3);
    await rig.clock.advance(HOUR);
    const { balanceReads } = rig.service;
    await rig.clock.advance(24 * HOUR);
    expect(rig.service.balanceReads).toBe(balanceReads);
  });

  test('is read a minute after the last read once a batch was sent', async () => {
    const rig = await open();
    await rig.clock.advance(MINUTE / 4);
    expect(rig.service.balanceReads).toBe(1);
    rig.service.left = 7;
    await rig.add(['One']);
    await rig.clock.advance(MINUTE);
    expect(rig.service.balanceReads).toBe(2);
    expect((await rig.update()).balance).toMatchObject({ amount: 7 });
  });

  test('is read again after a submission was refused for used-up quota', async () => {
    const rig = await open();
    await rig.clock.advance(HOUR);
    expect(rig.service.balanceReads).toBe(1);
    rig.service.monthlyQuota = 0;
    rig.service.left = 0;
    await rig.add(['One', 'Two']);
    await rig.clock.advance(MINUTE);
    expect(rig.service.balanceReads).toBe(2);
    expect((await rig.update()).balance).toMatchObject({ amount: 0, unit: 'credit' });
  });

  test('is read again when a batch is planned, while the plan shows the previous one', async () => {
    const rig = await open();
    await rig.clock.advance(HOUR);
    rig.service.left = 180;
    const source = { name: 'Batch.csv', content: 'title\nOne' };
    const plan = await rig.engine.commands.batches.plan({ source, options: {} });
    expect(plan.balance).toMatchObject({ amount: 500, unit: 'credit' });
    await rig.clock.advance(MINUTE);
    expect((await rig.update()).balance).toMatchObject({ amount: 180 });
    await rig.engine.commands.batches.plan({ source, options: {} });
    await rig.clock.advance(MINUTE);
    expect(rig.service.balanceReads).toBe(2);
  });

  test('counts towards a limit of all requests', async () => {
    const window = { endpoint: 'all', count: 1, perMs: HOUR, known: 'documented' } as const;
    const rig = await open({ windows: [window] });
    await rig.clock.advance(MINUTE);
    expect(rig.service.balanceReads).toBe(1);
    await rig.add(['One']);
    await rig.clock.advance(58 * MINUTE);
    expect(rig.service.asked).toEqual([]);
    await rig.until(() => rig.service.asked.length > 0);
  });

  test('is shown without the key, for a plan that reads no keychain, until the key is forgotten', async () => {
    const rig = await open();
    await rig.clock.advance(MINUTE);
    await rig.close();

    const { folder, clock, service } = rig;
    const keyless = await EngineRig.open({
      folder,
      clock,
      service,
      api: { cost },
      key: null,
    });
    expect((await keyless.update()).balance).toMatchObject({ amount: 500 });
    await clock.advance(HOUR);
    expect(service.balanceReads).toBe(1);
    void keyless.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_9876543210' });
    await clock.advance(MINUTE);
    expect(service.balanceReads).toBe(2);
    expect((await keyless.update()).balance).toMatchObject({ amount: 500 });

    await keyless.engine.commands.key.forget({ origin: ORIGIN });
    expect((await keyless.update()).balance).toBeNull();
  });

  test('of the previous key is not shown, even when its response comes late', async () => {
    const clock = new VirtualClock();
    const service = new FakeService(clock);
    service.latencyMs = 5000;
    const rig = await EngineRig.open({ api: { cost }, clock, service });
    await clock.advance(2000);
    // The key is checked quickly; the reads of the balance before and after it take five seconds.
    service.latencyMs = 100;
    void rig.engine.commands.key.set({ origin: ORIGIN, value: 'svc_live_9876543210' });
    await clock.advance(50);
    service.latencyMs = 5000;
    await clock.advance(3900);
    expect(service.balanceReads).toBe(2);
    expect((await rig.update()).balance).toBeNull();
    service.left = 33;
    await clock.advance(MINUTE);
    expect((await rig.update()).balance).toMatchObject({ amount: 33 });
  });

  test('is not read while everything is paused', async () => {
    const rig = await open();
    await rig.clock.advance(HOUR);
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' });
    const source = { name: 'Batch.csv', content: 'title\nOne' };
    await rig.engine.commands.batches.plan({ source, options: {} });
    await rig.clock.advance(HOUR);
    expect(rig.service.balanceReads).toBe(1);
  });

  const failure = {
    code: 'service-unreachable',
    ...userMessage('verbatim', { text: 'Offline.' }),
  } as const;
  test.each<BalanceOutcome>([
    { kind: 'unreachable', failure, response: null },
    { kind: 'unusable', failure, response: null },
  ])('stops nothing when it is $kind, and is not retried in a loop', async (trouble) => {
    const clock = new VirtualClock();
    const service = new FakeService(clock);
    service.nextBalance.push(trouble, trouble, trouble);
    const rig = await EngineRig.open({ api: { cost }, clock, service });
    await rig.clock.advance(1000);
    expect(service.balanceReads).toBe(1);
    expect((await rig.update()).flow).toEqual({ state: 'running' });
    await rig.clock.advance(4 * MINUTE);
    expect(service.balanceReads).toBe(1);
    await rig.clock.advance(HOUR);
    // A request that was never sent is repeated.
    expect(service.balanceReads).toBe(trouble.kind === 'unreachable' ? 4 : 1);
  });
});
