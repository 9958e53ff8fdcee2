import { z } from 'zod';

// Apart from `told.ts`, so that a page can say what it was told without a library that checks it.

/** A sentence by its name, and what stands in its gaps. A newer Spool may know names we do not. */
export const messagePartSchema = z.object({
  sentence: z.string().max(100),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

export type MessagePart = z.infer<typeof messagePartSchema>;

/**
 * Something told to a person: in English, and as sentences that a page says in its language. Both
 * are always there, so that what is told without a name to translate it by does not compile.
 */
export const userMessageSchema = z.object({
  message: z.string(),
  /** The sentences that `message` is made of, in their order. */
  says: z.array(messagePartSchema),
});

export type UserMessage = z.infer<typeof userMessageSchema>;

/** What a schema's own check found wrong; `null` for any other issue. */
export function userMessageOf(issue: z.core.$ZodIssue): UserMessage | null {
  return issue.code === 'custom' ? (userMessageSchema.safeParse(issue.params).data ?? null) : null;
}
