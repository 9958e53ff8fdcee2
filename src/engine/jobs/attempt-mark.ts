import { z } from 'zod';
import { jsonColumn } from './stored-values.ts';

/** What identifies a request, so that the service recognises a repetition. */
export const attemptMarkSchema = z.object({
  /** Random, so that it reveals nothing and cannot be guessed. */
  ownId: z.string().min(1).max(100),
  /** Its path in the body; `null`: it is not in the body. */
  idField: z.string().nullable(),
  /** The header that carries it as an idempotency key; `null`: none. */
  header: z.string().nullable(),
  /** SHA-256 in hex of everything that the service may compare when it gets the same key again. */
  sha256: z.string(),
});

export type AttemptMark = Readonly<z.infer<typeof attemptMarkSchema>>;

/** What was done to settle an uncertain request. Moments are by the local clock. */
export const settlingSchema = z.object({
  /** How often it was sent again with the same idempotency key. */
  repeats: z.int().nonnegative().default(0),
  lastRepeatAt: z.number().nullable().default(null),
  /** A response said that sending it again does not help. */
  isRepeatRefused: z.boolean().default(false),
  /** How often the list was read to its end. */
  looks: z.int().nonnegative().default(0),
  lastLookAt: z.number().nullable().default(null),
  /** Nothing more is tried. */
  isOver: z.boolean().default(false),
  /** The job's history says that it is not in the list, or that repeating it had no result. */
  isReported: z.boolean().default(false),
});

export type Settling = Readonly<z.infer<typeof settlingSchema>>;

export const NOT_LOOKED_FOR: Settling = settlingSchema.parse({});

/** An uncertain job whose last request has a mark. */
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
