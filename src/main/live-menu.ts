import { Menu, type MenuItemConstructorOptions } from 'electron';

type BuiltMenu = ReturnType<typeof Menu.buildFromTemplate>;

/**
 * A menu that is updated in place as far as Electron allows: `checked`, `enabled` and `visible`
 * change, labels do not. Replacing a menu would close an open one on some systems.
 */
export class LiveMenu {
  readonly #install: (menu: BuiltMenu) => void;
  #template: readonly MenuItemConstructorOptions[] = [];
  #menu: BuiltMenu | null = null;

  /** @param install gives a built menu to the system */
  constructor(install: (menu: BuiltMenu) => void) {
    this.#install = install;
  }

  show(template: MenuItemConstructorOptions[]): void {
    const isSame = this.#menu !== null && immutablePart(template) === immutablePart(this.#template);
    this.#template = template;
    if (this.#menu !== null && isSame) {
      updateItems(this.#menu, template);
      return;
    }
    this.#menu = Menu.buildFromTemplate(template);
    this.#install(this.#menu);
  }
}

/**
 * The tray menu. Its first line changes with every video, and a changed label needs a new menu (on
 * Linux, so does a changed check mark). While the menu is open, it is not replaced.
 */
export class TrayMenu {
  readonly #install: (menu: BuiltMenu) => void;
  #isOpen = false;
  #next: MenuItemConstructorOptions[] | null = null;

  constructor(install: (menu: BuiltMenu) => void) {
    this.#install = install;
  }

  show(template: MenuItemConstructorOptions[]): void {
    this.#next = template;
    if (!this.#isOpen) this.#installNext();
  }

  #installNext(): void {
    if (this.#next === null) return;
    const menu = Menu.buildFromTemplate(this.#next);
    this.#next = null;
    menu.on('menu-will-show', () => {
      this.#isOpen = true;
    });
    menu.on('menu-will-close', () => {
      this.#isOpen = false;
      // Electron emits the click on an item after this event.
      setImmediate(() => {
        if (!this.#isOpen) this.#installNext();
      });
    });
    this.#install(menu);
  }
}

/** Everything that cannot be changed in place, except the actions of items. */
function immutablePart(template: readonly MenuItemConstructorOptions[]): string {
  return JSON.stringify(template, (key, value: unknown) =>
    MUTABLE_PROPERTIES.some((property) => property === key) ? undefined : value,
  );
}

const MUTABLE_PROPERTIES = ['checked', 'enabled', 'visible'] as const;

function updateItems(menu: BuiltMenu, template: readonly MenuItemConstructorOptions[]): void {
  for (const [index, { checked, enabled, visible, submenu }] of template.entries()) {
    const item = menu.items[index];
    if (item === undefined) continue;
    if (checked !== undefined) item.checked = checked;
    if (enabled !== undefined) item.enabled = enabled;
    if (visible !== undefined) item.visible = visible;
    if (Array.isArray(submenu) && item.submenu) updateItems(item.submenu, submenu);
  }
}
