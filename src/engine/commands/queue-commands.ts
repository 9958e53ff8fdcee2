import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../engine-error.ts';
import { assertService } from './assert-service.ts';
import type { CommandContext } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { jobIdOf } from './by-id.ts';
import { assertUnsent } from './job-commands.ts';

/** Pauses and resumes what works the queue. */
export function queueCommands(context: CommandContext): Commands['queue'] {
  const { store, flow, fetcher, downloadWaits, runtime } = context;
  return {
    async pause({ origin, what }) {
      assertService(origin, context);
      flow.pause(what);
      if (what === 'everything') await fetcher.stopAll();
      runtime.flowChanged();
    },

    resume({ origin }) {
      assertService(origin, context);
      flow.resume();
      downloadWaits.tryAll();
      runtime.tryWaiting();
      runtime.flowChanged();
      runtime.lookForKey();
    },

    stopBefore({ origin, id }) {
      assertService(origin, context);
      const job = id === null ? null : store.jobs.get(jobIdOf(id));
      if (job) assertUnsent(job, userMessage('sent-already'));
      flow.setStopBefore(job?.id ?? null);
      runtime.rowsChanged();
    },

    otherServices: () => [...store.otherServices()],
  };
}

/** Pauses and resumes downloads, apart from the jobs that they belong to. */
export function transferCommands(context: CommandContext): Commands['transfers'] {
  const { store, fetcher, pauses, downloadWaits, runtime } = context;
  const known = (ids: readonly string[] | undefined): readonly number[] | undefined =>
    ids?.map((id) => store.jobs.get(jobIdOf(id)).id);
  return {
    async pause({ origin, ids }) {
      assertService(origin, context);
      pauses.pause(known(ids));
      await fetcher.stopPaused();
      runtime.rowsChanged();
    },

    resume({ origin, ids }) {
      assertService(origin, context);
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

export function quotaCommands(context: CommandContext): Commands['quota'] {
  const { quota, runtime } = context;
  return {
    correct({ origin, used }) {
      assertService(origin, context);
      quota.correct(used);
      runtime.flowChanged();
    },

    days: ({ zone = 'UTC' }) => quota.days(zone),
  };
}

export function serviceCommands(context: CommandContext): Commands['service'] {
  const { flow, rules, runtime } = context;
  return {
    tryNow: () => runtime.tryNow(),

    fallAsleep() {
      flow.fallAsleep();
      runtime.flowChanged();
    },

    teach({ origin, word, means }) {
      assertService(origin, context);
      rules.define(word, means);
    },
  };
}

export function keyCommands(context: CommandContext): Commands['key'] {
  const { key, clock, runtime } = context;
  const check = async (): Promise<typeof key.status> => {
    if (key.status.state !== 'absent') await runtime.checkKey();
    return key.status;
  };
  return {
    async set({ origin, value: entered, label = null }) {
      assertService(origin, context);
      const value = entered.trim();
      if (label?.includes(value)) throw new NotPossibleNowError(userMessage('label-is-key'));
      await key.set(value, { since: clock.now(), label });
      return check();
    },

    label({ origin, label }) {
      assertService(origin, context);
      if (key.isPartOf(label)) throw new NotPossibleNowError(userMessage('label-is-key'));
      key.rename(label);
      runtime.flowChanged();
      return key.status;
    },

    async check() {
      await key.catchUp();
      runtime.flowChanged();
      return check();
    },

    async forget({ origin }) {
      assertService(origin, context);
      try {
        await key.forget();
      } finally {
        runtime.flowChanged();
      }
      return key.status;
    },
  };
}
