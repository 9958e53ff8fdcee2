import { z } from 'zod';
import { remoteStateSchema } from './job.ts';
import { faultOf, userMessage } from './user-message.ts';

/** Characters. */
export const MAX_PATH = 200;

/**
 * Where a value is in an answer: names joined by dots, with `[n]` for an element of a list, such
 * as `movie.status` or `output[0]`. The empty path is the whole answer.
 */
const pathSchema = z
  .string()
  .max(MAX_PATH)
  .refine(
    (path) => /^(?:(?:^|\.)[^.[\]\s]+|\[\d{1,4}\])*$/.test(path),
    faultOf(userMessage('value-not-path')),
  );

const pathsSchema = z.array(pathSchema.min(1)).max(50);

/**
 * How to read what the API leaves undocumented: the body of a generate answer, the words of a
 * status, and what counts as a used-up quota (service-api.md §4.1, §4.2, §7). It is data, so that
 * a creator can correct it without a new release. Of several paths the first hit wins.
 */
export const answerRulesSchema = z.strictObject({
  /** Under which paths `id`, `status`, `progress`, `error` and `link` are looked for, in order. */
  under: z.array(pathSchema).min(1).max(20),
  id: pathsSchema,
  status: pathsSchema,
  /** What each of the service's words means. Words are matched without regard to case. */
  words: z
    .record(z.string().min(1).max(100), remoteStateSchema)
    .transform((words) =>
      Object.fromEntries(Object.entries(words).map(([word, state]) => [foldWord(word), state])),
    ),
  /** Decided per service and not per value: 1 is everything on one scale, almost nothing on the other. */
  progress: z
    .strictObject({ paths: pathsSchema, scale: z.enum(['fraction', 'percent']) })
    .nullable(),
  /** A failure's text and its code; a hit may also be an object that has both. */
  error: z.strictObject({ text: pathsSchema, code: pathsSchema }),
  link: z.strictObject({ url: pathsSchema, expiresAt: pathsSchema }),
  quotaRefusal: z.strictObject({
    /** Statuses that mean it whatever the body says. */
    statuses: z.array(z.int().min(400).max(499)).max(10),
    /** Statuses that mean it if the answer's code or message has one of `codes` or `speaksOf`. */
    spokenStatuses: z.array(z.int().min(400).max(499)).max(10),
    codes: z.array(z.string().min(1).max(100)).max(50),
    /** Whole words looked for in the code and the message, without regard to case. */
    speaksOf: z.array(z.string().min(1).max(100)).max(50),
  }),
});

export type AnswerRules = z.infer<typeof answerRulesSchema>;

/** The form in which words are compared: no surrounding space, no case. */
export function foldWord(word: string): string {
  return word.trim().toLowerCase();
}
