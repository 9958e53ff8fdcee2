/** The calls on the queue as a whole: pauses, downloads, quota, services and keys. */
import { foldWord } from '../../contract/answer-rules.ts';
import { userMessage } from '../../contract/user-message.ts';
import { EngineError, NotPossibleNowError } from '../engine-error.ts';
import { isPossibleKey } from '../../contract/key-text.ts';
import type { Needs } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { assertUnsent, jobIdOf } from './by-id.ts';

export function queueCommands(
  context: Needs<'store' | 'fetcher'> & ToTryWaiting & ToLookForKey,
): Commands['queue'] {
  const { store, flow, fetcher, downloadWaits, runtime } = context;
  return {
    async pause({ what }) {
      flow.pause(what);
      if (what === 'everything') await fetcher.stopAll();
      runtime.flowChanged();
    },

    resume() {
      flow.resume();
      downloadWaits.tryAll();
      tryWaiting(context);
      runtime.flowChanged();
      lookForKey(context);
    },

    stopBefore({ id }) {
      const job = id === null ? null : store.jobs.get(jobIdOf(id));
      if (job) assertUnsent(job, userMessage('sent-already'));
      flow.setStopBefore(job?.id ?? null);
      runtime.rowsChanged();
    },

    otherServices: () => [...store.otherServices()],
  };
}

type ToTryWaiting = Needs<'flow' | 'linkDelay' | 'poller' | 'downloadWaits'>;

type ToLookForKey = Needs<'key' | 'runtime' | 'onDefect'>;

/** Pauses and resumes downloads without pausing the jobs that they belong to. */
export function transferCommands({
  store,
  fetcher,
  pauses,
  downloadWaits,
  runtime,
}: Needs<'store' | 'fetcher' | 'pauses' | 'downloadWaits' | 'runtime'>): Commands['transfers'] {
  const known = (ids: readonly string[] | undefined): readonly number[] | undefined =>
    ids?.map((id) => store.jobs.get(jobIdOf(id)).id);
  return {
    async pause({ ids }) {
      pauses.pause(known(ids));
      await fetcher.stopPaused();
      runtime.rowsChanged();
    },

    resume({ ids }) {
      const jobIds = known(ids);
      store.transactions.write(() => {
        pauses.resume(jobIds);
        if (jobIds) downloadWaits.endOf(jobIds);
        else downloadWaits.tryAll();
      });
      runtime.rowsChanged();
    },
  };
}

export function quotaCommands({ quota, runtime }: Needs<'quota' | 'runtime'>): Commands['quota'] {
  return {
    correct({ used }) {
      quota.correct(used);
      runtime.flowChanged();
    },

    days: ({ zone = 'UTC' }) => quota.days(zone),
  };
}

export function serviceCommands(
  context: Needs<'outage' | 'quota' | 'rules' | 'store' | 'clock' | 'runtime'> & ToTryWaiting,
): Commands['service'] {
  const { flow, outage, quota, rules, runtime } = context;
  return {
    /** The network may be back, or time has jumped: everything that waits tries again. */
    tryNow() {
      outage.ended();
      quota.tryNow();
      flow.wake();
      tryWaiting(context);
      runtime.flowChanged();
    },

    fallAsleep() {
      flow.fallAsleep();
      runtime.flowChanged();
    },

    defineWord({ word, means }) {
      rules.define(word, means);
      askAgain(context, word);
    },
  };
}

export function keyCommands({
  key,
  clock,
  runtime,
  newKey,
}: Needs<'key' | 'clock' | 'runtime' | 'newKey'>): Commands['key'] {
  return {
    async set({ value: text, label = null }) {
      if (newKey) throw new NotPossibleNowError(userMessage('key-of-this-computer'));
      const value = text.trim();
      if (!isPossibleKey(value)) {
        throw new EngineError({ code: 'value-invalid', ...userMessage('key-malformed') });
      }
      if (label?.includes(value)) throw new NotPossibleNowError(userMessage('label-is-key'));
      const since = clock.now();
      const { changes } = key;
      const entered = await runtime.checkKey(value);
      // Another key was entered, or this one removed, before the answer came.
      if (key.changes !== changes)
        throw new NotPossibleNowError(userMessage('key-changed-meanwhile'));
      // Without an answer, an unchecked key is better than none, and worse than one that works.
      const isUsed = entered === 'accepted' || (entered === 'unchecked' && !key.isUsable);
      if (isUsed) {
        await key.set(value, { since, label }, entered === 'accepted');
        runtime.flowChanged();
      }
      return { ...key.status, entered };
    },

    async renew() {
      if (!newKey) throw new NotPossibleNowError(userMessage('key-not-renewable'));
      await key.set(await newKey(), { since: clock.now(), label: null }, true);
      runtime.flowChanged();
      return key.status;
    },

    label({ label }) {
      if (key.isPartOf(label)) throw new NotPossibleNowError(userMessage('label-is-key'));
      key.rename(label);
      runtime.flowChanged();
      return key.status;
    },

    async check() {
      await key.catchUp();
      runtime.flowChanged();
      if (key.status.state !== 'absent') await runtime.checkKey();
      return key.status;
    },

    async forget() {
      try {
        await key.forget();
      } finally {
        runtime.flowChanged();
      }
      return key.status;
    },
  };
}

/**
 * A missing key may be in a keychain that was unlocked since. The system may ask the user for a
 * password, so this runs only when the user does something, and in the background.
 */
export function lookForKey({ key, runtime, onDefect }: ToLookForKey): void {
  if (key.status.state !== 'absent') return;
  key
    .catchUp()
    .then(() => runtime.flowChanged())
    .catch(onDefect);
}

/** Requests the status of videos that had this word, which had no meaning until now. */
function askAgain(
  { store, clock, poller, runtime }: Needs<'store' | 'clock' | 'poller' | 'runtime'>,
  word: string,
): void {
  const failed = store.jobs.pick(store.jobs.idsOf({ states: ['failed'] }));
  store.transactions.write(() => {
    for (const { id, serviceWord, failure } of failed) {
      const hadWord = serviceWord !== null && foldWord(serviceWord) === foldWord(word);
      if (!hadWord || failure?.code !== 'status-unknown') continue;
      store.jobs.move(id, 'askStatusAgain', clock.now());
    }
  });
  poller.tryNow();
  runtime.flowChanged();
}

/** Retries now what waits because of an unusable response. */
function tryWaiting({ flow, linkDelay, poller, downloadWaits }: ToTryWaiting): void {
  flow.tryEndpointsNow();
  linkDelay.tryNow();
  poller.tryNow();
  downloadWaits.end('service-error', 'not-found');
  downloadWaits.lookUpNow();
}
