import type { Translation } from './in-language.ts';

/**
 * Events of a video. Two moves to one state may be different events: a rendered video becomes
 * `ready`, and so does one whose file was lost. This file imports only types, so that a page can use
 * the names without loading a schema library.
 */
export const JOB_EVENTS = [
  'added',
  'held',
  'released',
  'cancelled',
  /** Its cancelling was undone. */
  'restored',
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

/** Texts for events, in the page and the command line. */
export const JOB_EVENT_WORDS = {
  added: { en: 'Added', de: 'Hinzugefügt' },
  held: { en: 'Held', de: 'Zurückgestellt' },
  released: { en: 'Released', de: 'Freigegeben' },
  cancelled: { en: 'Cancelled', de: 'Abgebrochen' },
  restored: { en: 'Cancelling undone', de: 'Abbruch rückgängig gemacht' },
  reserved: { en: 'Next to be sent', de: 'Platz reserviert' },
  'not-sent': { en: 'Not sent, back in the queue', de: 'Nicht gesendet, wieder eingereiht' },
  sending: { en: 'Request sent', de: 'Anfrage gesendet' },
  accepted: { en: 'Accepted for rendering', de: 'Zum Rendern angenommen' },
  'not-accepted': { en: 'Back in the queue', de: 'Wieder eingereiht' },
  refused: { en: 'Refused', de: 'Abgelehnt' },
  'outcome-unknown': { en: 'Outcome unknown', de: 'Ausgang unbekannt' },
  'found-accepted': { en: 'Confirmed as accepted', de: 'Als angenommen bestätigt' },
  'queued-to-resend': { en: 'Queued to be sent again', de: 'Erneutes Senden' },
  abandoned: { en: 'Abandoned', de: 'Aufgegeben' },
  'cancelled-at-service': { en: 'Cancelled at the service', de: 'Beim Dienst abgebrochen' },
  'not-cancelled-at-service': {
    en: 'Not cancelled at the service',
    de: 'Beim Dienst nicht abgebrochen',
  },
  rendering: { en: 'Rendering', de: 'Rendern begonnen' },
  rendered: { en: 'Video finished', de: 'Video fertig' },
  'render-failed': { en: 'Rendering failed', de: 'Rendern fehlgeschlagen' },
  'status-unknown': { en: 'Status not known', de: 'Status unbekannt' },
  'link-not-ready': { en: 'No download link yet', de: 'Noch kein Download-Link' },
  'download-started': { en: 'Download started', de: 'Download begonnen' },
  'download-interrupted': { en: 'Download interrupted', de: 'Download unterbrochen' },
  verifying: { en: 'Download complete, checking', de: 'Heruntergeladen, wird geprüft' },
  saved: { en: 'Saved and checked', de: 'Gespeichert und geprüft' },
  'download-failed': { en: 'Download failed', de: 'Download fehlgeschlagen' },
  'video-gone': { en: 'No longer at the service', de: 'Nicht mehr beim Dienst' },
  renamed: { en: 'Renamed', de: 'Umbenannt' },
  'file-missing': { en: 'File missing', de: 'Datei fehlt' },
  'file-damaged': { en: 'File damaged', de: 'Datei beschädigt' },
  'file-found': { en: 'File found again', de: 'Datei wiedergefunden' },
  'queued-to-download-again': { en: 'Queued to download again', de: 'Erneuter Download' },
  'queued-to-render-again': { en: 'Queued to render again', de: 'Erneutes Rendern' },
  'asked-about-again': {
    en: 'Checked with the service again',
    de: 'Erneute Nachfrage beim Dienst',
  },
} satisfies Readonly<Record<JobEvent, Translation>>;
