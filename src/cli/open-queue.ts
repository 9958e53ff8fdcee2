import { MemoryKeyStore } from '../engine/keys/memory-key-store.ts';
import type { KeyStore } from '../engine/keys/key-store.ts';
import { openKeyStore } from '../engine/keys/open-key-store.ts';
import type { Profile } from '../engine/profile.ts';
import { systemClock } from '../engine/system-clock.ts';
import { desktopComputer } from '../host/desktop-computer.ts';
import { openLog } from '../host/log.ts';
import { openHost, type Host } from '../host/open-host.ts';
import { peekAtSettings } from '../host/settings/settings-book.ts';
import type { CommandContext } from './command-context.ts';
import { readProfileFile } from './profile-file.ts';
import { serviceOptions, type EngineSettings } from './settings.ts';

/** Opens the queue as the settings say and works it. */
export async function openQueue(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
): Promise<Host> {
  return openHost({
    dataDir: settings.dataDir,
    ...serviceOptions(settings, context.now()),
    defaultFolder,
    profile: await profileOf(settings),
    keys: await keysFor(settings, context),
    serviceProgram: context.serviceProgram,
    computer: desktopComputer(process.platform, process.env),
    log: openLog(settings.dataDir),
  });
}

/** Opens the queue with no key, so that nothing can be sent and nothing spent. */
export async function lookAtQueue(
  settings: EngineSettings,
  defaultFolder: string,
  context: CommandContext,
): Promise<Host> {
  return openHost({
    dataDir: settings.dataDir,
    ...serviceOptions(settings, context.now()),
    defaultFolder,
    profile: await profileOf(settings),
    keys: new MemoryKeyStore(),
    serviceProgram: context.serviceProgram,
    onlyLook: true,
  });
}

/** The profile that the settings name; `undefined` for the usual one. */
export async function profileOf({ profile }: EngineSettings): Promise<Profile | undefined> {
  return profile === undefined ? undefined : readProfileFile(profile);
}

/** The service that this run is for: `local` or an address, of the options or else the settings. */
export function serviceOf({ service, dataDir }: EngineSettings): string {
  if (service !== undefined) return service;
  const chosen = peekAtSettings(dataDir).service;
  return chosen.kind === 'local' ? chosen.kind : chosen.baseUrl;
}

/** A key from the environment is for this run alone and takes the place of any other. */
async function keysFor(settings: EngineSettings, context: CommandContext): Promise<KeyStore> {
  const service = serviceOf(settings);
  if (service !== 'local' && context.keyFromEnvironment !== null) {
    const keys = new MemoryKeyStore();
    await keys.set(new URL(service).origin, context.keyFromEnvironment);
    return keys;
  }
  const { store, reason } = await openKeyStore({ clock: systemClock });
  // The local service's key is made anew where it cannot be kept: nobody has to be told.
  if (reason !== null && service !== 'local') context.stderr.write(`${reason}\n`);
  return store;
}
