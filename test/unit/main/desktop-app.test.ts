import { EventEmitter } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PageRequest } from '../../../src/contract/computer.ts';
import type { Settings } from '../../../src/contract/settings.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { peekAtSettings } from '../../../src/host/settings/settings-store.ts';
import { ObservableValue } from '../../../src/host/observable-value.ts';
import { DesktopApp, type DesktopParts } from '../../../src/main/desktop-app.ts';
import { PageRequests } from '../../../src/main/page-requests.ts';
import { openWindow } from '../../../src/main/window.ts';
import { nativeTheme, powerMonitor, resetSystem, system } from '../../rigs/fake-electron.ts';
import { batch, counts, summary } from '../../rigs/summary-builder.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

vi.mock('electron', () => import('../../rigs/fake-electron.ts'));
vi.mock('../../../src/main/window.ts', () => ({
  limitPermissions: () => undefined,
  openWindow: vi.fn(),
}));

class FakeWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), { reload: vi.fn() });
  hide = vi.fn();
  show = vi.fn();
  focus = vi.fn();
  isMinimized = (): boolean => false;
  isFullScreen = (): boolean => false;
  isDestroyed = (): boolean => false;
  setProgressBar = (): void => undefined;

  /** Whether the window stays when the user closes it. */
  staysOpen(): boolean {
    const preventDefault = vi.fn();
    this.emit('close', { preventDefault });
    const isPrevented = preventDefault.mock.calls.length > 0;
    if (!isPrevented) this.emit('closed');
    return isPrevented;
  }
}

const active = summary({ batches: [batch({ queued: 1 })], counts: counts({ queued: 1 }) });
const locked = {
  code: 'keychain-unusable',
  ...userMessage('verbatim', { text: 'It is locked.' }),
} as const;

/** The app with a queue that shows `shown`, and its calls by name. */
async function started(shown: Summary = active, changes: Partial<DesktopParts> = {}) {
  resetSystem();
  const calls: string[] = [];
  const windows: FakeWindow[] = [];
  vi.mocked(openWindow).mockImplementation(() => {
    const window = new FakeWindow();
    windows.push(window);
    return window as never;
  });
  const settings: Settings = peekAtSettings(temporaryFolder());
  const settingsNow = new ObservableValue({ settings });
  const summaries = new ObservableValue({ summary: shown });
  const call = (name: string) => () => {
    calls.push(name);
    return Promise.resolve();
  };
  const client = {
    watch: (_: object, { signal }: { signal: AbortSignal }) =>
      Promise.resolve(summaries.values(signal)),
    settings: {
      watch: (_: undefined, { signal }: { signal: AbortSignal }) =>
        Promise.resolve(settingsNow.values(signal)),
    },
    service: { fallAsleep: call('fall asleep'), tryNow: call('try now') },
    key: { check: call('check key') },
  };
  const pageRequests = new PageRequests();
  const ends = vi.fn();
  const desktop = new DesktopApp({
    queue: { client, close: call('close queue') } as never,
    settings,
    windowState: { update: () => undefined } as never,
    pageRequests,
    loginStart: { isOn: false, set: () => undefined },
    trayVisibility: { isVisible: true, check: () => Promise.resolve(true) } as never,
    updates: {
      state: new ObservableValue({ state: 'none' }),
      isSupported: false,
      consider: () => undefined,
    } as never,
    logFile: '/log',
    onSessionEnd: ends,
    onDefect: () => undefined,
    ...changes,
  });
  desktop.start();
  onTestFinished(() => desktop.close());
  desktop.show();
  // The summary has arrived.
  await new Promise((resolve) => setImmediate(resolve));
  return { desktop, calls, windows, pageRequests, ends, settingsNow };
}

describe('a computer that sleeps', () => {
  it('pauses the queue before, and tries the service at once afterwards', async () => {
    const { calls } = await started();
    powerMonitor.emit('suspend');
    expect(calls).toEqual(['fall asleep']);
    powerMonitor.emit('resume');
    powerMonitor.emit('unlock-screen');
    expect(calls).toEqual(['fall asleep', 'try now', 'try now']);
  });

  it('has its keychain tried again when the screen is unlocked, if the key is missing', async () => {
    const key = { ...active.key, state: 'absent', trouble: locked } as const;
    const { calls } = await started({ ...active, key });
    powerMonitor.emit('unlock-screen');
    expect(calls).toEqual(['try now', 'check key']);
  });

  it('waits for the safe point when it shuts down', async () => {
    const { ends } = await started();
    const preventDefault = vi.fn();
    powerMonitor.emit('shutdown', { preventDefault });
    expect(preventDefault).toHaveBeenCalledOnce();
    expect(ends).toHaveBeenCalledOnce();
  });
});

