import { EventEmitter } from 'node:events';
import { StandInMenu } from './electron-stand-in/stand-in-menus.ts';

/**
 * The module `electron` for unit tests of the main process, and what they see of the system. It is
 * one module for all of them, because the files of a worker share the modules that import it:
 * `vi.mock('electron', () => import('../../rigs/fake-electron.ts'))`
 */
export const system = {
  hasTray: true,
  /** Tray icons that are not destroyed. */
  trays: 0,
  toolTip: '',
  /** Ids of what keeps the computer awake. */
  awake: new Set<number>(),
  notifications: [] as Notification[],
  /** How often a question was asked. */
  questions: 0,
  quits: 0,
};

export function resetSystem(): void {
  Object.assign(system, { hasTray: true, trays: 0, toolTip: '', questions: 0, quits: 0 });
  system.awake.clear();
  system.notifications.length = 0;
  for (const emitter of [ipcMain, powerMonitor]) emitter.removeAllListeners();
}

export const ipcMain = new EventEmitter();
export const powerMonitor = new EventEmitter();
export const nativeTheme = { themeSource: 'system' };
export const session = { defaultSession: { protocol: { handle: () => undefined } } };
export { StandInMenu as Menu };

export const app = {
  getLocale: () => 'en',
  quit: () => {
    system.quits += 1;
  },
};

export const dialog = {
  /** The user selects the first button. */
  showMessageBox: () => {
    system.questions += 1;
    return Promise.resolve({ response: 0 });
  },
};

let blockers = 0;

export const powerSaveBlocker = {
  start: () => {
    blockers += 1;
    system.awake.add(blockers);
    return blockers;
  },
  stop: (id: number) => system.awake.delete(id),
};

export class Tray extends EventEmitter {
  constructor() {
    super();
    if (!system.hasTray) throw new Error('There is no tray.');
    system.trays += 1;
  }

  setContextMenu(): void {
    // Its menu is tested by `live-menu.test.ts`.
  }

  setToolTip(text: string): void {
    system.toolTip = text;
  }

  destroy(): void {
    system.trays -= 1;
  }
}

export class Notification extends EventEmitter {
  readonly title: string;
  readonly body: string;

  constructor({ title, body }: { title: string; body: string }) {
    super();
    this.title = title;
    this.body = body;
  }

  show(): void {
    system.notifications.push(this);
  }
}

const notUsed = (): never => {
  throw new Error('This function of Electron is not faked.');
};
export const clipboard = { writeText: notUsed };
export const shell = { openExternal: notUsed, showItemInFolder: notUsed, trashItem: notUsed };
