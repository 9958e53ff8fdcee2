import path from 'node:path';
import type { Failure } from '../contract/failure.ts';
import { STATE_GROUPS } from '../contract/job-states.ts';
import { DOCUMENTED_API } from '../contract/service-profile.ts';
import { userMessage, joinMessages } from '../contract/user-message.ts';
import { NotPossibleNowError } from './engine-error.ts';
import { EngineRuntime } from './engine-runtime.ts';
import { UserRules } from './flow/user-rules.ts';
import type { JobRow } from './jobs/job-row.ts';
import type { Store } from './jobs/store.ts';
import { errorOfOpening } from './jobs/transactions.ts';
import { storyboardProfile } from './profiles/storyboard.ts';
import type { SessionOptions, SharedContext } from './shared-context.ts';

const COPIED: Failure = {
  code: 'store-copied',
  ...userMessage('queue-copied'),
};

/**
 * Starts to work the jobs of one service. Nothing is awaited, so that it is opened with what holds now.
 * @param closing gets what closes the session again, also where this throws. It stops at a safe
 *   point: waits for a request that is on its way, keeps part files.
 * @throws {EngineError} `not-possible-now` for a profile of another service; `folder-unusable` or `disk-full` when the folder takes no writes
 */
export function openSession(
  shared: SharedContext,
  options: SessionOptions,
  closing: AsyncDisposableStack,
): EngineRuntime {
  const { service, key, startUp } = options;
  const { origin } = new URL(service.baseUrl);
  const { api = DOCUMENTED_API, answers } = service.profile ?? storyboardProfile;
  const ofProfile = api.origin ?? origin;
  // Its rows and the key would go to another service.
  if (ofProfile !== origin) {
    throw new NotPossibleNowError(userMessage('profile-of-other-origin', { origin: ofProfile }));
  }
  try {
    // The parts that follow changes need the store to be made.
    let changed: (job: JobRow) => void = () => undefined;
    const store = shared.database.storeOf(origin, shared.clock.now(), (job) => changed(job));
    closing.defer(() => store.refuseWrites());
    const rules = new UserRules(answers, store.notes);
    const external = shared.connectTo(service, key, rules.rules, shared);
    closing.defer(() => external.close());
    const runtime = new EngineRuntime(shared, options, { store, rules, ...external });
    changed = (job) => runtime.jobChanged(job);
    closing.defer(() => runtime.stop());
    if (shared.onlyRead !== true) {
      const reason = reasonToSuspendSending(store);
      if (reason) runtime.flow.suspendSending(reason);
      store.rememberFile();
      runtime.startUp(startUp);
      runtime.start();
    }
    return runtime;
  } catch (error) {
    throw errorOfOpening(shared.dataDir, error);
  }
}

/** Why the queue may take for unsent what was sent; `null` when it may not. */
function reasonToSuspendSending({ condition, setAside, jobs }: Store): Failure | null {
  if (condition === 'sound') return null;
  if (condition === 'copied') return jobs.counts.sum(STATE_GROUPS.unsent) > 0 ? COPIED : null;
  const what = userMessage(condition === 'restored' ? 'queue-restored' : 'queue-begins-anew');
  const kept =
    setAside === null ? [] : [userMessage('queue-kept-as', { name: path.basename(setAside) })];
  return {
    code: 'store-damaged',
    ...joinMessages(what, ...kept),
  };
}
