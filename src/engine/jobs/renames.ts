import { z } from 'zod';
import { JOB_COLUMNS, jobRowSchema, type JobRow } from './job-row.ts';
import { jsonColumn } from './json-column.ts';
import type { Transactions } from './transactions.ts';

/** Rows that are written to in one transaction. */
const AT_A_TIME = 2000;

/** Earlier versions wrote an object, whose order means nothing. */
const cellsSchema = z.union([
  z.array(z.tuple([z.string(), z.string()])),
  z.record(z.string(), z.string()).transform((cells) => Object.entries(cells)),
]);

const factsSchema = z
  .object({
    id: z.int(),
    cells: jsonColumn.pipe(cellsSchema).catch([]),
    place: z.int(),
    batch_size: z.int(),
  })
  .transform(({ batch_size, ...row }) => ({ ...row, batchSize: batch_size }));

/** What a file's name can be made of, beside what the row itself has. */
export type NamingFacts = Readonly<z.infer<typeof factsSchema>>;

/** A file's way from one name to another. */
export interface RenameIntent {
  readonly id: number;
  /** Absolute path of the file as it was when its new name was settled. */
  readonly filePath: string;
  /** Inside the batch's folder. */
  readonly renameTo: string;
}

/** Files on their way to other names. It is written down where they go before the first one moves. */
export class Renames {
  readonly #database: Transactions;
  readonly #serviceId: number;

  constructor(database: Transactions, serviceId: number) {
    this.#database = database;
    this.#serviceId = serviceId;
  }

  /** By id. A job's place is counted from 1, in the order of its batch's rows. */
  facts(ids: readonly number[]): ReadonlyMap<number, NamingFacts> {
    const rows = this.#database.all(
      `SELECT id, cells, place, batch_size FROM (
          SELECT id,
            row_number() OVER (PARTITION BY batch_id
              ORDER BY row_number IS NULL, row_number, id) AS place,
            count(*) OVER (PARTITION BY batch_id) AS batch_size
          FROM job WHERE batch_id IN (
            SELECT batch_id FROM job WHERE id IN (SELECT value FROM json_each(?1)))
        ) JOIN request ON request.job_id = id
        WHERE id IN (SELECT value FROM json_each(?1))`,
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => factsSchema.parse(row)).map((facts) => [facts.id, facts]));
  }

  /**
   * Writes down where files go.
   * @returns the ids of those that are still as they were; the others are left alone
   */
  intend(intents: readonly RenameIntent[]): ReadonlySet<number> {
    const intended = new Set<number>();
    for (let start = 0; start < intents.length; start += AT_A_TIME) {
      this.#database.write(() => {
        for (const { id, filePath, renameTo } of intents.slice(start, start + AT_A_TIME)) {
          const { changes } = this.#database.run(
            `UPDATE job SET rename_to = ?
              WHERE id = ? AND service_id = ? AND state = 'done' AND file_path = ?`,
            renameTo,
            id,
            this.#serviceId,
            filePath,
          );
          if (changes > 0) intended.add(id);
        }
      });
    }
    return intended;
  }

  /** Jobs whose file is on its way, in queue order. */
  pending(): readonly JobRow[] {
    return this.#database
      .all(
        `SELECT ${JOB_COLUMNS} FROM job INDEXED BY job_renaming
          WHERE service_id = ? AND rename_to IS NOT NULL ORDER BY priority DESC, position`,
        this.#serviceId,
      )
      .map((row) => jobRowSchema.parse(row));
  }
}
