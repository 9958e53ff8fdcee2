/**
 * Events of a video. Two moves to one state may be different events: a rendered video becomes
 * `ready`, and so does one whose file was lost. This file has no imports, so that a page can use
 * the names without loading a schema library.
 */
export const JOB_EVENTS = [
  'added',
  'held',
  'released',
  'cancelled',
  /** A slot of the rate limit and a unit of quota are reserved. */
  'reserved',
  /** Nothing was sent: the reservation is released. */
  'not-sent',
  'sending',
  'accepted',
  /** The request was not executed and is in the queue again. */
  'not-accepted',
  'refused',
  'outcome-unknown',
  /** The user or Spool found out that the request was accepted. */
  'found-accepted',
  /** The user found out that it was not accepted. */
  'queued-to-resend',
  'abandoned',
  /** After it was abandoned, the service cancelled its render. */
  'cancelled-at-service',
  'not-cancelled-at-service',
  'rendering',
  'rendered',
  'render-failed',
  /** The service reports a status that Spool does not know. */
  'status-unknown',
  /** The service gives no link to the finished video yet. */
  'link-not-ready',
  'download-started',
  'download-interrupted',
  'verifying',
  'saved',
  'download-failed',
  /** The service says that it no longer has it. */
  'video-gone',
  'renamed',
  'file-missing',
  'file-damaged',
  /** A missing file exists again, as it was saved. */
  'file-found',
  'queued-to-download-again',
  'queued-to-render-again',
  /** The user has the status of a video checked again that the service reported as unknown. */
  'asked-about-again',
] as const;

export type JobEvent = (typeof JOB_EVENTS)[number];

/** English texts for events, in the page and the command line. */
export const JOB_EVENT_WORDS = {
  added: 'Added',
  held: 'Held',
  released: 'Released',
  cancelled: 'Cancelled',
  reserved: 'Next to be sent',
  'not-sent': 'Not sent, back in the queue',
  sending: 'Request sent',
  accepted: 'Accepted by the service',
  'not-accepted': 'Back in the queue',
  refused: 'Refused by the service',
  'outcome-unknown': 'Outcome unknown',
  'found-accepted': 'Confirmed as accepted',
  'queued-to-resend': 'Queued to be sent again',
  abandoned: 'Abandoned',
  'cancelled-at-service': 'Cancelled at the service',
  'not-cancelled-at-service': 'Not cancelled at the service',
  rendering: 'Rendering',
  rendered: 'Video finished',
  'render-failed': 'Rendering failed',
  'status-unknown': 'Status not known',
  'link-not-ready': 'No download link yet',
  'download-started': 'Download started',
  'download-interrupted': 'Download interrupted',
  verifying: 'Download complete, checking',
  saved: 'Saved and checked',
  'download-failed': 'Download failed',
  'video-gone': 'No longer at the service',
  renamed: 'Renamed',
  'file-missing': 'File missing',
  'file-damaged': 'File damaged',
  'file-found': 'File found again',
  'queued-to-download-again': 'Queued to download again',
  'queued-to-render-again': 'Queued to render again',
  'asked-about-again': 'Checked with the service again',
} as const satisfies Readonly<Record<JobEvent, string>>;
