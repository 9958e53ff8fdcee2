import { QueueDatabase, type DatabaseOptions } from '../../src/engine/jobs/queue-database.ts';
import type { JobRow } from '../../src/engine/jobs/job-row.ts';
import type { Store } from '../../src/engine/jobs/store.ts';

export interface StoreOptions extends DatabaseOptions {
  readonly origin: string;
  readonly onChange: (job: JobRow) => void;
}

/** The store of one service, with a database that no other service uses. */
export type OpenStore = Store & { close(): Promise<void> };

export async function openStore({
  origin,
  onChange,
  ...options
}: StoreOptions): Promise<OpenStore> {
  const database = await QueueDatabase.open(options);
  const store = database.storeOf(origin, options.now, onChange);
  return Object.assign(store, { close: () => database.close() });
}
