/**
 * What can happen, in the words that a list is filtered by. This file has no imports, so that a
 * page can use the words without carrying a schema library.
 */
export const ACTIVITY_KINDS = [
  /** A video came into the queue. */
  'added',
  /** It was held, released or queued again: to be sent, rendered or downloaded. */
  'arranged',
  /** It was withdrawn, or let go after it had been sent. */
  'withdrawn',
  /** The service accepted it, which costs one unit of quota. */
  'sent',
  /** The service is at work on it, or has finished it. */
  'rendering',
  'saved',
  /** Its file got another name. */
  'renamed',
  /** Its file was found to be gone or damaged. */
  'missing',
  'failed',
  /** Nobody knows whether the service accepted it. */
  'uncertain',
  /** The user corrected how many videos of the cycle are used. */
  'quota-corrected',
  /** The service said that the quota is used up. */
  'quota-refused',
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
