import { z } from 'zod';
import { saidSchema, type Told } from '../../contract/said.ts';
import { inEnglish } from '../../contract/told.ts';
import { jsonColumn } from './json-column.ts';

/** The columns of something that was told, as the database has them. */
export const toldColumns = {
  note: z.string().nullable(),
  /** A newer Spool may say things in another way; the English is there all the same. */
  says: jsonColumn.pipe(z.array(saidSchema)).nullable().catch(null),
};

export function toldIn({ note, says }: z.infer<z.ZodObject<typeof toldColumns>>): Told | null {
  if (note === null) return null;
  return says === null ? inEnglish(note) : { message: note, says };
}
