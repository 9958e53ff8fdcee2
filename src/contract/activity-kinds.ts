/**
 * Kinds of events, by which a list is filtered. This file has no imports, so that a page can use
 * them without loading a schema library.
 */
export const ACTIVITY_KINDS = [
  /** A video was added to the queue. */
  'added',
  /** It was held, released or queued again, to be sent, rendered or downloaded. */
  'arranged',
  /** It was cancelled, or abandoned after it had been sent. */
  'cancelled',
  /** The service accepted it, which costs one unit of quota. */
  'sent',
  /** The service renders it, or has finished it. */
  'rendering',
  'saved',
  /** Its file was renamed. */
  'renamed',
  /** Its file was found missing or damaged. */
  'missing',
  'failed',
  /** It is unknown whether the service accepted it. */
  'uncertain',
  /** The user corrected how many videos of the cycle are used. */
  'quota-corrected',
  /** The service reported that the quota is used up. */
  'quota-refused',
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
