/** Reads each batch once: all who check, plan or add the same files share the result. */
import { hash } from 'node:crypto';
import { MAX_BATCH_BYTES } from '../../contract/batch-limits.ts';
import type { BatchSource } from '../../contract/batch.ts';
import { readBatchAside } from './read-batch-aside.ts';
import type { BatchReading, ReadingOptions } from './read-batch.ts';
import type { RequestTemplate } from './request-template.ts';

interface Kept {
  readonly reading: Promise<BatchReading>;
  /** Characters of its files. */
  readonly size: number;
}

/**
 * Readings by a hash of the files and of everything that decides how they are read. The oldest are
 * dropped when all files together are larger than one batch may be.
 */
export class BatchReadings {
  readonly #kept = new Map<string, Kept>();

  /**
   * As `readBatch`, with perhaps more samples.
   * @param profile how rows become requests
   */
  async read(
    source: BatchSource,
    profile: RequestTemplate,
    options: ReadingOptions = {},
  ): Promise<BatchReading> {
    const key = keyOf(source, profile, options);
    const known = await this.#kept.get(key)?.reading;
    if (known !== undefined && hasSample(known, options.show)) return known;
    const reading = readBatchAside(source, profile, options);
    this.#keep(key, { reading, size: sizeOf(source) });
    try {
      return await reading;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  /** Frees the memory of a batch that was added. */
  forget(source: BatchSource, profile: RequestTemplate, options: ReadingOptions): void {
    this.#kept.delete(keyOf(source, profile, options));
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

/** Of this process: a command checks a table before its engine plans and adds it. */
export const batchReadings = new BatchReadings();

/** A row that is not in the file has no sample in any reading. */
function hasSample({ samples, rowCount }: BatchReading, show: number | undefined): boolean {
  return show === undefined || rowCount === 0 || samples.some(({ row }) => row === show);
}

function filesOf({ name, content, further = [] }: BatchSource): BatchSource[] {
  return [{ name, content }, ...further];
}

function sizeOf(source: BatchSource): number {
  return filesOf(source).reduce((size, { content }) => size + content.length, 0);
}

function keyOf(
  source: BatchSource,
  profile: RequestTemplate,
  { columns, template, edits, leaveOut }: ReadingOptions,
): string {
  const files = filesOf(source).map(({ name, content }) => [name, hash('sha256', content)]);
  return hash('sha256', JSON.stringify([files, profile, columns, template, edits, leaveOut]));
}
