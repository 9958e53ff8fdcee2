import type { z } from 'zod';
import { jsonColumn } from './stored-values.ts';
import { ServiceTables } from './transactions.ts';
import { safeParse } from '../../contract/safe-parse.ts';

/**
 * Small values that outlive a run and are not jobs, by name: rate windows, render times, a pause.
 */
export class KeyValueStore extends ServiceTables {
  /** `null` when there is none, or it is damaged or has a shape that this version does not know. */
  read<T>(name: string, schema: z.ZodType<T>): T | null {
    const row = this.database.get(
      'SELECT value FROM note WHERE service_id = ? AND name = ?',
      this.serviceId,
      name,
    );
    if (!row) return null;
    const parsed = safeParse(jsonColumn.pipe(schema), row.value);
    return parsed.success ? parsed.data : null;
  }

  write(name: string, value: unknown): void {
    this.database.run(
      `INSERT INTO note (service_id, name, value) VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET value = excluded.value`,
      this.serviceId,
      name,
      JSON.stringify(value),
    );
  }

  remove(name: string): void {
    this.database.run('DELETE FROM note WHERE service_id = ? AND name = ?', this.serviceId, name);
  }
}
