import { keyTargetOf } from './frame/key-target.ts';
import type { ConnectionLoss } from './connection/live-feed.svelte.ts';
import { watchPointer } from './connection/pointer-press.ts';
import type { Surroundings } from './state/surroundings.ts';
import type { NotificationPlace } from './state/notifier.svelte.ts';

/** The browser as the page's state needs it. */
export function browserSurroundings(page: Window): Surroundings {
  return {
    storage: page.localStorage,
    languages: page.navigator.languages,
    onMac: /mac/i.test(page.navigator.userAgent),
    onLinux: /linux/i.test(page.navigator.userAgent),
    notifications: notificationsOf(page),
    keys: keyTargetOf(page.document),
    goodNewsMs: 5000,
    now: () => Date.now(),
    connectionLoss: () => connectionLossOf(page),
    random: () => Math.random(),
    pointerReleased: watchPointer(page),
    wait: (milliseconds, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    // Both hosts serve a saved video under its job's id and never under a path.
    fileAddress: (jobId) => `/saved/${encodeURIComponent(jobId)}`,
    posterAddress: (jobId) => `/posters/${encodeURIComponent(jobId)}`,
    saveFile: (name, type, pieces) => {
      const link = page.document.createElement('a');
      link.href = URL.createObjectURL(new Blob([...pieces], { type }));
      link.download = name;
      link.click();
      // The browser has taken hold of the file by the next turn.
      setTimeout(() => {
        URL.revokeObjectURL(link.href);
      });
    },
  };
}

/** A WebSocket that fails gives no reason; a request for the page does. */
async function connectionLossOf(page: Window): Promise<ConnectionLoss> {
  // Electron's window has a port instead, whose loss has no known cause.
  if (page.location.protocol !== 'http:') return 'unknown';
  try {
    const { status } = await page.fetch('/', { method: 'HEAD', cache: 'no-store' });
    return status === 401 ? 'link-needed' : 'unknown';
  } catch {
    return 'not-running';
  }
}

function notificationsOf(page: Window): NotificationPlace {
  const has = 'Notification' in page;
  return {
    permission: () => (has ? Notification.permission : 'missing'),
    ask: () => (has ? Notification.requestPermission() : Promise.resolve('missing')),
    isWatched: () => page.document.visibilityState === 'visible' && page.document.hasFocus(),
    show: (about, { title, body }) => {
      const notification = new Notification(title, { body, tag: about });
      notification.onclick = () => {
        page.focus();
        notification.close();
      };
    },
  };
}
