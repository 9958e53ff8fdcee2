import { expect, test } from 'vitest';
import { Connections } from '../../../src/engine/downloads/connections.ts';
import type { ApiKey } from '../../../src/engine/flow/api-key.ts';
import { DiskRoom } from '../../../src/engine/downloads/disk.ts';
import { PartLocks } from '../../../src/engine/downloads/part-locks.ts';
import { createExternalServices } from '../../../src/engine/external-services.ts';
import type { SharedContext } from '../../../src/engine/engine-options.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import { SettingsStore } from '../../../src/host/settings/settings-store.ts';
import { SettingsFile } from '../../../src/host/settings/settings-file.ts';
import { engineSettings } from '../../../src/host/settings/effective-settings.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

// abuse.md 46
test('an engine allows addresses of VPNs only if the settings file says so', async () => {
  const folder = temporaryFolder();
  const allowed = async (): Promise<boolean | undefined> => {
    const { settings } = new SettingsStore(new SettingsFile(folder, () => 0));
    const shared: Partial<SharedContext> = {
      settings: engineSettings(settings, folder),
      clock: new VirtualClock(),
      random: () => 0.5,
      room: new DiskRoom(),
      locks: new PartLocks(),
    };
    const key: Partial<ApiKey> = { forOrigin: () => null };
    const services = createExternalServices(
      { name: 'the service', baseUrl: 'https://service.example' },
      key as ApiKey,
      usualRules,
      shared as SharedContext,
    );
    await services.close();
    if (!(services.connections instanceof Connections))
      throw new Error('These are no connections.');
    return services.connections.policy.allowVpnAddresses;
  };
  expect(await allowed()).toBe(false);

  const store = new SettingsStore(new SettingsFile(folder, () => 0));
  const { settings, errors } = store.check({ allowVpnAddresses: true });
  expect(errors).toEqual([]);
  store.change({ allowVpnAddresses: true }, settings);
  expect(await allowed()).toBe(true);
});
