import { describe, expect, it } from 'vitest';
import type { ServiceOffer, ServiceTried } from '../../../src/contract/service-offer.ts';
import { FirstRun } from '../../../src/renderer/state/first-run.svelte.ts';
import { fakeEngine, type FakeScene } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const KEY = 'svc_live_0123456789';

/** A first run, and the services that can be chosen. */
async function firstRunOf(scene: Partial<FakeScene> = {}) {
  const engine = fakeEngine({ states: [], ...scene }, 0);
  const run = new FirstRun(engine.client, notPressed);
  await run.services.open();
  const offerOf = (id: string): ServiceOffer => {
    const offer = run.services.offers.find((each) => each.id === id);
    if (offer === undefined) throw new Error(`There is no service ${id}.`);
    return offer;
  };
  const calls = (): string[] => engine.calls.map(({ name }) => name);
  return { engine, run, offerOf, calls };
}

describe('an entered key', () => {
  it('is forgotten when its form is left', async () => {
    const { run, offerOf } = await firstRunOf();
    run.showServices();
    run.showKeyOf(offerOf('runway'));
    run.key = KEY;
    run.leaveKey();
    expect(run.now.step).toBe('services');
    expect(run.key).toBe('');
  });

  it('is forgotten, with the address and the certificate, when another service is chosen', async () => {
    const { run, offerOf } = await firstRunOf();
    run.showKeyOf(offerOf('documented'));
    Object.assign(run, {
      key: KEY,
      address: 'video.example.com',
      certificate: 'PEM',
      label: 'Mine',
    });
    run.showKeyOf(offerOf('documented'));
    expect([run.key, run.address]).toEqual([KEY, 'video.example.com']);
    run.showKeyOf(offerOf('runway'));
    expect([run.key, run.address, run.certificate, run.label]).toEqual(['', '', '', '']);
  });

  it('is not stored while a service would replace another one at its address', async () => {
    const { engine, run, offerOf, calls } = await firstRunOf();
    const runway = offerOf('runway');
    await engine.client.settings.useService({
      settings: { service: { kind: 'remote', baseUrl: runway.origin ?? '', ca: null } },
      profile: { ...runway.profile, name: 'Mine' },
    });
    run.showKeyOf(runway);
    run.key = KEY;
    await run.connect();
    expect(run.now).toMatchObject({ step: 'key', replaces: { name: 'Mine' } });
    expect(calls()).not.toContain('key.set');
    expect(run.key).toBe(KEY);

    await run.connect({ replace: 'Mine' });
    expect(run.now).toMatchObject({ step: 'connected', key: { state: 'accepted' } });
    expect(run.key).toBe('');
  });

  it('is forgotten once the service has refused it, and kept while the service does not answer', async () => {
    const refused = await firstRunOf();
    refused.run.showKeyOf(refused.offerOf('runway'));
    refused.run.key = 'wrong';
    await refused.run.connect();
    expect(refused.run.now).toMatchObject({ step: 'key', refused: true });
    expect(refused.run.key).toBe('');

    const unanswered = await firstRunOf({ keyUnanswered: true });
    unanswered.run.showKeyOf(unanswered.offerOf('runway'));
    unanswered.run.key = KEY;
    await unanswered.run.connect();
    expect(unanswered.run.now).toMatchObject({
      step: 'key',
      unchecked: { code: 'service-unreachable' },
    });
    expect(unanswered.calls()).not.toContain('settings.useService');
    expect(unanswered.run.key).toBe(KEY);

    await unanswered.run.connect({ unchecked: true });
    expect(unanswered.run.now).toMatchObject({ step: 'connected', key: { state: 'untested' } });
    expect(unanswered.run.key).toBe(KEY);
  });

  it('of an impossible form is an error of its field, until it is edited', async () => {
    const { run, offerOf, calls } = await firstRunOf();
    run.showKeyOf(offerOf('runway'));
    run.key = 'rw_01 23';
    await run.connect();
    expect(run.now).toMatchObject({ step: 'key', errors: [{ field: 'key' }] });
    expect(calls()).not.toContain('settings.useService');
    run.edited('key');
    expect(run.now).toMatchObject({ step: 'key', errors: [] });
  });
});

describe('the checks of a service', () => {
  const statesOf = ({ tried }: FirstRun) => tried?.checks.map(({ state }) => state);

  it('are shown as they end, and until the form is edited', async () => {
    const { engine, run, offerOf } = await firstRunOf({ keyUnanswered: true });
    const { tryService } = engine.client.settings;
    const answered = Promise.withResolvers<undefined>();
    async function* slowly(steps: AsyncIterable<ServiceTried>) {
      for await (const step of steps) {
        yield step;
        await answered.promise;
      }
    }
    Object.assign(engine.client.settings, {
      tryService: async (...input: Parameters<typeof tryService>) =>
        slowly(await tryService(...input)),
    });
    run.showKeyOf(offerOf('runway'));
    run.key = KEY;
    const connecting = run.connect();
    await expect.poll(() => statesOf(run)?.[0]).toBe('running');
    answered.resolve(undefined);
    await connecting;
    expect(statesOf(run)).toEqual(['failed', 'waiting', 'waiting', 'waiting']);
    run.edited('key');
    expect(run.tried).toBeNull();
  });

  it('all pass before anything is stored', async () => {
    const { run, offerOf, calls } = await firstRunOf();
    run.showKeyOf(offerOf('runway'));
    run.key = KEY;
    await run.connect();
    expect(statesOf(run)).toEqual(['passed', 'passed', 'passed', 'passed']);
    expect(run.tried).toMatchObject({ balance: { amount: 420, unit: 'credit' } });
    expect(calls().indexOf('settings.useService')).toBeGreaterThan(
      calls().indexOf('settings.tryService'),
    );
  });

  it('end when the form is left, and nothing is stored', async () => {
    const { run, offerOf, calls } = await firstRunOf();
    run.showKeyOf(offerOf('runway'));
    run.key = KEY;
    const connecting = run.connect();
    run.leaveKey();
    await connecting;
    expect(calls()).not.toContain('settings.useService');
  });
});

describe('an answer that comes after its form was left', () => {
  it('does not interrupt the entry of another key', async () => {
    const { engine, run, offerOf } = await firstRunOf();
    const late = Promise.withResolvers<undefined>();
    const { tryService } = engine.client.settings;
    const slow: typeof tryService = async (...input) => {
      const answer = await tryService(...input);
      await late.promise;
      return answer;
    };
    Object.assign(engine.client.settings, { tryService: slow });
    run.showServices();
    run.showKeyOf(offerOf('runway'));
    run.key = 'wrong';
    const connecting = run.connect();
    run.leaveKey();
    run.showKeyOf(offerOf('luma'));
    run.key = KEY;
    late.resolve(undefined);
    await connecting;
    expect(run.now).toMatchObject({ step: 'key', refused: false, connecting: false });
    expect(run.key).toBe(KEY);
  });
});
