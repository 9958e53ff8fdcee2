import { hash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { activityCommands } from '../../../../src/engine/commands/activity-commands.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const ROWS = 2001;

test.each(['events', 'quota'] as const)(
  'an export of %s that is longer than a page has every row once, the newest first',
  async (what) => {
    const origin = 'https://service.example';
    const onChange = () => undefined;
    const store = await openStore({ folder: temporaryFolder(), origin, now: 0, onChange });
    onTestFinished(() => store.close());
    const naming = { nameTemplate: '{title}', onCollision: 'number' } as const;
    const batch = store.batches.insert({ name: 'Batch', folder: '/f', ...naming, addedAt: 0 });
    const titles = Array.from({ length: ROWS }, (_, index) => `Row ${index}`);
    const jobs = titles.map((title, row) => {
      const bodySha256 = hash('sha256', title);
      const common = { preset: 'any', body: '{}', occurrence: 0, cells: '[]', remoteId: null };
      return { row, title, bodySha256, fileName: title, state: 'queued', ...common } as const;
    });
    store.transactions.write(() => {
      for (const id of store.jobs.insert(batch.id, jobs, 0)) store.ledger.hold(id, 0);
    });

    const stop = new AbortController().signal;
    let file = '';
    const pieces = activityCommands({ store, stop }).export({ what, format: 'json' }, stop);
    for await (const { text } of await pieces) file += text;

    const rows = JSON.parse(file) as { readonly title: string }[];
    expect(rows.map(({ title }) => title)).toEqual(titles.toReversed());
  },
);
