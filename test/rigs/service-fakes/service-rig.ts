import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { BatchOptions } from '../../../src/contract/batch.ts';
import type { Job } from '../../../src/contract/job.ts';
import { openEngine, type TestEngine } from '../open-engine.ts';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import type { Profile } from '../../../src/engine/profiles/profile.ts';
import { builtInProfile, builtInServices } from '../../../src/engine/profiles/services.ts';
import type { TestCertificate } from '../certificates.ts';
import { SeededRandom } from '../seeded-random.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { VirtualClock } from '../virtual-clock.ts';
import { FakeVideoService } from './fake-video-service.ts';
import type { ServiceFacts } from './service-facts.ts';

/** The profile of a service, and rows for it. */
interface Described {
  readonly profile: Profile;
  readonly batch: ServiceFacts['batch'];
}

interface RigParts extends Described {
  readonly clock: VirtualClock;
  readonly ca: string;
}

function profileOf({ service }: ServiceFacts): Profile {
  const builtIn = builtInServices.find((name) => name === service);
  if (builtIn === undefined) throw new Error(`${service} is not built in.`);
  return builtInProfile(builtIn);
}

/** A whole engine with the profile of a service, on a fake of that service. */
export class ServiceRig {
  readonly service: FakeVideoService;
  readonly clock: VirtualClock;
  readonly defects: unknown[] = [];
  readonly #folder = temporaryFolder();
  readonly #random = new SeededRandom(1);
  readonly #keys = new MemoryKeyStore();
  readonly #ca: string;
  #engine: TestEngine | null = null;

  readonly #described: Profile;
  readonly #batch: ServiceFacts['batch'];

  private constructor(service: FakeVideoService, { clock, ca, profile, batch }: RigParts) {
    this.service = service;
    this.clock = clock;
    this.#ca = ca;
    this.#described = profile;
    this.#batch = batch;
  }

  /** @param described a profile and rows for it; the built-in profile and the facts' rows by default */
  static async open(
    facts: ServiceFacts,
    certificate: TestCertificate,
    described: Described = { profile: profileOf(facts), batch: facts.batch },
  ): Promise<ServiceRig> {
    const network: { service: FakeVideoService | null } = { service: null };
    const clock = new VirtualClock(undefined, () => network.service?.isNetworkBusy() ?? false);
    const service = await FakeVideoService.start(facts, clock, certificate);
    network.service = service;
    const rig = new ServiceRig(service, { clock, ca: certificate.ca, ...described });
    onTestFinished(async () => {
      await rig.close();
      await service.stop();
    });
    await rig.#keys.set(service.origin, service.key);
    await rig.start();
    return rig;
  }

  get engine(): TestEngine {
    if (this.#engine === null) throw new Error('The engine is closed.');
    return this.#engine;
  }

  /** Opens the engine on the folder of this rig, as starting the app does. */
  async start(): Promise<void> {
    const { service, clock } = this;
    this.#engine = await openEngine({
      dataDir: this.#folder,
      service: {
        name: service.facts.service,
        baseUrl: service.origin,
        ca: this.#ca,
        profile: this.#profile(),
        allowedDownloadOrigin: service.host,
      },
      plan: { name: 'custom', limit: 500, anchor: Date.UTC(2026, 0, 1) },
      defaultFolder: path.join(this.#folder, 'renders'),
      // The identifiers of requests are random and unique.
      keys: this.#keys,
      clock,
      random: () => this.#random.next(),
      logger: { info: () => undefined, warn: (fields) => this.defects.push(fields) },
    });
  }

  async close(): Promise<void> {
    const closed = this.#engine?.close();
    let isClosed = false;
    void closed?.then(() => (isClosed = true));
    if (closed) await this.until(() => isClosed);
    this.#engine = null;
  }

  /** Adds a batch of the service's own example rows. */
  async add(count: number, name = 'Batch.csv', options: BatchOptions = {}): Promise<void> {
    const [header, row] = this.#batch;
    const rows = Array.from({ length: count }, (_, index) => row.replaceAll('{n}', `${index + 1}`));
    const source = { name, content: [header, ...rows].join('\n') };
    await this.engine.commands.batches.add({ origin: this.service.origin, source, options });
  }

  async jobs(): Promise<Job[]> {
    return (await this.engine.commands.jobs.list({ offset: 0, limit: 1000 })).jobs;
  }

  async states(): Promise<string[]> {
    return (await this.jobs()).map(({ state }) => state);
  }

  /**
   * Advances time until a condition holds.
   *
   * @param everyMs the least time between two checks
   */
  async until(
    condition: () => boolean | Promise<boolean>,
    withinMs = 24 * 3_600_000,
    everyMs = 1,
  ): Promise<void> {
    const end = this.clock.monotonic() + withinMs;
    while (!(await condition())) {
      if (this.clock.monotonic() > end) throw new Error(`Not so within ${withinMs} ms.`);
      await this.clock.advance(Math.max(everyMs, this.clock.nextDueIn ?? everyMs));
    }
  }

  /** The profile with the fake's address instead of the service's. */
  #profile(): Profile {
    const profile = this.#described;
    if (!profile.api) throw new Error('The profile has no endpoints.');
    return { ...profile, api: { ...profile.api, origin: null } };
  }
}
