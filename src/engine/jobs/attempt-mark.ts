import { z } from 'zod';
import { jsonColumn } from './stored-values.ts';

/** What a request says of itself, so that the service can tell whether it had it before. */
export const attemptMarkSchema = z.object({
  /** Random, so that it tells nothing and nobody can guess it. */
  ownId: z.string().min(1).max(100),
  /** Where in the body it is; `null`: nowhere. */
  idField: z.string().nullable(),
  /** The header that has it as an idempotency key; `null`: none. */
  header: z.string().nullable(),
  /** SHA-256 in hex of all that the service may compare when it gets the same key again. */
  sha256: z.string(),
});

export type AttemptMark = Readonly<z.infer<typeof attemptMarkSchema>>;

/** How far the outcome of an uncertain request was looked for. Moments are by the local clock. */
export const settlingSchema = z.object({
  /** How often it was sent again with the same idempotency key. */
  repeats: z.int().nonnegative().default(0),
  lastRepeatAt: z.number().nullable().default(null),
  /** An answer said that sending it again does not help. */
  isRepeatRefused: z.boolean().default(false),
  /** How often the list was read, as far as it is read. */
  looks: z.int().nonnegative().default(0),
  lastLookAt: z.number().nullable().default(null),
  /** Nothing more is tried. */
  isOver: z.boolean().default(false),
  /** The user was told that it is not in the list, or that repeating it was of no use. */
  isTold: z.boolean().default(false),
});

export type Settling = Readonly<z.infer<typeof settlingSchema>>;

export const NOT_LOOKED_FOR: Settling = settlingSchema.parse({});

/** An uncertain job whose last request says who it is. */
export const unsettledSchema = z
  .object({
    jobId: z.int(),
    attemptId: z.int(),
    startedAt: z.number(),
    mark: jsonColumn.pipe(attemptMarkSchema).nullable().catch(null),
    settling: jsonColumn.pipe(settlingSchema).catch(NOT_LOOKED_FOR),
  })
  .readonly();

export type Unsettled = z.infer<typeof unsettledSchema> & { readonly mark: AttemptMark };
