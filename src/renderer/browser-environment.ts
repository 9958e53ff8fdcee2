import { keyTargetOf } from './frame/key-target.ts';
import type { Connection } from './connection/connect.ts';
import { watchPointer } from './connection/pointer-press.ts';
import type { PageEnvironment } from './state/page-environment.ts';
import type { BrowserNotifications } from './state/notifier.svelte.ts';

/** What the page's state needs, from the browser's window. */
export function browserEnvironment(
  page: Window,
  connection: Pick<Connection, 'connectionLoss' | 'continueWith'>,
): PageEnvironment {
  return {
    storage: storageOf(page),
    languages: page.navigator.languages,
    onMac: /mac/i.test(page.navigator.userAgent),
    onLinux: /linux/i.test(page.navigator.userAgent),
    notifications: notificationsOf(page),
    keys: keyTargetOf(page.document),
    successToastMs: 5000,
    now: () => Date.now(),
    connectionLoss: () => connection.connectionLoss(),
    continueWith: (parameters) => {
      connection.continueWith(parameters);
    },
    parameters: new URLSearchParams(page.location.search),
    random: () => Math.random(),
    pointerReleased: watchPointer(page),
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        // The signal of a stream lasts as long as the page, which waits after every lost connection.
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
    // Both hosts serve a saved video under its job's id and never under a path.
    fileAddress: (jobId) => `/saved/${encodeURIComponent(jobId)}`,
    posterAddress: (jobId) => `/posters/${encodeURIComponent(jobId)}`,
    saveFile: (name, type, pieces) => {
      const link = page.document.createElement('a');
      link.href = URL.createObjectURL(new Blob([...pieces], { type }));
      link.download = name;
      link.click();
      // By the next task, the browser has started to save the file.
      setTimeout(() => {
        URL.revokeObjectURL(link.href);
      });
    },
  };
}

/**
 * The page's storage. Where the browser blocks it, or it is full, values are kept as long as the
 * page.
 */
function storageOf(page: Window): Pick<Storage, 'getItem' | 'setItem'> {
  const refused = new Map<string, string>();
  return {
    getItem(key) {
      try {
        return refused.get(key) ?? page.localStorage.getItem(key);
      } catch {
        return null;
      }
    },
    setItem(key, value) {
      refused.delete(key);
      try {
        page.localStorage.setItem(key, value);
      } catch {
        refused.set(key, value);
      }
    },
  };
}

function notificationsOf(page: Window): BrowserNotifications {
  const has = 'Notification' in page;
  return {
    permission: () => (has ? Notification.permission : 'missing'),
    ask: () => (has ? Notification.requestPermission() : Promise.resolve('missing')),
    isWatched: () => page.document.visibilityState === 'visible' && page.document.hasFocus(),
    show: (tag, { title, body }) => {
      const notification = new Notification(title, { body, tag });
      notification.onclick = () => {
        page.focus();
        notification.close();
      };
    },
  };
}
