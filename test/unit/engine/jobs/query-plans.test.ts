/** From which indexes lists are read: what makes a queue or an archive of any length quick. */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { JobGroups } from '../../../../src/engine/jobs/job-groups.ts';
import type { Store } from '../../../../src/engine/jobs/store.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { openStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

/** The steps of SQLite's plans for the statements that `read` prepares, on a store of three jobs. */
async function plansOf(
  read: (store: Store, ids: readonly number[]) => unknown,
): Promise<readonly string[][]> {
  const folder = temporaryFolder();
  await using disposed = new AsyncDisposableStack();
  const store = disposed.adopt(await openStore({ folder }), (open) => open.close());
  const ids = store.jobs.insert(addBatch(store).id, [aRow('a'), aRow('b'), aRow('c')], 0);
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
  read(store, ids);
  const statements = prepare.mock.calls.map(([sql]) => sql);
  prepare.mockRestore();
  const file = path.join(folder, 'spool.db');
  const database = disposed.adopt(new DatabaseSync(file, { readOnly: true }), (open) =>
    open.close(),
  );
  return statements
    .filter((sql) => sql.startsWith('SELECT'))
    .map((sql) => database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map((steps) => steps.map(({ detail }) => String(detail)));
}

test('ids of a section come in the order of an index, without sorting or reading rows', async () => {
  const query = { grouping: 'sections', unfolded: ['next'], unfoldedRows: [] } as const;
  const plans = await plansOf((store) =>
    new JobGroups(store, () => 2).ids({ ...query, oneALine: true }),
  );
  const steps = plans.find((each) => each.some((step) => step.startsWith('MERGE'))) ?? [];
  const inOneState = 'SEARCH job USING COVERING INDEX job_state (service_id=? AND state=?)';
  expect(steps.filter((step) => step.includes(' job '))).toEqual([inOneState, inOneState]);
  expect(steps.filter((step) => step.includes('ORDER BY'))).toEqual([]);
});

test('videos of the archive are counted in the order of the index that has their titles', async () => {
  const plans = await plansOf((store, ids) => {
    for (const id of ids) {
      store.jobs.move(id, 'cancel', 0);
      store.jobs.archive(id, 0);
    }
    const page = store.jobs.page({ archived: true, search: '', limit: 1 });
    expect([page.total, page.rows.length]).toEqual([3, 1]);
  });
  expect(plans.at(-1)).toEqual(['SEARCH job USING INDEX job_archived (service_id=?)']);
});

test('videos that are all on the page are not counted', async () => {
  const plans = await plansOf((store) => {
    expect(store.jobs.page({ archived: false, limit: 4 }).total).toBe(3);
    expect(store.jobs.page({ archived: false, search: 'c', offset: 0, limit: 1 }).total).toBe(1);
    expect(store.jobs.page({ archived: false, offset: 2, limit: 2 }).total).toBe(3);
    expect(store.jobs.page({ archived: false, offset: 5, limit: 2 }).total).toBe(3);
    expect(store.jobs.page({ archived: true }).total).toBe(0);
  });
  // One for “c”, of which there might be another, and one beyond the end.
  expect(plans).toHaveLength(3 + 2);
});
