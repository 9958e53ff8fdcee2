import path from 'node:path';
import { z } from 'zod';
import { isSamePath, pathInside } from '../files/path-inside.ts';
import { storedValues, type StoredValues } from './stored-values.ts';
import { ServiceTables } from './transactions.ts';

/** Rows that are changed in one transaction. */
const AT_A_TIME = 2000;

const factsSchema = z
  .object({
    id: z.int(),
    values: storedValues,
    place: z.int(),
    batch_size: z.int(),
  })
  .transform(({ batch_size, ...row }) => ({ ...row, batchSize: batch_size }));

/** Values for a file's name, besides those of the row itself. */
export type NamingFacts = Readonly<Omit<z.infer<typeof factsSchema>, 'values'>> & {
  readonly values: StoredValues;
};

export interface RenameIntent {
  readonly id: number;
  /** Absolute path of the file when its new name was chosen. */
  readonly filePath: string;
  /** Inside the batch's folder. */
  readonly renameTo: string;
}

/** The names of jobs' files, and the paths of saved files. */
export class JobFiles extends ServiceTables {
  /** Jobs that have or had a file, in queue order: those of `ids`, or all that are not archived. */
  withFile(ids?: readonly number[]): readonly { readonly id: number; readonly bytes: number }[] {
    const among = ids ? 'AND id IN (SELECT value FROM json_each(?))' : 'AND archived_at IS NULL';
    return this.database
      .all(
        `SELECT id, file_bytes FROM job
          WHERE service_id = ? AND state IN ('done', 'missing') AND file_path IS NOT NULL ${among}
          ORDER BY priority DESC, position`,
        this.serviceId,
        ...(ids ? [JSON.stringify(ids)] : []),
      )
      .map(({ id, file_bytes }) => ({ id: Number(id), bytes: Number(file_bytes) }));
  }

  /**
   * Names in this folder, relative to it, that jobs of any service have or are about to have. The
   * folder of one batch may contain that of another.
   * @param except jobs whose names do not count
   */
  namesIn(folder: string, except: readonly number[] = []): string[] {
    const folders = new Map(
      this.database
        .all('SELECT id, folder FROM batch')
        .map((batch) => [Number(batch.id), String(batch.folder)] as const)
        .filter(([, other]) => isWithin(folder, other) || isWithin(other, folder)),
    );
    const rows = this.database.all(
      `SELECT batch_id, file_name, rename_to, file_path FROM job
        WHERE batch_id IN (SELECT value FROM json_each(?)) AND state <> 'cancelled'
          AND id NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...folders.keys()]),
      JSON.stringify(except),
    );
    return rows.flatMap(({ batch_id, file_name, rename_to, file_path }) => {
      const own = folders.get(Number(batch_id)) ?? folder;
      const inFolder = [file_name, rename_to].flatMap((name) => {
        if (typeof name !== 'string') return [];
        return own === folder ? [name] : namesBelow(folder, path.join(own, name));
      });
      // If the name was taken when the file was saved, the file has another name than its job.
      return typeof file_path === 'string'
        ? [...inFolder, ...namesBelow(folder, file_path)]
        : inFolder;
    });
  }

  /** Saved files of this size, of other jobs of any service. */
  savedFiles(bytes: number, exceptOf: number): string[] {
    return this.database
      .all(
        `SELECT file_path FROM job WHERE file_bytes = ? AND state = 'done' AND id <> ?
          AND file_path IS NOT NULL`,
        bytes,
        exceptOf,
      )
      .map(({ file_path }) => String(file_path));
  }

  /** Whether another job, of any service, has its saved file here. */
  isFileOfOther(file: string, jobId: number): boolean {
    return (
      this.database.number(
        `SELECT count(*) FROM job WHERE file_path = ? AND state = 'done' AND id <> ?`,
        file,
        jobId,
      ) > 0
    );
  }

  /** By job id. A job's place is counted from 1, in the order of its batch's rows. */
  namingFacts(ids: readonly number[]): ReadonlyMap<number, NamingFacts> {
    const rows = this.database.all(
      `SELECT id, row_values AS "values", place, batch_size FROM (
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
   * Stores the new names of files, before the first of them is moved.
   * @param record called for each in the same transaction
   * @returns the ids of those that have not changed since; the others are left alone
   */
  planRenames(
    intents: readonly RenameIntent[],
    record: (intent: RenameIntent) => void = () => undefined,
  ): ReadonlySet<number> {
    const intended = new Set<number>();
    for (let start = 0; start < intents.length; start += AT_A_TIME) {
      this.database.write(() => {
        for (const intent of intents.slice(start, start + AT_A_TIME)) {
          const { id, filePath, renameTo } = intent;
          const { changes } = this.database.run(
            `UPDATE job SET rename_to = ?
              WHERE id = ? AND service_id = ? AND state = 'done' AND file_path = ?`,
            renameTo,
            id,
            this.serviceId,
            filePath,
          );
          if (changes === 0) continue;
          intended.add(id);
          record(intent);
        }
      });
    }
    return intended;
  }
}

function isWithin(folder: string, other: string): boolean {
  return isSamePath(folder, other) || pathInside(folder, other) !== null;
}

/** The name of a file inside a folder, with `/` between its parts; none for a file elsewhere. */
function namesBelow(folder: string, file: string): readonly string[] {
  const way = pathInside(folder, file);
  return way === null ? [] : [way.split(path.sep).join('/')];
}
