import { Serial } from '../../src/engine/serial.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { headlessComputer, type Computer } from '../../src/host/computer.ts';
import { CallGate } from '../../src/host/call-gate.ts';
import { noLog } from '../../src/host/log.ts';
import type { PrimaryProcess } from '../../src/host/primary-contract.ts';
import { QueueServices } from '../../src/host/queue-services.ts';
import { createRouter, type Router } from '../../src/host/router.ts';
import { SettingsStore } from '../../src/host/settings/settings-store.ts';
import { SettingsService } from '../../src/host/settings/settings-service.ts';
import { SettingsFile } from '../../src/host/settings/settings-file.ts';

const BASE_URL = 'https://service.invalid';

/** For the endpoint of a primary process with one service. */
export function oneService(router: Router, primary: PrimaryProcess) {
  return {
    router,
    primary: () => primary,
    routerAt: () => router,
    use: () => Promise.resolve({ ...primary, origin: BASE_URL }),
  };
}

/** The contract over an engine that a test opened; its settings are in `folder`. */
export function routerFor(
  engine: Engine,
  folder: string,
  computer: Computer = headlessComputer,
): Router {
  const gate = new CallGate();
  const plan = { name: 'starter', anchor: Date.UTC(2026, 0, 1) };
  const choice = { kind: 'remote', baseUrl: BASE_URL, plan } as const;
  const shared = {
    engine,
    settingsStore: new SettingsStore(new SettingsFile(folder, () => Date.UTC(2026, 0, 5))),
    changes: new Serial(),
  };
  const link = {
    plan,
    drawFrame: null,
    service: { name: 'nowhere', baseUrl: BASE_URL },
    ended: new Promise<void>(() => undefined),
    close: () => Promise.resolve(),
  };
  const services = new QueueServices({
    ...shared,
    gate,
    canCorrectProfiles: false,
    connect: () => Promise.reject(new Error('There is no other service here.')),
    unavailable: () => null,
    localOrigin: () => null,
    sleep: () => Promise.resolve(),
    onError: () => undefined,
  });
  services.begin(choice, link, undefined);
  const settingsService = new SettingsService({
    ...shared,
    services,
    overrides: { service: choice },
    fallbackFolder: `${folder}/videos`,
  });
  return createRouter({ engine, computer, log: noLog, settingsService, services, gate });
}
