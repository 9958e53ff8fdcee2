import { Serial } from '../../src/engine/serial.ts';
import { headlessComputer, type Computer } from '../../src/host/computer.ts';
import { MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import { ManagedServices } from '../../src/host/managed-services.ts';
import { noLog } from '../../src/host/log.ts';
import type { PrimaryProcess } from '../../src/host/primary-contract.ts';
import { PowerSupply } from '../../src/host/power-supply.ts';
import { QueueServices } from '../../src/host/queue-services.ts';
import { createRouter, type Router } from '../../src/host/router.ts';
import { serviceName } from '../../src/host/service-link.ts';
import { SettingsStore } from '../../src/host/settings/settings-store.ts';
import { Thumbnails } from '../../src/host/thumbnails.ts';
import { SettingsService } from '../../src/host/settings/settings-service.ts';
import { SettingsFile } from '../../src/host/settings/settings-file.ts';
import type { TestEngine } from './open-engine.ts';

const BASE_URL = 'https://service.invalid';

/** For the endpoint of a primary process with one service; this process by default. */
export function oneService(router: Router, changed: Partial<PrimaryProcess> = {}) {
  const primary: PrimaryProcess = {
    protocol: 1,
    pid: process.pid,
    service: BASE_URL,
    profile: '0',
    ...changed,
  };
  return {
    router,
    primary: () => primary,
    routerAt: () => router,
    use: () => Promise.resolve({ ...primary, origin: BASE_URL }),
  };
}

/** The contract over an engine that a test opened; its settings are in `folder`. */
export async function routerFor(
  { engine, shown }: TestEngine,
  folder: string,
  computer: Computer = headlessComputer,
): Promise<Router> {
  const { id, connect, plan = (await connect(new AbortController().signal)).plan } = shown;
  const choice = { kind: 'remote', baseUrl: id, plan } as const;
  const shared = {
    engine,
    settingsStore: new SettingsStore(new SettingsFile(folder, () => Date.UTC(2026, 0, 5))),
    changes: new Serial(),
  };
  const services = new QueueServices({
    ...shared,
    canCorrectProfiles: false,
    connect: (other, signal = new AbortController().signal) =>
      serviceName(other) === id
        ? connect(signal)
        : Promise.reject(new Error('There is no other service here.')),
    unavailability: () => null,
    localOrigin: () => null,
    ensureLocalOrigin: () => Promise.reject(new Error('There is no local service here.')),
  });
  await services.showFirst(choice);
  const settingsService = new SettingsService({
    ...shared,
    services,
    power: new PowerSupply(),
    overrides: { service: choice },
    fallbackFolder: `${folder}/videos`,
  });
  const thumbnails = new Thumbnails({ fileOf: () => undefined }, () => Promise.resolve(null));
  const managedServices = new ManagedServices({
    ...shared,
    services,
    settingsService,
    keys: new MemoryKeyStore(),
    dataDir: folder,
  });
  const parts = { computer, log: noLog, settingsService, services, managedServices, thumbnails };
  return createRouter({ engine: services.view, ...parts });
}