describe('settings that change', () => {
  it('take effect although the system refuses to start the app at login', async () => {
    const onDefect = vi.fn();
    const refused = new Error('The folder cannot be written.');
    const set = (): never => {
      throw refused;
    };
    const { settingsNow } = await started(active, { onDefect, loginStart: { isOn: false, set } });
    const { settings } = settingsNow.value;
    settingsNow.set({ settings: { ...settings, startAtLogin: true, theme: 'light' } });
    await expect.poll(() => nativeTheme.themeSource).toBe('light');
    settingsNow.set({ settings: { ...settings, startAtLogin: true, theme: 'dark' } });
    await expect.poll(() => nativeTheme.themeSource).toBe('dark');
    expect(onDefect).toHaveBeenCalledWith(refused);
  });

  it('tell the user once for each change that the system refuses the start at login', async () => {
    let isRefused = true;
    const set = (): void => {
      if (isRefused) throw new Error('EACCES: permission denied');
    };
    const loginStart = { isOn: false, set };
    const { settingsNow, pageRequests } = await started(active, { loginStart });
    const add = vi.spyOn(pageRequests, 'add');
    const { settings } = settingsNow.value;
    async function change(changed: Partial<typeof settings>): Promise<void> {
      settingsNow.set({ settings: { ...settings, ...changed } });
      await new Promise((resolve) => setImmediate(resolve));
    }
    const failure = {
      code: 'not-possible-now',
      message:
        'Spool could not change whether it starts when you log in: EACCES: permission denied',
    };
    await change({ startAtLogin: true });
    await change({ startAtLogin: true, closeToTray: false });
    expect(add.mock.calls).toMatchObject([[{ kind: 'tell', failure }]]);

    await change({ startAtLogin: false });
    await change({ startAtLogin: true });
    expect(add).toHaveBeenCalledTimes(2);
    isRefused = false;
    await change({ startAtLogin: true, closeToTray: false });
    expect(add).toHaveBeenCalledTimes(2);
  });
});

describe('a page that crashes', () => {
  const crash = (window: FakeWindow | undefined): unknown =>
    window?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });

  it('is reloaded without a question again after the user chose to reload it', async () => {
    const { windows } = await started();
    const [window] = windows;
    const reload = window?.webContents.reload;
    for (let time = 0; time < 4; time += 1) crash(window);
    expect(system.questions).toBe(1);
    await expect.poll(() => reload?.mock.calls).toHaveLength(4);
    crash(window);
    expect(reload?.mock.calls).toHaveLength(5);
    expect(system.questions).toBe(1);
  });

  it('is not reloaded while the app quits', async () => {
    const { desktop, windows } = await started();
    await desktop.close();
    crash(windows[0]);
    expect(windows[0]?.webContents.reload).not.toHaveBeenCalled();
  });
});

describe.skipIf(process.platform === 'darwin')('a window that is closed', () => {
  it('is hidden while a batch runs, with one notice of that', async () => {
    const { windows } = await started();
    expect(windows[0]?.staysOpen()).toBe(true);
    expect(windows[0]?.staysOpen()).toBe(true);
    expect(windows[0]?.hide).toHaveBeenCalledTimes(2);
    expect(system.notifications).toHaveLength(1);
  });

  it.each<[string, Summary, Partial<DesktopParts>]>([
    ['nothing runs', summary(), {}],
    ['no tray is visible', active, { trayVisibility: trayThat(false) }],
  ])('is closed where %s, and opened again on request', async (_, shown, changes) => {
    const { desktop, windows } = await started(shown, changes);
    expect(windows[0]?.staysOpen()).toBe(false);
    expect(system.notifications).toEqual([]);
    desktop.show();
    expect(windows).toHaveLength(2);
    expect(windows[0]?.show).not.toHaveBeenCalled();
  });
});

function trayThat(isVisible: boolean): DesktopParts['trayVisibility'] {
  return { isVisible, check: () => Promise.resolve(isVisible) } as never;
}

it('reports the number of files that were too many once', async () => {
  const { desktop, pageRequests } = await started();
  const file = { kind: 'batch-file', path: '/none/week.csv' } as const;
  desktop.open([...Array.from({ length: 102 }, () => file), { kind: 'too-many-files', count: 5 }]);
  const stop = new AbortController();
  const requests: PageRequest[] = [];
  for await (const request of pageRequests.requests(stop.signal)) {
    requests.push(request);
    if (request.kind === 'tell') break;
  }
  expect(requests).toHaveLength(101);
  expect(requests.at(-1)).toMatchObject({
    failure: { says: [{ sentence: 'batch-files-too-many', values: { count: 7, max: 100 } }] },
  });
});
