import type { AppUpdate, PageRequest } from '../../contract/computer.ts';
import type { Client } from '../../contract/contract.ts';
import type { SettingsView } from '../../contract/settings.ts';
import type { Worker } from '../../contract/worker.ts';
import { follow } from '../connection/follow.ts';
import type { FeedEnvironment } from '../connection/live-feed.svelte.ts';

/** What the engine and its host report besides the summary. */
interface EngineListeners {
  /** A menu, a notification or another program requests something of the page. */
  readonly onPageRequest: (request: PageRequest) => void;
  /** Another version of the app is ready or being downloaded. */
  readonly onAppUpdate: (update: AppUpdate) => void;
  /** Any window or command may have changed a setting, the service or its profile. */
  readonly onSettings: (view: SettingsView) => void;
  /** Another process runs the queue now, or none does. */
  readonly onWorker: (worker: Worker) => void;
}

/** Listens, and reconnects after every loss, until the returned function is called. */
export function followEngine(
  { computer, queue, settings }: Client,
  environment: FeedEnvironment,
  { onPageRequest, onAppUpdate, onSettings, onWorker }: EngineListeners,
): () => void {
  const stops = [
    follow((signal) => computer.pageRequests(undefined, { signal }), environment, onPageRequest),
    follow((signal) => computer.updates(undefined, { signal }), environment, onAppUpdate),
    follow((signal) => settings.watch(undefined, { signal }), environment, onSettings),
    follow((signal) => queue.worker(undefined, { signal }), environment, onWorker),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Ends the engine's wait after an outage when the browser is back online. Returns its stop. */
export function tryNowOnline({ service }: Client, page: Document): () => void {
  const tryNow = (): void => {
    service.tryNow().catch(() => undefined);
  };
  page.defaultView?.addEventListener('online', tryNow);
  return () => page.defaultView?.removeEventListener('online', tryNow);
}
