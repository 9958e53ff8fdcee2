/** Reads each batch once: all who check, plan or add the same files share the result. */
import { hash } from 'node:crypto';
import type { BatchSource } from '../../contract/batch.ts';
import { readBatchAside } from './read-batch-aside.ts';
import type { BatchReading, ReadingOptions } from './read-batch.ts';
import { withFiles } from './batch-files.ts';
import { RowFileChecks, type TakesFiles } from './check-files.ts';
import type { RequestTemplate } from './request-template.ts';
import { loadSource, type TableFile, type TableSource } from './tables/table-source.ts';

interface Kept {
  readonly reading: Promise<BatchReading>;
  /** Bytes of memory; 0 until it is read. */
  bytes: number;
}

/** One reading of 100,000 rows, and smaller ones: each edit of a row makes another. */
const MAX_KEPT_BYTES = 128 * 1024 * 1024;
/** Bytes of a row besides its texts, and about those of an issue with its sentence. */
const ROW_BYTES = 100;
const ISSUE_BYTES = 1500;

/** About the memory that a reading takes. */
export function keptBytes({ rows, errors, warnings }: BatchReading): number {
  const texts = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return texts + ROW_BYTES * rows.length + ISSUE_BYTES * (errors.length + warnings.length);
}

/**
 * Readings by a hash of the files and of everything that decides how they are read. The oldest are
 * dropped when all together take more than `maxBytes`.
 */
export class BatchReadings {
  /** Checks the files that rows name. */
  readonly files = new RowFileChecks();
  readonly #kept = new Map<string, Kept>();
  readonly #maxBytes: number;

  constructor(maxBytes = MAX_KEPT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /**
   * As `readBatch`, with perhaps more samples, and with the pictures that the rows name checked as
   * they are now.
   * @param profile how rows become requests
   * @param takes whether their service takes the files of a column; it does when left out
   */
  async read(
    source: BatchSource,
    profile: RequestTemplate,
    options: ReadingOptions = {},
    takes: TakesFiles = () => true,
  ): Promise<BatchReading> {
    const reading = await this.#readTable(source, profile, options);
    return withFiles(reading, source, this.files, takes);
  }

  async #readTable(
    source: BatchSource,
    profile: RequestTemplate,
    options: ReadingOptions,
  ): Promise<BatchReading> {
    const loaded = await loadSource(source);
    const key = keyOf(loaded, profile, options);
    const known = await this.#kept.get(key)?.reading;
    if (known !== undefined && hasSample(known, options.show)) return known;
    const kept = { reading: readBatchAside(loaded, profile, options), bytes: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    try {
      const reading = await kept.reading;
      kept.bytes = keptBytes(reading);
      this.#dropOldest(key);
      return reading;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Frees the memory of a batch that was added. */
  async forget(
    source: BatchSource,
    profile: RequestTemplate,
    options: ReadingOptions,
  ): Promise<void> {
    this.#kept.delete(keyOf(await loadSource(source), profile, options));
  }

  #dropOldest(current: string): void {
    let sum = 0;
    for (const [key, { bytes }] of [...this.#kept].toReversed()) {
      sum += bytes;
      if (key !== current && sum > this.#maxBytes) this.#kept.delete(key);
    }
  }
}

/** A row that is not in the file has no sample in any reading. */
function hasSample({ samples, rowCount }: BatchReading, show: number | undefined): boolean {
  return show === undefined || rowCount === 0 || samples.some(({ row }) => row === show);
}

function filesOf({ further = [], ...first }: TableSource): TableFile[] {
  return [first, ...further];
}

function keyOf(
  source: TableSource,
  profile: RequestTemplate,
  { columns, template, edits, leaveOut, reading, language }: ReadingOptions,
): string {
  const files = filesOf(source).map(({ name, content, reading: own }) => [
    name,
    hash('sha256', content),
    own,
  ]);
  const choices = [columns, template, edits, leaveOut, reading, language];
  return hash('sha256', JSON.stringify([files, profile, ...choices]));
}
