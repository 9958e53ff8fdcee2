/** The requests of one row of a batch, for its preview. */
import type { SampleRow } from '../../contract/batch.ts';
import type { IntakeRow } from './intake-row.ts';

/** @param rows the videos of one row; none for a row with errors */
export function sampleRequests(rows: readonly IntakeRow[]): Pick<SampleRow, 'request' | 'videos'> {
  const [first] = rows;
  if (first === undefined) return { request: null };
  const request = parsed(first);
  if (rows.length === 1) return { request };
  return {
    request,
    videos: rows.map((row) => ({ variant: row.variant, request: parsed(row) })),
  };
}

function parsed({ body }: IntakeRow): NonNullable<SampleRow['request']> {
  return JSON.parse(body) as NonNullable<SampleRow['request']>;
}
