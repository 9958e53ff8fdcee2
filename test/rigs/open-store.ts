import { QueueDatabase, type DatabaseOptions } from '../../src/engine/jobs/queue-database.ts';
import type { JobRow } from '../../src/engine/jobs/job-row.ts';
import type { Store } from '../../src/engine/jobs/store.ts';

/** The lock of a process that keeps its folder. */
export const KEPT_LOCK: DatabaseOptions['lock'] = {
  assertOurs: () => undefined,
  check: () => undefined,
  lost: new AbortController().signal,
};

export interface StoreOptions extends Omit<DatabaseOptions, 'lock' | 'now'> {
  readonly lock?: DatabaseOptions['lock'];
  readonly origin?: string;
  /** 0 by default. */
  readonly now?: number;
  readonly onChange?: (job: JobRow) => void;
}

/** The store of one service, with a database that no other service uses. */
export type OpenStore = Store & { close(): Promise<void> };

export async function openStore({
  origin = 'https://service.example',
  now = 0,
  onChange = () => undefined,
  ...options
}: StoreOptions): Promise<OpenStore> {
  const database = await QueueDatabase.open({ lock: KEPT_LOCK, now, ...options });
  const store = database.storeOf(origin, now, onChange);
  return Object.assign(store, { close: () => database.close() });
}
