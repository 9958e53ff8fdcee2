import { z } from 'zod';

// Separate from `user-message.ts`, so that a page can show messages without the schema library.

/**
 * A message by its name, with values for its placeholders. A newer Spool may send unknown names.
 */
export const messagePartSchema = z.object({
  sentence: z.string().max(100),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

export type MessagePart = z.infer<typeof messagePartSchema>;

/**
 * A message for the user: in English, and as named parts that a page translates. Both are required,
 * so that a message without a translatable name does not compile.
 */
export const userMessageSchema = z.object({
  message: z.string(),
  /** The parts of `message`, in order. */
  says: z.array(messagePartSchema),
});

export type UserMessage = z.infer<typeof userMessageSchema>;

/** The message that a schema's own check attached; `null` for any other issue. */
export function userMessageOf(issue: z.core.$ZodIssue): UserMessage | null {
  return issue.code === 'custom' ? (userMessageSchema.safeParse(issue.params).data ?? null) : null;
}
