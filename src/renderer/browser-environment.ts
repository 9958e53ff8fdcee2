import { keyTargetOf } from './frame/key-target.ts';
import type { ConnectionLoss } from './connection/live-feed.svelte.ts';
import { watchPointer } from './connection/pointer-press.ts';
import type { PageEnvironment } from './state/page-environment.ts';
import type { BrowserNotifications } from './state/notifier.svelte.ts';

/** How long the host may take to report why a connection was lost, in milliseconds. */
const MAX_REASON_MS = 5000;

/** What the page's state needs, from the browser's window. */
export function browserEnvironment(page: Window): PageEnvironment {
  return {
    storage: storageOf(page),
    languages: page.navigator.languages,
    onMac: /mac/i.test(page.navigator.userAgent),
    onLinux: /linux/i.test(page.navigator.userAgent),
    notifications: notificationsOf(page),
    keys: keyTargetOf(page.document),
    successToastMs: 5000,
    now: () => Date.now(),
    connectionLoss: () => connectionLossOf(page),
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

/** A WebSocket reports no reason for its failure; a request for the page has one. */
async function connectionLossOf(page: Window): Promise<ConnectionLoss> {
  // Electron's window has a port instead, whose loss reports no cause.
  if (page.location.protocol !== 'http:') return 'unknown';
  const stop = new AbortController();
  const timer = setTimeout(() => {
    stop.abort();
  }, MAX_REASON_MS);
  try {
    const options = { method: 'HEAD', cache: 'no-store', signal: stop.signal } as const;
    const { status } = await page.fetch('/', options);
    return status === 401 ? 'link-needed' : 'unknown';
  } catch {
    return stop.signal.aborted ? 'unknown' : 'not-running';
  } finally {
    clearTimeout(timer);
  }
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
