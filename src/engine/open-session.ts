import path from 'node:path';
import type { Failure } from '../contract/failure.ts';
import { STATE_GROUPS } from '../contract/job-states.ts';
import { userMessage, joinMessages } from '../contract/user-message.ts';
import { DiskFullError, NotPossibleNowError } from './engine-error.ts';
import type { EngineOptions } from './engine-options.ts';
import { EngineRuntime } from './engine-runtime.ts';
import type { CreateExternalServices } from './external-services.ts';
import { ApiKey } from './flow/api-key.ts';
import { UserRules } from './flow/user-rules.ts';
import { readBatchAside } from './intake/batch-reader.ts';
import { DiskReserve } from './jobs/disk-reserve.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { JobRow } from './jobs/job-row.ts';
import { Store } from './jobs/store.ts';
import { isWriteRefusal } from './jobs/transactions.ts';
import { KeyNotes } from './keys/key-notes.ts';
import { storyboardProfile } from './profiles/storyboard.ts';

const COPIED: Failure = {
  code: 'store-copied',
  ...userMessage('queue-copied'),
};

/** What an engine has open for one service, and closes when it goes on with another. */
export interface Session {
  readonly runtime: EngineRuntime;
  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  close(): Promise<void>;
}

/** An engine's options, with the lock of its data folder taken. */
export type LockedOptions = EngineOptions & { readonly lock: InstanceLock };

/**
 * Opens the queue for one service and starts to work it.
 * @throws {EngineError} `not-possible-now` for a profile of another service; `store-newer`; `folder-unusable` or `disk-full` when the folder takes no writes
 */
export async function openSession(
  options: LockedOptions,
  connectTo: CreateExternalServices,
): Promise<Session> {
  const { dataDir, service, clock, onlyRead = false } = options;
  const closing = new AsyncDisposableStack();
  try {
    const { origin } = new URL(service.baseUrl);
    const ofProfile = service.profile?.api?.origin ?? origin;
    // Its rows and the key would go to another service.
    if (ofProfile !== origin) {
      throw new NotPossibleNowError(userMessage('profile-of-other-origin', { origin: ofProfile }));
    }
    const key = await ApiKey.open(options.keys, new KeyNotes(dataDir), origin);
    if (!onlyRead) options.lock.leaveMark();
    // The parts that follow changes need the store to be made.
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
    const rules = new UserRules(answers, store.notes);
    const external = connectTo(options, key, rules.rules);
    closing.defer(() => external.close());
    const runtime = new EngineRuntime(
      {
        ...external,
        store,
        key,
        rules,
        folder: options.lock,
        read: (source, reading) => readBatchAside(source, request, reading),
      },
      options,
    );
    changed = (job) => runtime.jobChanged(job);
    closing.defer(() => runtime.stop());
    if (!onlyRead) {
      const reason = reasonToSuspendSending(store);
      if (reason) runtime.flow.suspendSending(reason);
      store.identity.remember();
      runtime.flow.startUp(options.startUp ?? 'as-last-time');
      runtime.start();
    }
    const open = closing.move();
    return { runtime, close: () => open.disposeAsync() };
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
function reasonToSuspendSending({ condition, setAside, identity, jobs }: Store): Failure | null {
  if (condition === 'sound') {
    const isAtStake = identity.hasChanged && jobs.counts.sum(STATE_GROUPS.unsent) > 0;
    return isAtStake ? COPIED : null;
  }
  const what = userMessage(condition === 'restored' ? 'queue-restored' : 'queue-begins-anew');
  const kept =
    setAside === null ? [] : [userMessage('queue-kept-as', { name: path.basename(setAside) })];
  return {
    code: 'store-damaged',
    ...joinMessages(what, ...kept),
  };
}
