import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it, vi } from 'vitest';
import { LiveMenu, TrayMenu } from '../../../src/main/live-menu.ts';
import { StandInMenu } from '../../rigs/electron-stand-in/stand-in-menus.ts';

vi.mock('electron', async () => {
  const { StandInMenu: Menu } = await import('../../rigs/electron-stand-in/stand-in-menus.ts');
  return { Menu };
});

const template = (label: string, checked: boolean): MenuItemConstructorOptions[] => [
  { label, enabled: false },
  { label: 'Queue', submenu: [{ id: 'pause', label: 'Pause', type: 'checkbox', checked }] },
];

function placed(): { readonly menus: StandInMenu[]; readonly place: (menu: unknown) => void } {
  const menus: StandInMenu[] = [];
  return { menus, place: (menu) => void menus.push(menu as StandInMenu) };
}

const isPaused = (menu: StandInMenu | undefined) => menu?.getMenuItemById('pause')?.checked;

describe('the application’s menu', () => {
  it('updates checkmarks in place, and is replaced only for other labels', () => {
    const { menus, place } = placed();
    const menu = new LiveMenu(place);
    menu.show(template('Spool', false));
    menu.show(template('Spool', true));
    expect(menus).toHaveLength(1);
    expect(isPaused(menus[0])).toBe(true);
    menu.show(template('Die Spule', true));
    expect(menus).toHaveLength(2);
  });
});

describe('the tray’s menu', () => {
  it('does not change while it is open, and shows the latest text afterwards', async () => {
    const { menus, place } = placed();
    const menu = new TrayMenu(place);
    menu.show(template('1 of 3 saved', false));
    menus[0]?.emit('menu-will-show');
    menu.show(template('2 of 3 saved', false));
    menu.show(template('3 of 3 saved', true));
    expect(menus).toHaveLength(1);
    menus[0]?.emit('menu-will-close');
    await new Promise((resolve) => setImmediate(resolve));
    expect(menus).toHaveLength(2);
    expect(menus[1]?.items[0]?.label).toBe('3 of 3 saved');
    expect(isPaused(menus[1])).toBe(true);
  });

  it('does not change while it is open again', async () => {
    const { menus, place } = placed();
    const menu = new TrayMenu(place);
    menu.show(template('1 of 3 saved', false));
    menus[0]?.emit('menu-will-show');
    menu.show(template('2 of 3 saved', false));
    menus[0]?.emit('menu-will-close');
    menus[0]?.emit('menu-will-show');
    await new Promise((resolve) => setImmediate(resolve));
    expect(menus).toHaveLength(1);
  });
});
