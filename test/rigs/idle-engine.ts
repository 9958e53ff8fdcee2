import { onTestFinished } from 'vitest';
import { openEngine } from './open-engine.ts';
import { MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import { systemClock } from '../../src/engine/system-clock.ts';
import { headlessComputer, type Computer } from '../../src/host/computer.ts';
import { clientInProcess } from '../../src/host/router.ts';
import { routerFor } from './router-for.ts';

/** A real engine without a key, so that it sends nothing, and the contract over it. */
export async function openIdleEngine(folder: string, computer: Computer = headlessComputer) {
  const engine = await openEngine({
    dataDir: `${folder}/data`,
    service: { name: 'nowhere', baseUrl: 'https://service.invalid' },
    plan: { name: 'starter', anchor: Date.UTC(2026, 0, 1) },
    defaultFolder: `${folder}/videos`,
    keys: new MemoryKeyStore(),
    clock: systemClock,
    random: Math.random,
  });
  onTestFinished(() => engine.close());
  const router = await routerFor(engine, folder, computer);
  return { engine, router, client: clientInProcess(router) };
}
