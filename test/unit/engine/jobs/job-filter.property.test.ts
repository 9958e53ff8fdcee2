import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches } from '../../../../src/contract/job-filter.ts';
import type { JobFilter } from '../../../../src/contract/job.ts';
import { JOB_STATES } from '../../../../src/contract/job-states.ts';
import { canMove, MOVE_NAMES } from '../../../../src/engine/jobs/lifecycle.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const word = fc.constantFrom(
  'Élan',
  'éLAN',
  'ΣΙΓΜΑ',
  'σίγμα',
  'Straße',
  'STRASSE',
  'İzmir',
  '%',
  '_',
  '',
);
const title = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `x ${words.join(' ')}`);

const TO_SAVED = ['reserve', 'send', 'accept', 'finish', 'download', 'verify', 'save'] as const;

const moves = fc
  .tuple(fc.nat(TO_SAVED.length), fc.array(fc.constantFrom(...MOVE_NAMES)))
  .map(([first, others]) => [...TO_SAVED.slice(0, first), ...others]);

const jobs = fc.array(
  fc.record({ title, batch: fc.nat(1), moves, archived: fc.boolean(), removed: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 12,
  },
);

const filters = fc.array(
  fc.record(
    {
      batchId: fc.constantFrom('1', '2'),
      states: fc.uniqueArray(fc.constantFrom(...JOB_STATES)),
      alsoDownloadingAgain: fc.boolean(),
      archived: fc.boolean(),
      search: fc.oneof(word, title),
    },
    { requiredKeys: [] },
  ) satisfies fc.Arbitrary<JobFilter>,
  { minLength: 20, maxLength: 20 },
);

test('the database and a page agree on which jobs match a filter', async () => {
  await fc.assert(
    fc.asyncProperty(jobs, filters, async (rows, wanted) => {
      const store = await openStore({
        folder: temporaryFolder(),
      });
      const batches = ['One', 'Two'].map((name) => addBatch(store, { name }));
      const ids = rows.map((row, index) => {
        const [id = 0] = store.jobs.insert(
          batches[row.batch]?.id ?? 0,
          [aRow(row.title, { fileName: `${index}.mp4`, occurrence: index })],
          0,
        );
        for (const move of row.moves) {
          if (canMove(move, store.jobs.get(id).state)) store.jobs.move(id, move, 0);
        }
        if (row.archived) store.jobs.archive(id, 0);
        if (row.removed) store.jobs.remove(id, 0);
        return id;
      });
      for (const filter of wanted) {
        const expected = ids.filter((id) => {
          const row = store.jobs.get(id);
          const wasSaved = store.jobs.history(row).some(({ to }) => to === 'done');
          return matches({ ...row, batchId: String(row.batchId) }, filter, wasSaved);
        });
        expect(store.jobs.idsOf(filter), JSON.stringify(filter)).toEqual(expected);
      }
      await store.close();
    }),
    { numRuns: 30 },
  );
});
