import { Menu, type MenuItemConstructorOptions } from 'electron';

type BuiltMenu = ReturnType<typeof Menu.buildFromTemplate>;

/**
 * A menu that follows its template in place, as far as Electron can: marks change, words do not.
 * Another menu in its place closes one that is open on some systems.
 */
export class LiveMenu {
  readonly #place: (menu: BuiltMenu) => void;
  #template: readonly MenuItemConstructorOptions[] = [];
  #menu: BuiltMenu | null = null;

  /** @param place puts a menu where the system shows it */
  constructor(place: (menu: BuiltMenu) => void) {
    this.#place = place;
  }

  show(template: MenuItemConstructorOptions[]): void {
    const isSame = this.#menu !== null && wordsOf(template) === wordsOf(this.#template);
    this.#template = template;
    if (this.#menu !== null && isSame) {
      setMarks(this.#menu, template);
      return;
    }
    this.#menu = Menu.buildFromTemplate(template);
    this.#place(this.#menu);
  }
}

/**
 * The menu of the tray. Its first line changes with every video, which takes another menu, and on
 * Linux so does every mark; while it is open, the one that is there stays.
 */
export class TrayMenu {
  readonly #place: (menu: BuiltMenu) => void;
  #isOpen = false;
  #next: MenuItemConstructorOptions[] | null = null;

  constructor(place: (menu: BuiltMenu) => void) {
    this.#place = place;
  }

  show(template: MenuItemConstructorOptions[]): void {
    this.#next = template;
    if (!this.#isOpen) this.#placeNext();
  }

  #placeNext(): void {
    if (this.#next === null) return;
    const menu = Menu.buildFromTemplate(this.#next);
    this.#next = null;
    menu.on('menu-will-show', () => {
      this.#isOpen = true;
    });
    menu.on('menu-will-close', () => {
      this.#isOpen = false;
      // The event of a click on an item comes after this.
      setImmediate(() => {
        if (!this.#isOpen) this.#placeNext();
      });
    });
    this.#place(menu);
  }
}

/** All of a template but what can be changed in place and what items do. */
function wordsOf(template: readonly MenuItemConstructorOptions[]): string {
  return JSON.stringify(template, (key, value: unknown) =>
    MARKS.some((mark) => mark === key) ? undefined : value,
  );
}

const MARKS = ['checked', 'enabled', 'visible'] as const;

function setMarks(menu: BuiltMenu, template: readonly MenuItemConstructorOptions[]): void {
  for (const [index, { checked, enabled, visible, submenu }] of template.entries()) {
    const item = menu.items[index];
    if (item === undefined) continue;
    if (checked !== undefined) item.checked = checked;
    if (enabled !== undefined) item.enabled = enabled;
    if (visible !== undefined) item.visible = visible;
    if (Array.isArray(submenu) && item.submenu) setMarks(item.submenu, submenu);
  }
}
