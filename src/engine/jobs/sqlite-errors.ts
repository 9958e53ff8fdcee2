import { z } from 'zod';

/** Primary result codes of SQLite (sqlite.org/rescode.html). */
export const SQLITE = {
  PERM: 3,
  BUSY: 5,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
} as const;

/** Codes with which a disk refuses a write, which is no defect. */
export const WRITE_REFUSALS: readonly number[] = [
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
];

const sqliteErrorSchema = z.object({ errcode: z.int() });

/** The primary result code of an error that SQLite raised, or `undefined` for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const parsed = sqliteErrorSchema.safeParse(error);
  return parsed.success ? parsed.data.errcode & 0xff : undefined;
}
