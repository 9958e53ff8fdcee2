/** Reads each batch once: all who check, plan or add the same files share the result. */
import { hash } from 'node:crypto';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { BatchSource } from '../../contract/batch.ts';
import { readBatchAside } from './read-batch-aside.ts';
import type { BatchReading, ReadingOptions } from './read-batch.ts';
import { RowFileChecks, withPictures } from './row-pictures.ts';
import type { RequestTemplate } from './request-template.ts';
import { loadSource, type TableFile, type TableSource } from './tables/table-source.ts';

interface Kept {
  readonly reading: Promise<BatchReading>;
  /** Bytes of its files, or characters of texts. */
  readonly size: number;
}

/**
 * Readings by a hash of the files and of everything that decides how they are read. The oldest are
 * dropped when all files together are larger than one batch may be.
 */
export class BatchReadings {
  /** Checks the files that rows name. */
  readonly files = new RowFileChecks();
  readonly #kept = new Map<string, Kept>();

  /**
   * As `readBatch`, with perhaps more samples, and with the pictures that the rows name checked as
   * they are now.
   * @param profile how rows become requests
   */
  async read(
    source: BatchSource,
    profile: RequestTemplate,
    options: ReadingOptions = {},
  ): Promise<BatchReading> {
    const reading = await this.#readTable(source, profile, options);
    return withPictures(reading, source, this.files, options.leaveOut);
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
    const reading = readBatchAside(loaded, profile, options);
    this.#keep(key, { reading, size: sizeOf(loaded) });
    try {
      return await reading;
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

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let size = 0;
    for (const [each, { size: own }] of [...this.#kept].toReversed()) {
      size += own;
      if (each !== key && size > MAX_BATCH_BYTES) this.#kept.delete(each);
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

function sizeOf(source: TableSource): number {
  return filesOf(source).reduce((size, { content }) => size + content.length, 0);
}

function keyOf(
  source: TableSource,
  profile: RequestTemplate,
  { columns, template, edits, editsOf, leaveOut, reading, language }: ReadingOptions,
): string {
  const files = filesOf(source).map(({ name, content, reading: own }) => [
    name,
    hash('sha256', content),
    own,
  ]);
  const choices = [columns, template, edits, editsOf, leaveOut, reading, language];
  return hash('sha256', JSON.stringify([files, profile, ...choices]));
}
