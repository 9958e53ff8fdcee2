import { z } from 'zod';
import { collisionSchema } from '../../contract/batch.ts';
import { BatchUnknownError } from '../engine-error.ts';
import { isSamePath } from '../files/path-inside.ts';
import { ServiceTables, type Transactions } from './transactions.ts';

const batchRowSchema = z.object({
  id: z.int(),
  name: z.string(),
  folder: z.string(),
  nameTemplate: z.string(),
  onCollision: collisionSchema,
  addedAt: z.number(),
});

export type BatchRow = Readonly<z.infer<typeof batchRowSchema>>;

const batchTotalsSchema = z.object({
  saved: z.int(),
  firstSentAt: z.number().nullable(),
  lastSavedAt: z.number().nullable(),
  bytes: z.int(),
});

type BatchTotals = Readonly<z.infer<typeof batchTotalsSchema>>;

const COLUMNS = `id, name, folder, name_template AS nameTemplate, on_collision AS onCollision,
  added_at AS addedAt`;

/** The batches of one service, cached in memory because there are few and they are read often. */
export class BatchStore extends ServiceTables {
  readonly #batches = new Map<number, BatchRow>();

  constructor(database: Transactions, serviceId: number) {
    super(database, serviceId);
    const rows = database.all(
      `SELECT ${COLUMNS} FROM batch WHERE service_id = ? ORDER BY id`,
      serviceId,
    );
    for (const row of rows) this.#keep(batchRowSchema.parse(row));
  }

  /** Oldest first. */
  all(): readonly BatchRow[] {
    return [...this.#batches.values()];
  }

  /** @throws {BatchUnknownError} */
  get(id: number): BatchRow {
    const batch = this.#batches.get(id);
    if (!batch) throw new BatchUnknownError();
    return batch;
  }

  /** What became of its jobs, archived ones included. */
  result(id: number): BatchTotals {
    const row = this.database.get(
      `SELECT count(*) FILTER (WHERE state = 'done') AS saved, min(submitted_at) AS firstSentAt,
          max(saved_at) AS lastSavedAt,
          coalesce(sum(file_bytes) FILTER (WHERE state = 'done'), 0) AS bytes
        FROM job WHERE service_id = ? AND batch_id = ?`,
      this.serviceId,
      id,
    );
    return batchTotalsSchema.parse(row);
  }

  find(name: string, folder: string): BatchRow | null {
    const isWanted = (batch: BatchRow): boolean =>
      batch.name === name && isSamePath(batch.folder, folder);
    return this.all().find(isWanted) ?? null;
  }

  insert(batch: Omit<BatchRow, 'id'>): BatchRow {
    return this.database.write(() => {
      const id = this.database.insert('batch', {
        service_id: this.serviceId,
        name: batch.name,
        folder: batch.folder,
        name_template: batch.nameTemplate,
        on_collision: batch.onCollision,
        added_at: batch.addedAt,
      });
      const row = { ...batch, id };
      this.database.afterCommit(() => this.#keep(row));
      return row;
    });
  }

  /** Sets how its new files are named from now on. */
  rename(id: number, naming: Pick<BatchRow, 'nameTemplate' | 'onCollision'>): void {
    this.database.write(() => {
      const { nameTemplate, onCollision } = naming;
      this.database.update('batch', id, { name_template: nameTemplate, on_collision: onCollision });
      this.database.afterCommit(() => this.#keep({ ...this.get(id), ...naming }));
    });
  }

  #keep(batch: BatchRow): void {
    this.#batches.set(batch.id, batch);
  }
}
