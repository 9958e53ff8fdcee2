import { describe, expect, test } from 'vitest';
import { EngineRig } from '../../../rigs/engine-rig.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Rows with rendered videos whose links have a host that resolves to a VPN address. */
async function behindVpn(...titles: readonly string[]): Promise<EngineRig> {
  const rig = await EngineRig.open();
  rig.dns.addresses.set('files.example', '198.18.0.7');
  await rig.add(titles);
  await rig.until(async () => (await rig.job(0)).wait?.reason === 'address-blocked');
  return rig;
}

const isDone = async (rig: EngineRig): Promise<boolean> => (await rig.job(0)).state === 'done';

// abuse.md 46
test('a row whose file server has a VPN address waits, and names the host', async () => {
  const rig = await behindVpn('One');

  const { state, wait, failure } = await rig.job(0);
  expect({ state, failure }).toEqual({ state: 'ready', failure: null });
  expect(wait).toMatchObject({ reason: 'address-blocked', host: 'files.example' });
  expect(wait?.until).toBeGreaterThan(rig.clock.now());
  expect(
    (await rig.engine.commands.jobs.show({ id: (await rig.job(0)).id })).history.at(-1)?.note
      ?.message,
  ).toContain('files.example');
});

// abuse.md 46
test('a blocked row requests no further link, asks DNS at growing intervals, and resumes on another answer', async () => {
  const rig = await behindVpn('One');
  const asked = rig.dns.asked.length;

  await rig.clock.advance(60 * MINUTE);
  expect(rig.service.links).toHaveLength(1);
  // 5 s, then twice as long each time up to 10 minutes: 7 pauses in 10 minutes, 5 in the other 50.
  const again = rig.dns.asked.length - asked;
  expect(again).toBeGreaterThanOrEqual(10);
  expect(again).toBeLessThanOrEqual(13);
  expect((await rig.job(0)).wait).toMatchObject({ reason: 'address-blocked' });

  rig.dns.addresses.clear();
  await rig.until(() => isDone(rig), 11 * MINUTE);
  expect(rig.service.links).toHaveLength(2);
  expect((await rig.job(0)).wait).toBeNull();
});

test('a blocked row resumes at once when such addresses are allowed', async () => {
  const rig = await behindVpn('One');
  await rig.clock.advance(30 * MINUTE);
  expect(rig.service.links).toHaveLength(1);

  rig.engine.applySettings({ allowVpnAddresses: true });
  await rig.until(() => isDone(rig), 5 * SECOND);
  expect(rig.service.links).toHaveLength(2);
});

test('the permission applies to the next session as well', async () => {
  const rig = await EngineRig.open();
  rig.dns.addresses.set('files.example', '64:ff9b::808:808');
  rig.engine.applySettings({ allowVpnAddresses: true });
  await rig.engine.show({
    service: { name: 'renamed', baseUrl: 'https://service.example' },
    plan: { name: 'custom', limit: 50, anchor: Date.UTC(2026, 0, 1) },
  });
  await rig.add(['One']);
  await rig.until(() => isDone(rig));
  expect(rig.service.links).toHaveLength(1);
});

test('a blocked row does not delay other rows while DNS is slow', async () => {
  const rig = await behindVpn('One');
  const answered = Promise.withResolvers<undefined>();
  rig.dns.holdUntil = answered.promise;
  const asked = rig.dns.asked.length;
  await rig.until(() => rig.dns.asked.length > asked);
  // The row's lookup is pending; the next row's link has another host.
  rig.service.fileHost = 'other.example';
  rig.dns.holdUntil = null;
  await rig.add(['Two'], 'Other.csv');
  await rig.until(async () => (await rig.job(1)).state === 'done');
  expect((await rig.job(0)).wait).toMatchObject({ reason: 'address-blocked' });

  rig.dns.addresses.clear();
  rig.engine.applySettings({ allowVpnAddresses: true });
  answered.resolve(undefined);
  await rig.until(() => isDone(rig), MINUTE);
  expect(rig.service.links).toHaveLength(3);
});

