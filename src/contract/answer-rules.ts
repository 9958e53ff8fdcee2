import { z } from 'zod';
import { remoteStateSchema } from './job.ts';
import { refusalSchema } from './failure.ts';
import { issueOf, userMessage } from './user-message.ts';

/** Characters. */
export const MAX_PATH = 200;

/**
 * Path of a value in a response: names separated by dots, with `[n]` for an element of a list, such
 * as `movie.status` or `output[0]`. The empty path is the whole response.
 */
export const pathSchema = z
  .string()
  .max(MAX_PATH)
  .refine(
    (path) => /^(?:(?:^|\.)[^.[\]\s]+|\[\d{1,4}\])*$/.test(path),
    issueOf(userMessage('value-not-path')),
  );

const pathsSchema = z.array(pathSchema.min(1)).max(50);

/** It applies if an answer has one of the codes, a value at one of the paths, or a phrase. */
const contentRefusalSchema = z.strictObject({
  /** Case-insensitively; one that ends with `*` stands for all codes that begin with it. */
  codes: z.array(z.string().min(1).max(100)).max(50).optional(),
  paths: pathsSchema.optional(),
  /** Parts of the error's text, case-insensitively. */
  phrases: z.array(z.string().min(1).max(200)).max(50).optional(),
  /** The field of the request that it is about, where the answer names none. */
  field: pathSchema.min(1).optional(),
  ...refusalSchema.shape,
});

/**
 * How to read what the API leaves undocumented: the body of a generate response, the words of a
 * status, and what counts as a used-up quota (service-api.md §4.1, §4.2, §7). It is data, so that a
 * creator can correct it without a new release. Of several paths, the first that exists is used.
 */
export const answerRulesSchema = z.strictObject({
  /** Paths under which `id`, `status`, `progress`, `error` and `link` are searched, in order. */
  under: z.array(pathSchema).min(1).max(20),
  id: pathsSchema,
  status: pathsSchema,
  /** The meaning of each of the service's status words. Words are compared case-insensitively. */
  words: z
    .record(z.string().min(1).max(100), remoteStateSchema)
    .transform((words) =>
      Object.fromEntries(Object.entries(words).map(([word, state]) => [foldWord(word), state])),
    ),
  /** The state of a video whose status has no word, where a service has one only at the end. */
  withoutWord: remoteStateSchema.optional(),
  /** A video has failed when one of these has a value, whatever its word means. */
  failedBy: pathsSchema.optional(),
  /** The file of a finished video is gone when one of these has a value. */
  removedBy: pathsSchema.optional(),
  /** Where the answer to an accepted request has warnings: texts, objects with one, or lists. */
  warnings: pathsSchema.optional(),
  /**
   * Decided per service and not per value: 1 is complete on one scale, and almost nothing on the
   * other.
   */
  progress: z
    .strictObject({ paths: pathsSchema, scale: z.enum(['fraction', 'percent']) })
    .nullable(),
  /** A failure's text and its code; a path may also lead to an object that has both. */
  error: z.strictObject({ text: pathsSchema, code: pathsSchema }),
  /**
   * Where an error body names fields of the request: `list` is a list or one object, and `path`,
   * `detail` and `code` are looked for in each of its entries. A path of the request may be a text
   * (`scenes[0].text`, `/scenes/0/text`) or a list of its steps.
   */
  refusedFields: z
    .array(
      z.strictObject({
        list: pathSchema.min(1),
        path: pathSchema.min(1),
        detail: pathSchema.min(1),
        code: pathSchema.min(1).optional(),
      }),
    )
    .max(10)
    .optional(),
  /**
   * Refusals because of what the request contains or the video shows, as they are said in error
   * bodies and in the status of an ended video. The first rule that applies counts.
   */
  contentRefusals: z.array(contentRefusalSchema).max(20).optional(),
  link: z.strictObject({ url: pathsSchema, expiresAt: pathsSchema }),
  /**
   * Refusals of the key that have another status than 401, where one of `phrases` is part of the
   * message, case-insensitively.
   */
  keyRefusal: z
    .strictObject({
      statuses: z.array(z.int().min(400).max(499)).min(1).max(10),
      phrases: z.array(z.string().min(1).max(200)).min(1).max(20),
    })
    .optional(),
  quotaRefusal: z.strictObject({
    /** Statuses that always mean a used-up quota, whatever the body contains. */
    statuses: z.array(z.int().min(400).max(499)).max(10),
    /**
     * Statuses that mean it if the response's code is one of `codes`, or its text matches
     * `speaksOf`.
     */
    spokenStatuses: z.array(z.int().min(400).max(499)).max(10),
    codes: z.array(z.string().min(1).max(100)).max(50),
    /** Whole words searched in the code and the message, case-insensitively. */
    speaksOf: z.array(z.string().min(1).max(100)).max(50),
  }),
});

export type AnswerRules = z.infer<typeof answerRulesSchema>;

/** Normalises a word for comparison: trimmed and lower-cased. */
export function foldWord(word: string): string {
  return word.trim().toLowerCase();
}
