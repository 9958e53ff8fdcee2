import { expect, it } from 'vitest';
import type { OtherServiceStatus, Summary } from '../../../src/contract/summary.ts';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { ServicesState } from '../../../src/renderer/state/services-state.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { counts, summary } from '../../rigs/summary-builder.ts';

const at = (host: string, flow: OtherServiceStatus['flow'] = null): OtherServiceStatus => ({
  name: host,
  origin: `https://${host}`,
  isLocal: false,
  counts: counts(),
  batches: [],
  flow,
});

const RUNWAY = at('api.dev.runwayml.com', { state: 'running' });
const CREATOMATE = at('api.creatomate.com');

function servicesOf(of: Summary) {
  const engine = fakeEngine({ states: [], others: [RUNWAY, CREATOMATE] }, 0);
  const { client } = engine;
  const reads: (() => void)[] = [];
  let now = of;
  const texts = () => en;
  const services = new ServicesState(
    {
      ...client,
      services: {
        ...client.services,
        list: async () => {
          await new Promise<void>((resolve) => reads.push(resolve));
          return client.services.list();
        },
      },
    },
    new Commands(client, new Toasts(() => Promise.resolve(), 0), texts),
    () => now,
    texts,
  );
  return {
    services,
    reads,
    engine,
    apply: (next: Summary): void => {
      now = next;
      services.onSummary(next);
      for (const read of reads.splice(0)) read();
    },
  };
}

it('names services by profile once profiles are read, or else by host', async () => {
  const of = summary({ others: [RUNWAY, at('videos.example.com')] });
  const { services, apply } = servicesOf(of);
  const names = () => services.all.map((service) => services.fullNameOf(service));
  expect(names()).toEqual(['api.dev.runwayml.com', 'This computer', 'videos.example.com']);
  apply(of);
  await expect.poll(names).toEqual(['Runway', 'This computer', 'videos.example.com']);
  apply(summary({ others: [RUNWAY, CREATOMATE] }));
  await expect.poll(names).toEqual(['Creatomate', 'Runway', 'This computer']);
});

it('reads the names again only when there is another service', () => {
  const of = summary({ others: [RUNWAY] });
  const { services, reads, apply } = servicesOf(of);
  apply(of);
  services.onSummary(of);
  expect(reads).toHaveLength(0);
  services.onSummary(summary({ others: [RUNWAY, CREATOMATE] }));
  expect(reads).toHaveLength(1);
});

it('reads the names again with the next summary after a read failed', async () => {
  const of = summary({ others: [RUNWAY] });
  const { services, reads, engine, apply } = servicesOf(of);
  const { services: calls } = engine.client;
  const { list } = calls;
  Object.assign(calls, { list: () => Promise.reject(new Error('no')) });
  apply(of);
  await new Promise((resolve) => setImmediate(resolve));
  Object.assign(calls, { list });
  services.onSummary(of);
  expect(reads).toHaveLength(1);
  for (const read of reads.splice(0)) read();
  await expect.poll(() => services.fullNameOf(RUNWAY)).toBe('Runway');
});

it('reads no names where everything is rendered on this computer', () => {
  const { services, reads } = servicesOf(summary());
  services.onSummary(summary());
  services.onSettings();
  expect(reads).toHaveLength(0);
});

it('renames and removes a service by its address', async () => {
  const { services, engine } = servicesOf(summary({ others: [RUNWAY] }));
  await services.rename(RUNWAY.origin, '  Studio ');
  await services.rename(RUNWAY.origin, ' ');
  expect(await services.remove(RUNWAY.origin, 'archive')).toEqual({ keyTrouble: null });
  expect(engine.calls.filter(({ name }) => name.startsWith('services.'))).toEqual([
    { name: 'services.rename', input: { origin: RUNWAY.origin, name: 'Studio' } },
    { name: 'services.rename', input: { origin: RUNWAY.origin, name: null } },
    { name: 'services.remove', input: { origin: RUNWAY.origin, rows: 'archive' } },
  ]);
});

it('adds the host where two services have one name', () => {
  const others = [
    { ...at('one.example.com'), name: 'Cuts' },
    { ...at('two.example.com'), name: 'Cuts' },
  ];
  const { services } = servicesOf(summary({ others }));
  expect(services.all.map((service) => services.fullNameOf(service))).toEqual([
    'Cuts (one.example.com)',
    'Cuts (two.example.com)',
    'This computer',
  ]);
});

it('names the service to pause only where another one runs too', () => {
  const working = servicesOf(summary({ others: [RUNWAY] })).services;
  expect([working.nameToPause, working.canPauseAll(), working.canResumeAll()]).toEqual([
    'rendering on this computer',
    true,
    false,
  ]);
  const resting = servicesOf(summary({ others: [CREATOMATE] })).services;
  expect([resting.nameToPause, resting.canPauseAll()]).toEqual([null, false]);
});
