import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { PAGES, type AppUpdate, type PageRequest } from '../../../src/contract/computer.ts';
import { applicationMenu, trayMenu, type MenuParts } from '../../../src/main/menu.ts';
import { textsFor } from '../../../src/main/texts.ts';
import { VIEWS } from '../../../src/renderer/state/views.ts';

const nothing = (): void => undefined;

function parts(platform: NodeJS.Platform, requests: PageRequest[] = []): MenuParts {
  return {
    platform,
    texts: textsFor('en'),
    status: { paused: false, severalServices: false },
    startsAtLogin: false,
    updates: null,
    actions: {
      addPageRequest: (request) => requests.push(request),
      openBatch: nothing,
      openVideosFolder: nothing,
      setPaused: nothing,
      setStartAtLogin: nothing,
      setUpdates: nothing,
      restartToUpdate: nothing,
      copyDiagnostics: nothing,
      showLogs: nothing,
      showWindow: nothing,
      quit: nothing,
    },
  };
}

function flat(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [
    item,
    ...(Array.isArray(item.submenu) ? flat(item.submenu) : []),
  ]);
}

describe('the application’s menu', () => {
  it('opens every view of the page with its number key', () => {
    expect(PAGES).toEqual(VIEWS);
    const requests: PageRequest[] = [];
    const items = flat(applicationMenu(parts('linux', requests)));
    const found = PAGES.map((page) => items.find(({ id }) => id === page));
    expect(found.map((item) => item?.accelerator)).toEqual(
      PAGES.map((_, index) => `CmdOrCtrl+${index + 1}`),
    );
    for (const item of found) item?.click?.({} as never, undefined, {});
    expect(requests).toEqual(PAGES.map((page) => ({ kind: 'show', page })));
  });

  it.each(['linux', 'win32', 'darwin'] as const)('uses no shortcut twice: %s', (platform) => {
    const keys = flat(applicationMenu(parts(platform))).flatMap(
      ({ accelerator }) => accelerator ?? [],
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has the settings where macOS has them', () => {
    const [own] = applicationMenu(parts('darwin'));
    const settings = Array.isArray(own?.submenu) ? own.submenu : [];
    expect(settings.find(({ accelerator }) => accelerator === 'Cmd+,')?.label).toBe('Settings…');
  });

  it('has no item with Electron’s default label', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const) {
      const german = { ...parts(platform), texts: textsFor('de') };
      const nameless = flat(applicationMenu(german)).filter(
        ({ type, role, label }) => type !== 'separator' && role !== 'appMenu' && !label,
      );
      expect(nameless).toEqual([]);
    }
  });

  it('offers updates only where the build has any', () => {
    const without = flat(applicationMenu({ ...parts('linux'), updates: null }));
    expect(without.filter(({ id }) => id?.includes('update'))).toEqual([]);
    const updates = { channel: 'preview', now: { state: 'none' } } as const;
    const choice = flat(applicationMenu({ ...parts('linux'), updates })).filter(
      ({ type }) => type === 'radio',
    );
    expect(choice.map(({ id, checked }) => [id, checked])).toEqual([
      ['updates-stable', false],
      ['updates-preview', true],
      ['updates-off', false],
    ]);
  });

  it('offers a restart to a version that is ready, and not during a batch', () => {
    const restartIn = (now: AppUpdate) =>
      flat(applicationMenu({ ...parts('darwin'), updates: { channel: 'stable', now } })).find(
        ({ id }) => id === 'restart-to-update',
      );
    expect(restartIn({ state: 'downloading', version: '2.0.0' })).toBeUndefined();
    expect(restartIn({ state: 'ready', version: '2.0.0', waits: true })?.enabled).toBe(false);
    expect(restartIn({ state: 'ready', version: '2.0.0', waits: false })?.enabled).toBe(true);
  });
});

it('the tray shows the status of the queue, pauses it and quits the app', () => {
  const items = trayMenu(parts('linux'), '3 of 8 saved');
  expect(items[0]).toMatchObject({ label: '3 of 8 saved', enabled: false });
  expect(items.map(({ id }) => id).filter((id) => id !== undefined)).toEqual([
    'tray-show',
    'tray-pause',
    'tray-quit',
  ]);
});
