/** Remembers with which choices files were added, for the next file whose name is alike. */
import { z } from 'zod';
import { usedBeforeSchema, type BatchOptions, type UsedBefore } from '../../contract/batch.ts';
import { filePattern } from '../../contract/file-pattern.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { KeyValueStore } from './key-value-store.ts';
import { jsonColumn } from './stored-values.ts';
import { ServiceTables } from './transactions.ts';

const NAME = 'file-patterns';

/** Patterns that a service keeps; the one that was used least recently goes first. */
const MAX_PATTERNS = 50;

const keptSchema = z.array(usedBeforeSchema.omit({ origin: true }).extend({ at: z.number() }));

const rowSchema = z.object({ origin: z.string(), value: jsonColumn.pipe(keptSchema) });

export class FilePatterns extends ServiceTables {
  /** Joins the caller's transaction. @param at milliseconds since the epoch */
  remember(name: string, options: BatchOptions, at: number): void {
    const notes = new KeyValueStore(this.database, this.serviceId);
    const pattern = filePattern(name);
    const others = (notes.read(NAME, keptSchema) ?? []).filter((each) => each.pattern !== pattern);
    const { options: chosen } = usedBeforeSchema.pick({ options: true }).parse({ options });
    // Without choices there is nothing to propose, and an earlier proposal was turned down.
    const kept =
      Object.keys(chosen).length === 0 ? [] : [{ pattern, file: name, options: chosen, at }];
    notes.write(NAME, [...others, ...kept].slice(-MAX_PATTERNS));
  }

  /** The latest of all services. */
  recall(name: string): UsedBefore | null {
    const pattern = filePattern(name);
    const found = this.database
      .all(
        'SELECT origin, value FROM note JOIN service ON service.id = service_id WHERE name = ?',
        NAME,
      )
      .flatMap((row) => {
        const { data } = safeParse(rowSchema, row);
        const match = data?.value.find((each) => each.pattern === pattern);
        return data === undefined || match === undefined ? [] : [{ ...match, origin: data.origin }];
      })
      .toSorted((one, other) => other.at - one.at);
    const [latest] = found;
    if (latest === undefined) return null;
    const { file, origin, options } = latest;
    return { pattern, file, origin, options };
  }
}
