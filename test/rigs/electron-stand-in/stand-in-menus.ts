import { existsSync } from 'node:fs';
import type { MenuItemConstructorOptions } from 'electron';
import type { Journal } from './journal.ts';
import { KnownEvents } from './strict.ts';

/** An item that a test can choose as a hand would. */
class StandInMenuItem {
  readonly id: string | undefined;
  readonly label: string;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  readonly enabled: boolean;
  checked: boolean;
  readonly submenu: StandInMenu | null;
  readonly #options: MenuItemConstructorOptions;

  constructor(options: MenuItemConstructorOptions) {
    this.#options = options;
    this.id = options.id;
    this.label = options.label ?? '';
    this.role = options.role;
    this.accelerator = options.accelerator;
    this.enabled = options.enabled ?? true;
    this.checked = options.checked ?? false;
    this.submenu = Array.isArray(options.submenu) ? new StandInMenu(options.submenu) : null;
  }

  click(): void {
    if (this.#options.type === 'checkbox') this.checked = !this.checked;
    this.#options.click?.(this as never, undefined, {});
  }
}

export class StandInMenu {
  static #application: StandInMenu | null = null;
  readonly items: readonly StandInMenuItem[];

  constructor(template: readonly MenuItemConstructorOptions[]) {
    this.items = template.map((options) => new StandInMenuItem(options));
  }

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): StandInMenu {
    return new StandInMenu(template);
  }

  static setApplicationMenu(menu: StandInMenu | null): void {
    StandInMenu.#application = menu;
  }

  static getApplicationMenu(): StandInMenu | null {
    return StandInMenu.#application;
  }

  getMenuItemById(id: string): StandInMenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}

/** A place in the system's tray; what it shows is in the journal. */
export class StandInTray extends KnownEvents {
  readonly #journal: Journal;
  #isDestroyed = false;

  constructor(journal: Journal, image: string) {
    super('Tray', ['click']);
    if (!existsSync(image)) throw new Error(`Failed to load image from path ${image}`);
    this.#journal = journal;
  }

  setToolTip(text: string): void {
    this.#journal.note('tray', text);
  }

  setContextMenu(menu: StandInMenu): void {
    this.#journal.note(
      'tray-menu',
      menu.items.map(({ label }) => label),
    );
  }

  destroy(): void {
    // As Electron does with whatever it has destroyed.
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
    this.#isDestroyed = true;
    this.removeAllListeners('click');
  }
}
