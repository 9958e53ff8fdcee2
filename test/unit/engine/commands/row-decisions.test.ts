import { expect, test } from 'vitest';
import { decideRows } from '../../../../src/engine/commands/row-decisions.ts';
import type { IntakeRow } from '../../../../src/engine/intake/intake-row.ts';
import type { JobStore } from '../../../../src/engine/jobs/job-store.ts';

const ROWS = 5000;

test('decisions on thousands of rows yield to the event loop at least every 500 rows', async () => {
  let sinceTurn = 0;
  let most = 0;
  const turn = (): void => {
    sinceTurn = 0;
    waiting = setImmediate(turn);
  };
  let waiting = setImmediate(turn);
  const alike = (): [] => {
    sinceTurn += 1;
    most = Math.max(most, sinceTurn);
    return [];
  };
  const rows = Array.from({ length: ROWS }, (_, row) => ({ row, bodySha256: String(row) }));

  const decisions = await decideRows(rows as unknown as IntakeRow[], {
    batchId: null,
    jobs: { alike } as unknown as JobStore,
    isQueueEmpty: false,
    duplicates: 'reuse',
    duplicateRows: {},
  });
  clearImmediate(waiting);

  expect(decisions.map(({ row }) => row.row)).toEqual(rows.map(({ row }) => row));
  expect(most).toBeLessThanOrEqual(500);
});
