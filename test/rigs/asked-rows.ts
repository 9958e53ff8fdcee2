/** The rows of a table about which the user is asked, because they may not be videos. */
import type { ReadingChoices } from '../../src/contract/table-reading.ts';
import { readBatch, type BatchReading } from '../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';

/** Reads a table as this computer's service takes it. */
export function readTableText(
  content: string | Uint8Array,
  reading: ReadingChoices = {},
): BatchReading {
  return readBatch({ name: 'Videos', content }, storyboardProfile.request, { reading });
}

/** What is asked about: `section 2`, `other-table 5-7`. */
export function askedIn({ files }: BatchReading): string[] {
  return (files[0]?.reading?.undecided ?? []).map(
    ({ row, end, looksLike }) => `${looksLike} ${row}${end === row ? '' : `-${end}`}`,
  );
}

/** The numbers of these rows. */
export function askedRows({ files }: BatchReading): number[] {
  return (files[0]?.reading?.undecided ?? []).flatMap(({ row, end }) =>
    Array.from({ length: end - row + 1 }, (_, at) => row + at),
  );
}
