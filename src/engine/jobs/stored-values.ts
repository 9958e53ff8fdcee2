import { z } from 'zod';
import { messagePartSchema, type UserMessage } from '../../contract/message-schema.ts';
import { safeParse } from '../../contract/safe-parse.ts';
import { userMessage } from '../../contract/user-message.ts';

/** A JSON column, which may be invalid in a damaged file. */
export const jsonColumn = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('It is no JSON.');
    return z.NEVER;
  }
});

/** A row's columns and their values, in the order of its file. */
export const storedValues = jsonColumn
  .pipe(z.array(z.tuple([z.string(), z.union([z.string(), z.number(), z.array(z.string())])])))
  .catch([]);

export type StoredValues = readonly (readonly [
  column: string,
  value: string | number | readonly string[],
])[];

const saysColumn = jsonColumn.pipe(z.array(messagePartSchema));

/** The columns of a message in the database. */
export const messageColumns = {
  note: z.string().nullable(),
  /**
   * A newer Spool may have messages that this one does not know; the English text is there anyway.
   */
  says: z.unknown().transform((value) => safeParse(saysColumn, value).data ?? null),
};

export function messageIn({
  note,
  says,
}: z.infer<z.ZodObject<typeof messageColumns>>): UserMessage | null {
  if (note === null) return null;
  return says === null ? userMessage('verbatim', { text: note }) : { message: note, says };
}
