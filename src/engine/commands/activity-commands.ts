import { setImmediate as nextTurn } from 'node:timers/promises';
import { ActivityReader } from '../activity/activity-reader.ts';
import type { CommandContext } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { batchIdOf } from './by-id.ts';

/** Shows and exports what happened. */
export function activityCommands({ store, stop }: CommandContext): Commands['activity'] {
  const reader = new ActivityReader(store.activity, store.ledger);
  return {
    list: (query) => reader.page({ ...query, batchId: batchIdOf(query.batchId, store) }),

    units: (query) => reader.units({ ...query, batchId: batchIdOf(query.batchId, store) }),

    async *export(wanted, signal) {
      const filter = { ...wanted, batchId: batchIdOf(wanted.batchId, store) };
      for (const text of reader.export(wanted, filter)) {
        yield { text };
        if (signal.aborted || stop.aborted) return;
        // Thousands of pages must not keep the queue from its work.
        await nextTurn();
      }
    },
  };
}
