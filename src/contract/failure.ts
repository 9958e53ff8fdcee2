import { z } from 'zod';
import { userMessageSchema } from './message-schema.ts';

/**
 * Every cause of failure that a user can meet, by a name that never changes once released. A
 * failure crosses process boundaries as plain data; inside the engine each code has its class.
 */
export const FAILURE_CODES = [
  'batch-unreadable',
  'batch-empty',
  'plan-outdated',
  'profile-unusable',
  'column-missing',
  'value-invalid',
  'template-invalid',
  'key-missing',
  'key-refused',
  'keychain-unusable',
  'quota-used-up',
  'daily-quota-used-up',
  'nothing-left',
  'rate-limited',
  'service-unreachable',
  'service-refused',
  'content-refused',
  'batch-held',
  'picture-unusable',
  'service-refuses-all',
  'answer-unreadable',
  'outcome-unknown',
  'render-failed',
  'video-unknown',
  'video-expired',
  'status-unknown',
  'file-not-offered',
  'download-failed',
  'file-damaged',
  'disk-full',
  'folder-unusable',
  'data-exposed',
  'job-unknown',
  'batch-unknown',
  'not-possible-now',
  'in-use',
  'folder-lost',
  'store-damaged',
  'store-copied',
  'store-newer',
  'store-older',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

export const MAX_REFUSED_FIELDS = 20;

/** A field of the request that the service names in its refusal. */
const refusedFieldSchema = z.object({
  /** Its place in the request, such as `prompt` or `scenes[0].text`; the notation of profiles. */
  path: z.string().max(200),
  /** What is wrong with it, in the service's words; `null` when it gives no reason. */
  detail: z.string().max(500).nullable(),
});

/** When a service refuses a video because of its content, and what that costs. */
export const refusalSchema = z.object({
  when: z.enum(['before-render', 'after-render']),
  /** `unknown` counts as spent. */
  paid: z.enum(['yes', 'no', 'unknown']),
});

export type Refusal = z.infer<typeof refusalSchema>;

export type RefusedField = z.infer<typeof refusedFieldSchema>;

/** `message` says what happened, in a creator's words, and what to do if that helps. */
export const failureSchema = userMessageSchema.extend({
  code: z.enum(FAILURE_CODES),
  /** The other side's own text (at most 2,000 characters), shown as text and never interpreted. */
  detail: z.string().max(2000).optional(),
  /** With a refused request: its fields that the service names. */
  fields: z.array(refusedFieldSchema).max(MAX_REFUSED_FIELDS).optional(),
  /** With a refusal that may cost, or came after the service had accepted the video. */
  refusal: refusalSchema.optional(),
  /** With `service-unreachable`: the service's certificate is not trusted. */
  untrusted: z.literal(true).optional(),
  /** With `job-unknown`: the other service of the queue that has the job. */
  origin: z.string().max(2000).optional(),
  /** When trying again makes sense, in milliseconds since the epoch. */
  retryAt: z.number().optional(),
  /** With `disk-full`: how much more space the next file needs, if known. */
  missingBytes: z.number().nonnegative().optional(),
  /** Row in the imported file as a spreadsheet numbers it: the header is row 1. */
  row: z.int().positive().optional(),
  column: z.string().optional(),
});

export type Failure = z.infer<typeof failureSchema>;

/** The fields that the service names, with their reasons, or its own text; `null` without either. */
export function remoteReason({ fields = [], detail }: Failure): string | null {
  const named = fields.map((field) =>
    field.detail === null ? field.path : `${field.path}: ${field.detail}`,
  );
  if (named.length === 0) return detail ?? null;
  const hasReason = fields.some((field) => field.detail !== null);
  return hasReason || detail === undefined ? named.join('; ') : `${named.join(', ')}: ${detail}`;
}
