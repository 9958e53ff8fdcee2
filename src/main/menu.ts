import type { MenuItemConstructorOptions } from 'electron';
import { PAGES, type AppUpdate, type PageRequest } from '../contract/computer.ts';
import type { Settings } from '../contract/settings.ts';
import type { QueueStatus } from './queue-status.ts';
import type { Texts } from './texts.ts';

/** The inputs and actions of the menus. */
export interface MenuParts {
  readonly platform: NodeJS.Platform;
  readonly texts: Texts;
  /** `null` until the engine has sent its first summary. */
  readonly status: Pick<QueueStatus, 'paused' | 'severalServices'> | null;
  readonly startsAtLogin: boolean;
  /** `null` where this build cannot update itself. */
  readonly updates: UpdateChoice | null;
  readonly actions: MenuActions;
}

interface UpdateChoice {
  readonly channel: Settings['updates'];
  readonly now: AppUpdate;
}

export interface MenuActions {
  readonly addPageRequest: (request: PageRequest) => void;
  readonly openBatch: () => void;
  readonly openVideosFolder: () => void;
  readonly setPaused: (paused: boolean) => void;
  readonly setStartAtLogin: (wanted: boolean) => void;
  readonly setUpdates: (channel: Settings['updates']) => void;
  readonly restartToUpdate: () => void;
  readonly copyDiagnostics: () => void;
  readonly showLogs: () => void;
  readonly showWindow: () => void;
  readonly quit: () => void;
}

/** The application menu: in the platform's usual order, plus the page's keyboard shortcuts. */
export function applicationMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const { platform, texts, actions } = parts;
  const isMac = platform === 'darwin';
  const roleItem = roleLabels(texts);
  const settings: MenuItemConstructorOptions[] = [
    {
      label: texts.startAtLogin,
      id: 'start-at-login',
      type: 'checkbox',
      checked: parts.startsAtLogin,
      click: (item) => actions.setStartAtLogin(item.checked),
    },
    ...updatesItems(parts),
  ];
  return [
    ...(isMac ? [macMenu(parts, settings, roleItem)] : []),
    {
      label: texts.file,
      submenu: [
        { ...item('add', texts.add, 'CmdOrCtrl+N'), click: () => actions.addPageRequest(ADD) },
        { ...item('open', texts.open, 'CmdOrCtrl+O'), click: actions.openBatch },
        { ...item('videos', texts.videosFolder), click: actions.openVideosFolder },
        { type: 'separator' },
        ...(isMac
          ? [roleItem('close')]
          : [
              ...settings,
              { type: 'separator' as const },
              { ...item('quit', texts.quit, 'CmdOrCtrl+Q'), click: actions.quit },
            ]),
      ],
    },
    {
      label: texts.edit,
      submenu: [
        ...(['undo', 'redo'] as const).map(roleItem),
        { type: 'separator' },
        ...(['cut', 'copy', 'paste', 'selectAll'] as const).map(roleItem),
        { type: 'separator' },
        {
          ...item('find', texts.find, 'CmdOrCtrl+F'),
          click: () => actions.addPageRequest({ kind: 'find' }),
        },
      ],
    },
    {
      label: texts.view,
      submenu: [
        ...PAGES.map((page, index) => ({
          ...item(page, texts.pages[page], `CmdOrCtrl+${index + 1}`),
          click: () => actions.addPageRequest({ kind: 'show', page }),
        })),
        { type: 'separator' },
        ...(['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] as const).map(roleItem),
      ],
    },
    { label: texts.queue, submenu: [pauseItem(parts, 'CmdOrCtrl+Shift+P')] },
    {
      label: texts.window,
      role: 'windowMenu',
      submenu: isMac
        ? [
            ...(['minimize', 'zoom'] as const).map(roleItem),
            { type: 'separator' },
            roleItem('front'),
          ]
        : [...(['minimize', 'close'] as const).map(roleItem)],
    },
    {
      label: texts.help,
      role: 'help',
      submenu: [
        { ...item('diagnostics', texts.copyDiagnostics), click: actions.copyDiagnostics },
        { ...item('logs', texts.logs), click: actions.showLogs },
        ...(isMac ? [] : [roleItem('about')]),
      ],
    },
  ];
}

/** @param status one line about the queue, shown by the first item */
export function trayMenu(parts: MenuParts, status: string): MenuItemConstructorOptions[] {
  const { texts, actions } = parts;
  return [
    { label: status, enabled: false },
    { type: 'separator' },
    { ...item('tray-show', texts.showWindow), click: actions.showWindow },
    { ...pauseItem(parts), id: 'tray-pause' },
    { type: 'separator' },
    { ...item('tray-quit', texts.quit), click: actions.quit },
  ];
}

/** In the order of the settings page. */
const CHANNELS = ['stable', 'preview', 'off'] as const;

const ADD: PageRequest = { kind: 'add', file: null };

function item(id: string, label: string, accelerator?: string): MenuItemConstructorOptions {
  return { id, label, ...(accelerator === undefined ? {} : { accelerator }) };
}

function pauseItem({ texts, status, actions }: MenuParts, accelerator?: string) {
  return {
    ...item('pause', texts.pause(status?.severalServices ?? false), accelerator),
    type: 'checkbox',
    checked: status?.paused ?? false,
    click: ({ checked }) => actions.setPaused(checked),
  } satisfies MenuItemConstructorOptions;
}

/** The choice of update channel, and the restart into a downloaded version. */
function updatesItems({ texts, updates, actions }: MenuParts): MenuItemConstructorOptions[] {
  if (updates === null) return [];
  const { channel, now } = updates;
  return [
    {
      ...item('updates', texts.updates),
      submenu: CHANNELS.map((each) => ({
        ...item(`updates-${each}`, texts.updateKinds[each]),
        type: 'radio' as const,
        checked: each === channel,
        click: () => actions.setUpdates(each),
      })),
    },
    ...(now.state === 'ready'
      ? [
          {
            ...item('restart-to-update', texts.restartTo(now.version)),
            enabled: !now.waits,
            click: actions.restartToUpdate,
          },
        ]
      : []),
  ];
}

type RoleItem = (role: keyof Texts['roles']) => MenuItemConstructorOptions;

/** Labels for menu roles, which Electron would label in English. */
function roleLabels({ roles }: Texts): RoleItem {
  return (role) => ({ role, label: roles[role] });
}

function macMenu(
  { texts, actions }: MenuParts,
  settings: readonly MenuItemConstructorOptions[],
  roleItem: RoleItem,
): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      roleItem('about'),
      { type: 'separator' },
      {
        ...item('app-settings', texts.settings, 'Cmd+,'),
        click: () => actions.addPageRequest({ kind: 'show', page: 'settings' }),
      },
      ...settings,
      { type: 'separator' },
      roleItem('services'),
      { type: 'separator' },
      ...(['hide', 'hideOthers', 'unhide'] as const).map(roleItem),
      { type: 'separator' },
      roleItem('quit'),
    ],
  };
}
