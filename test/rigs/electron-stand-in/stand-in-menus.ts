import { existsSync } from 'node:fs';
import type { MenuItemConstructorOptions } from 'electron';
import type { Journal } from './journal.ts';
import { KnownEvents } from './strict.ts';

/** An item that a test can select as a user would. Its label cannot be changed later. */
class StandInMenuItem {
  readonly id: string | undefined;
  readonly label: string;
  readonly role: string | undefined;
  readonly accelerator: string | undefined;
  enabled: boolean;
  visible: boolean;
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
    this.visible = options.visible ?? true;
    this.checked = options.checked ?? false;
    this.submenu = Array.isArray(options.submenu) ? new StandInMenu(options.submenu) : null;
  }

  click(): void {
    if (this.role !== undefined) StandInMenu.journal?.note('role', this.role);
    if (this.#options.type === 'checkbox') this.checked = !this.checked;
    if (this.#options.type === 'radio') this.checked = true;
    this.#options.click?.(this as never, undefined, {});
  }
}

export class StandInMenu extends KnownEvents {
  static journal: Journal | null = null;
  static #application: StandInMenu | null = null;
  /** The menu that was last opened, for a test to select from. */
  static popped: StandInMenu | null = null;
  readonly items: readonly StandInMenuItem[];

  constructor(template: readonly MenuItemConstructorOptions[]) {
    super('Menu', ['menu-will-show', 'menu-will-close']);
    this.items = template.map((options) => new StandInMenuItem(options));
  }

  static buildFromTemplate(template: readonly MenuItemConstructorOptions[]): StandInMenu {
    return new StandInMenu(template);
  }

  static setApplicationMenu(menu: StandInMenu | null): void {
    // On some systems this closes an open menu.
    StandInMenu.journal?.note('application-menu');
    StandInMenu.#application = menu;
  }

  static getApplicationMenu(): StandInMenu | null {
    return StandInMenu.#application;
  }

  /** Opens below the pointer, until an item is selected. */
  popup(): void {
    StandInMenu.popped = this;
    const shown = this.items.filter(({ visible }) => visible);
    StandInMenu.journal?.note(
      'popup',
      shown.map(({ label, enabled }) => `${label}${enabled ? '' : ' (off)'}`),
    );
  }

  getMenuItemById(id: string): StandInMenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}

/** An icon in the system's tray; its content is in the journal. */
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
    // Electron throws the same for destroyed objects.
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
    this.#isDestroyed = true;
    this.removeAllListeners('click');
  }
}
