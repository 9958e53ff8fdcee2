import path from 'node:path';
import type { Failure } from '../contract/failure.ts';
import { tell, tellAll } from '../contract/told.ts';
import { ActivityBook } from './activity/activity-book.ts';
import { DiskFullError } from './engine-error.ts';
import type { EngineOptions } from './engine-options.ts';
import { KeyRing } from './flow/key-ring.ts';
import { readBatchAside } from './intake/batch-reader.ts';
import { DiskReserve } from './jobs/disk-reserve.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { JobRow } from './jobs/job-row.ts';
import { STATE_GROUPS } from '../contract/job-states.ts';
import { Store } from './jobs/store.ts';
import { isWriteRefusal } from './jobs/transactions.ts';
import { KeyNotes } from './keys/key-notes.ts';
import type { Connect } from './outside.ts';
import { storyboardProfile } from './profiles/storyboard.ts';
import { TaughtRules } from './taught-rules.ts';
import { Workings } from './workings.ts';

const COPIED: Failure = {
  code: 'store-copied',
  ...tell('queue-copied'),
};

/** What an engine has open for one service, and closes when it goes on with another. */
export interface Parts {
  readonly workings: Workings;
  readonly store: Store;
  readonly activity: ActivityBook;
  readonly key: KeyRing;
  readonly rules: TaughtRules;
  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  close(): Promise<void>;
}

/** An engine's options, with the lock of its data folder taken. */
export type LockedOptions = EngineOptions & { readonly lock: InstanceLock };

/**
 * Opens the queue for one service and starts to work it.
 * @throws {EngineError} `store-newer`; `folder-unusable` or `disk-full` when the folder takes no writes
 */
export async function openParts(options: LockedOptions, connectTo: Connect): Promise<Parts> {
  const { dataDir, service, clock, onlyRead = false } = options;
  const closing = new AsyncDisposableStack();
  try {
    const { origin } = new URL(service.baseUrl);
    const key = await KeyRing.open(options.keys, new KeyNotes(dataDir), origin);
    if (!onlyRead) options.lock.leaveMark();
    // The parts that hear of changes need the store to be made.
    let changed: (job: JobRow) => void = () => undefined;
    const store = await Store.open({
      folder: dataDir,
      origin,
      now: clock.now(),
      onChange: (job) => changed(job),
      onlyRead,
    });
    closing.defer(() => closeStore(store, options));
    const { request, answers } = service.profile ?? storyboardProfile;
    const rules = new TaughtRules(answers, store.notes);
    const outside = connectTo(options, key, rules.rules);
    closing.defer(() => outside.close());
    const workings = new Workings({
      ...{ options, store, key, folder: options.lock },
      service: outside.service,
      download: outside.download,
      disks: outside.disks,
      connections: outside.connections,
      read: (source, reading) => readBatchAside(source, request, reading),
    });
    changed = (job) => workings.jobChanged(job);
    closing.defer(() => workings.stop());
    if (!onlyRead) {
      const reason = distrustOf(store);
      if (reason) workings.flow.distrust(reason);
      store.whereabouts.remember();
      workings.flow.startUp(options.startUp ?? 'as-last-time');
      workings.start();
    }
    const open = closing.move();
    const activity = new ActivityBook(store.activity, store.ledger);
    return { workings, store, activity, key, rules, close: () => open.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    const isRefused = isWriteRefusal(error) && !(error instanceof DiskFullError);
    throw isRefused ? new DiskReserve(dataDir).refusedBy(error) : error;
  }
}

/** A failed backup loses no job: the database has all of them, and is closed. */
async function closeStore(store: Store, { logger }: EngineOptions): Promise<void> {
  try {
    await store.close();
  } catch (error) {
    logger?.warn({ error: String(error) }, 'The queue was closed without a new backup of it.');
  }
}

/** Why the queue may take for unsent what was sent; `null` when it may not. */
function distrustOf({ condition, setAside, whereabouts, jobs }: Store): Failure | null {
  if (condition === 'sound') {
    const isAtStake = whereabouts.haveChanged && jobs.counts.sum(STATE_GROUPS.unsent) > 0;
    return isAtStake ? COPIED : null;
  }
  const what = tell(condition === 'restored' ? 'queue-restored' : 'queue-begins-anew');
  const kept = setAside === null ? [] : [tell('queue-kept-as', { name: path.basename(setAside) })];
  return {
    code: 'store-damaged',
    ...tellAll(what, ...kept),
  };
}
