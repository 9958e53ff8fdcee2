import path from 'node:path';
import type { Failure } from '../contract/failure.ts';
import { STATE_GROUPS } from '../contract/job-states.ts';
import { DOCUMENTED_API } from '../contract/service-profile.ts';
import { userMessage, joinMessages } from '../contract/user-message.ts';
import { NotPossibleNowError } from './engine-error.ts';
import type { EngineOptions } from './engine-options.ts';
import { EngineRuntime, type OtherSessions } from './engine-runtime.ts';
import type { CreateExternalServices } from './external-services.ts';
import type { ApiKey } from './flow/api-key.ts';
import { UserRules } from './flow/user-rules.ts';
import { readBatchAside } from './intake/read-batch-aside.ts';
import type { InstanceLock } from './jobs/instance-lock.ts';
import type { JobRow } from './jobs/job-row.ts';
import type { Store } from './jobs/store.ts';
import { errorOfOpening } from './jobs/transactions.ts';
import { storyboardProfile } from './profiles/storyboard.ts';
import type { SharedResources } from './shared-resources.ts';

const COPIED: Failure = {
  code: 'store-copied',
  ...userMessage('queue-copied'),
};

/** What an engine has open for one service. */
export interface Session {
  readonly runtime: EngineRuntime;
  /** Stops at a safe point: waits for a request that is on its way, keeps part files. */
  close(): Promise<void>;
}

/** An engine's options, with the lock of its data folder taken. */
export type LockedOptions = EngineOptions & { readonly lock: InstanceLock };

/** What a session is opened with besides the options. */
export interface SessionSurroundings {
  readonly shared: SharedResources;
  readonly others: OtherSessions;
  readonly connectTo: CreateExternalServices;
  /** Aborted when the engine is closed: nothing is opened any more. */
  readonly closed: AbortSignal;
}

/**
 * Starts to work the jobs of one service.
 * @throws {EngineError} `not-possible-now` for a profile of another service; `folder-unusable` or `disk-full` when the folder takes no writes
 */
export async function openSession(
  options: LockedOptions,
  key: ApiKey,
  { shared, others, connectTo }: SessionSurroundings,
): Promise<Session> {
  const { dataDir, service, onlyRead = false } = options;
  const closing = new AsyncDisposableStack();
  try {
    const { origin } = new URL(service.baseUrl);
    const { api = DOCUMENTED_API, request, answers } = service.profile ?? storyboardProfile;
    const ofProfile = api.origin ?? origin;
    // Its rows and the key would go to another service.
    if (ofProfile !== origin) {
      throw new NotPossibleNowError(userMessage('profile-of-other-origin', { origin: ofProfile }));
    }
    // The parts that follow changes need the store to be made.
    let changed: (job: JobRow) => void = () => undefined;
    const store = shared.database.storeOf(origin, options.clock.now(), (job) => changed(job));
    closing.defer(() => store.refuseWrites());
    const rules = new UserRules(answers, store.notes);
    const external = connectTo(options, key, rules.rules, shared);
    closing.defer(() => external.close());
    const runtime = new EngineRuntime(
      {
        ...external,
        ...{ store, key, rules, api, request, others },
        ...{ throttle: shared.throttle, naming: shared.naming },
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
      store.rememberFile();
      runtime.startUp(options.startUp ?? 'as-last-time');
      runtime.start();
    }
    const open = closing.move();
    return { runtime, close: () => open.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw errorOfOpening(dataDir, error);
  }
}

/** Why the queue may take for unsent what was sent; `null` when it may not. */
function reasonToSuspendSending(store: Store): Failure | null {
  const { condition, setAside } = store;
  if (condition === 'sound') {
    const isAtStake = store.hasOtherFile && store.jobs.counts.sum(STATE_GROUPS.unsent) > 0;
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