test('alternating DNS answers do not use links at a growing rate', async () => {
  const rig = await behindVpn('One');
  const address = '198.18.0.7';
  const { addresses, asked } = rig.dns;
  const end = rig.clock.now() + 60 * MINUTE;
  let before = asked.length;
  while (rig.clock.now() < end) {
    // Public when the row is looked up again, and the VPN's when its download connects.
    addresses.clear();
    await rig.until(() => asked.length > before || rig.clock.now() >= end);
    addresses.set('files.example', address);
    await rig.until(async () => (await rig.job(0)).wait?.reason === 'address-blocked');
    before = asked.length;
  }
  expect(rig.service.links.length).toBeLessThanOrEqual(14);
});

test('"try now" asks DNS at once, and requests a link only if the answer changed', async () => {
  const rig = await behindVpn('One');
  await rig.clock.advance(30 * MINUTE);
  const asked = rig.dns.asked.length;

  await rig.engine.commands.service.tryNow();
  await rig.clock.advance(SECOND);
  expect(rig.dns.asked.length).toBeGreaterThan(asked);
  await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
  await rig.clock.advance(SECOND);
  expect(rig.service.links).toHaveLength(1);

  rig.dns.addresses.clear();
  await rig.engine.commands.service.tryNow();
  await rig.until(() => isDone(rig), 5 * SECOND);
});

/** Rows ready to download, with the files' host at a VPN address and downloads paused. */
async function manyBehindVpn(count: number): Promise<EngineRig> {
  const rig = await EngineRig.open();
  rig.dns.addresses.set('files.example', '198.18.0.7');
  await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
  await rig.add(Array.from({ length: count }, (_, index) => `Row ${index + 1}`));
  await rig.until(async () => (await rig.update()).counts.ready === count, 4 * 60 * MINUTE);
  return rig;
}

describe('rows whose links lead to the same blocked server', () => {
  test('wait after the first attempts, and request few links to find another server', async () => {
    const rig = await manyBehindVpn(20);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.clock.advance(5 * MINUTE);
    // One for each concurrent download.
    expect(rig.service.links).toHaveLength(2);
    for (const { wait } of await rig.jobs()) {
      expect(wait).toMatchObject({ reason: 'address-blocked', host: 'files.example' });
      expect(wait?.until).toBeGreaterThan(rig.clock.now());
    }

    await rig.clock.advance(55 * MINUTE);
    // One every ten minutes.
    expect(rig.service.links.length).toBeLessThanOrEqual(2 + 6);

    rig.dns.addresses.clear();
    await rig.until(async () => (await rig.update()).counts.done === 20, 12 * MINUTE);
  });

  test('resume at once when such addresses are allowed', async () => {
    const rig = await manyBehindVpn(5);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.clock.advance(MINUTE);

    rig.engine.applySettings({ allowVpnAddresses: true });
    await rig.until(async () => (await rig.update()).counts.done === 5, 30 * SECOND);
    expect(rig.service.links).toHaveLength(2 + 5);
  });

  test('do not request more links when DNS answers alternate', async () => {
    const rig = await manyBehindVpn(10);
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    const end = rig.clock.now() + 60 * MINUTE;
    const { addresses, asked } = rig.dns;
    await rig.clock.advance(5 * SECOND);
    while (rig.clock.now() < end) {
      const before = asked.length;
      // Public when a row is looked up again, and the VPN's when its download connects.
      addresses.clear();
      await rig.until(() => asked.length > before || rig.clock.now() >= end);
      addresses.set('files.example', '198.18.0.7');
      await rig.clock.advance(5 * SECOND);
    }
    expect((await rig.update()).counts.done).toBe(0);
    expect(rig.service.links.length).toBeLessThanOrEqual(30);
  });

  test('delay rows of another server at most once', async () => {
    const rig = await manyBehindVpn(12);
    const jobs = await rig.jobs();
    for (const [index, { remoteId }] of jobs.entries()) {
      if (index % 2 === 1) rig.service.fileHosts.set(remoteId ?? '', 'other.example');
    }
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });

    await rig.until(async () => (await rig.update()).counts.done === 6, 15 * MINUTE);
    const waiting = (await rig.jobs()).filter(({ state }) => state !== 'done');
    expect(waiting.every(({ wait }) => wait?.reason === 'address-blocked')).toBe(true);
  });
});
