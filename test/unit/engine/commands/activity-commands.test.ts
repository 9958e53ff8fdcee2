import { expect, test } from 'vitest';
import { activityCommands } from '../../../../src/engine/commands/activity-commands.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';
import { filledStore } from '../../../rigs/filled-store.ts';

const ROWS = 2001;

test.each(['events', 'quota'] as const)(
  'an export of %s that is longer than a page has every row once, the newest first',
  async (what) => {
    const titles = Array.from({ length: ROWS }, (_, index) => `Row ${index}`);
    const { store, ids } = await filledStore(titles);
    store.transactions.write(() => {
      for (const id of ids) store.ledger.hold(id, 0);
    });

    const stop = new AbortController().signal;
    let file = '';
    const commands = activityCommands({ store, stop, profile: storyboardProfile }, () => ({
      sums: [],
    }));
    const pieces = commands.export({ what, format: 'json' }, stop);
    for await (const { text } of await pieces) file += text;

    const rows = JSON.parse(file) as { readonly title: string }[];
    expect(rows.map(({ title }) => title)).toEqual(titles.toReversed());
  },
);
