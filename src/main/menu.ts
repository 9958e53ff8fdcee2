import type { MenuItemConstructorOptions } from 'electron';
import { PAGES, type AppUpdate, type PageRequest } from '../contract/computer.ts';
import type { Settings } from '../contract/settings.ts';
import type { Texts } from './texts.ts';

/** What menus are made of, and what they do. */
export interface MenuParts {
  readonly platform: NodeJS.Platform;
  readonly texts: Texts;
  readonly paused: boolean;
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
  readonly wish: (wish: PageRequest) => void;
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

/** The application's menu: the platform's own order, with what the page can do by key as well. */
export function applicationMenu(parts: MenuParts): MenuItemConstructorOptions[] {
  const { platform, texts, actions } = parts;
  const isMac = platform === 'darwin';
  const own = ownWords(texts);
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
    ...(isMac ? [macMenu(parts, settings, own)] : []),
    {
      label: texts.file,
      submenu: [
        { ...item('add', texts.add, 'CmdOrCtrl+N'), click: () => actions.wish(ADD) },
        { ...item('open', texts.open, 'CmdOrCtrl+O'), click: actions.openBatch },
        { ...item('videos', texts.videosFolder), click: actions.openVideosFolder },
        { type: 'separator' },
        ...(isMac
          ? [own('close')]
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
        ...(['undo', 'redo'] as const).map(own),
        { type: 'separator' },
        ...(['cut', 'copy', 'paste', 'selectAll'] as const).map(own),
        { type: 'separator' },
        {
          ...item('find', texts.find, 'CmdOrCtrl+F'),
          click: () => actions.wish({ kind: 'find' }),
        },
      ],
    },
    {
      label: texts.view,
      submenu: [
        ...PAGES.map((page, index) => ({
          ...item(page, texts.pages[page], `CmdOrCtrl+${index + 1}`),
          click: () => actions.wish({ kind: 'show', page }),
        })),
        { type: 'separator' },
        ...(['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] as const).map(own),
      ],
    },
    { label: texts.queue, submenu: [pauseItem(parts, 'CmdOrCtrl+Shift+P')] },
    {
      label: texts.window,
      role: 'windowMenu',
      submenu: isMac
        ? [...(['minimize', 'zoom'] as const).map(own), { type: 'separator' }, own('front')]
        : [...(['minimize', 'close'] as const).map(own)],
    },
    {
      label: texts.help,
      role: 'help',
      submenu: [
        { ...item('diagnostics', texts.copyDiagnostics), click: actions.copyDiagnostics },
        { ...item('logs', texts.logs), click: actions.showLogs },
        ...(isMac ? [] : [own('about')]),
      ],
    },
  ];
}

/** @param standing one line on the queue, which its first item shows */
export function trayMenu(parts: MenuParts, standing: string): MenuItemConstructorOptions[] {
  const { texts, actions } = parts;
  return [
    { label: standing, enabled: false },
    { type: 'separator' },
    { ...item('tray-show', texts.showWindow), click: actions.showWindow },
    { ...pauseItem(parts), id: 'tray-pause' },
    { type: 'separator' },
    { ...item('tray-quit', texts.quit), click: actions.quit },
  ];
}

/** In the order in which the settings name them. */
const CHANNELS = ['stable', 'preview', 'off'] as const;

const ADD: PageRequest = { kind: 'add', file: null };

function item(id: string, label: string, accelerator?: string): MenuItemConstructorOptions {
  return { id, label, ...(accelerator === undefined ? {} : { accelerator }) };
}

function pauseItem({ texts, paused, actions }: MenuParts, accelerator?: string) {
  return {
    ...item('pause', texts.pause, accelerator),
    type: 'checkbox',
    checked: paused,
    click: ({ checked }) => actions.setPaused(checked),
  } satisfies MenuItemConstructorOptions;
}

/** Which versions the user wants, and the way to one that is here. */
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

type OwnWords = (role: keyof Texts['roles']) => MenuItemConstructorOptions;

/** What Electron does by itself, and would call by English names. */
function ownWords({ roles }: Texts): OwnWords {
  return (role) => ({ role, label: roles[role] });
}

function macMenu(
  { texts, actions }: MenuParts,
  settings: readonly MenuItemConstructorOptions[],
  own: OwnWords,
): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      own('about'),
      { type: 'separator' },
      {
        ...item('app-settings', texts.settings, 'Cmd+,'),
        click: () => actions.wish({ kind: 'show', page: 'settings' }),
      },
      ...settings,
      { type: 'separator' },
      own('services'),
      { type: 'separator' },
      ...(['hide', 'hideOthers', 'unhide'] as const).map(own),
      { type: 'separator' },
      own('quit'),
    ],
  };
}
