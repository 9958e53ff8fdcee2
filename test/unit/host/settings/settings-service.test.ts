import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Serial } from '../../../../src/engine/serial.ts';
import type { ServiceChoice } from '../../../../src/host/service-link.ts';
import { PowerSupply } from '../../../../src/host/power-supply.ts';
import { SettingsFile } from '../../../../src/host/settings/settings-file.ts';
import {
  SettingsService,
  type SettingsServiceParts,
} from '../../../../src/host/settings/settings-service.ts';
import { SettingsStore } from '../../../../src/host/settings/settings-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const ORIGIN = 'https://api.example.com';
const CHOICE: ServiceChoice = {
  kind: 'remote',
  baseUrl: ORIGIN,
  plan: { name: 'starter', anchor: 0 },
};

/** Settings of a service with an invalid profile. No service can be shown. */
function open(isOnBattery = () => false) {
  const folder = temporaryFolder();
  const service = { kind: 'remote', baseUrl: ORIGIN };
  const document = { version: 1, service, profiles: { [ORIGIN]: { name: 'Mine' } } };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(document));
  const settingsStore = new SettingsStore(new SettingsFile(folder, () => 0));
  const power = new PowerSupply(isOnBattery);
  const settingsService = new SettingsService({
    settingsStore,
    power,
    overrides: {},
    fallbackFolder: folder,
    engine: { services: () => [] } as unknown as SettingsServiceParts['engine'],
    services: {
      localOrigin: null,
      shown: { choice: CHOICE, origin: ORIGIN, profile: undefined },
      show: () => Promise.reject(new Error('The disk is full.')),
    } as unknown as SettingsServiceParts['services'],
    changes: new Serial(),
  });
  return { settingsStore, settingsService, power };
}

test('an invalid profile is not dropped for one that cannot be used', async () => {
  const { settingsStore, settingsService } = open();
  await expect(settingsService.resetProfile(ORIGIN)).rejects.toThrow('The disk is full.');
  expect(settingsStore.hasUnusableProfile(ORIGIN)).toBe(true);

  const service = { kind: 'remote', baseUrl: ORIGIN, ca: null } as const;
  const wanted = { settings: { service }, profile: null };
  const { replaces } = await settingsService.useService(wanted);
  const using = settingsService.useService({ ...wanted, replace: replaces?.confirmation ?? '' });
  await expect(using).rejects.toThrow('The disk is full.');
  // The default one would make other requests of its rows.
  expect(() => settingsStore.profileOf(ORIGIN)).toThrow('The saved profile');
});

test('watchers learn that the computer runs on battery', async () => {
  let isOnBattery = false;
  const { settingsService, power } = open(() => isOnBattery);
  const stop = new AbortController();
  const views = settingsService.views(stop.signal);
  expect((await views.next()).value).toMatchObject({ isOnBattery: false });
  const next = views.next();
  power.update();
  isOnBattery = true;
  power.update();
  expect((await next).value).toMatchObject({ isOnBattery: true });
  stop.abort();
});

test('settings are not watched any more after their watcher ends', async () => {
  const { settingsStore, settingsService } = open();
  const onChange = settingsStore.onChange.bind(settingsStore);
  let watchers = 0;
  settingsStore.onChange = (listener) => {
    const unsubscribe = onChange(listener);
    watchers += 1;
    return () => {
      watchers -= 1;
      unsubscribe();
    };
  };
  const stop = new AbortController();
  const views = settingsService.views(stop.signal);
  expect((await views.next()).value?.settings.theme).toBe('system');
  const next = views.next();
  settingsStore.change({ theme: 'dark' }, { ...settingsStore.settings, theme: 'dark' });
  expect((await next).value?.settings.theme).toBe('dark');
  expect(watchers).toBe(1);
  const last = views.next();
  stop.abort();
  expect(await last).toMatchObject({ done: true });
  expect(watchers).toBe(0);
});
