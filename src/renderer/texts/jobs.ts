import { JOB_EVENT_WORDS } from '../../contract/job-events.ts';
import type { JobState } from '../../contract/job-states.ts';
import type { Translation } from '../../contract/in-language.ts';
import { waitTexts } from '../../contract/wait-texts.ts';

/** Texts about the states of jobs. */
export const jobTexts = {
  states: {
    queued: { en: 'waiting', de: 'wartet' },
    held: { en: 'held', de: 'zurückgestellt' },
    reserved: { en: 'up next', de: 'als Nächstes' },
    sending: { en: 'sending', de: 'wird gesendet' },
    uncertain: { en: 'uncertain', de: 'ungewiss' },
    submitted: { en: 'accepted', de: 'angenommen' },
    rendering: { en: 'rendering', de: 'wird gerendert' },
    ready: { en: 'ready', de: 'gerendert' },
    downloading: { en: 'downloading', de: 'lädt' },
    verifying: { en: 'checking', de: 'wird geprüft' },
    done: { en: 'saved', de: 'gespeichert' },
    missing: { en: 'file missing', de: 'Datei fehlt' },
    rejected: { en: 'refused', de: 'abgelehnt' },
    failed: { en: 'failed', de: 'fehlgeschlagen' },
    cancelled: { en: 'cancelled', de: 'abgebrochen' },
    abandoned: { en: 'abandoned', de: 'aufgegeben' },
  } satisfies Record<JobState, Translation>,

  /** Instead of “file missing” if the file exists. */
  damagedState: { en: 'file damaged', de: 'Datei beschädigt' },

  /** As `next`, on this computer, where no service accepts a request. */
  nextHere: {
    submitted: {
      en: (when: string | null) =>
        when === null
          ? 'It is rendered as soon as this computer has room.'
          : `It is rendered as soon as this computer has room, and should be saved ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Das Video wird gerendert, sobald auf diesem Computer Platz ist.'
          : `Das Video wird gerendert, sobald auf diesem Computer Platz ist; voraussichtlich ${when} gespeichert.`,
    },
    rendering: {
      en: (when: string | null) =>
        when === null
          ? 'This computer is rendering it.'
          : `This computer is rendering it; it should be saved ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Dieser Computer rendert das Video.'
          : `Dieser Computer rendert das Video; voraussichtlich ${when} gespeichert.`,
    },
  },

  /** A sentence for each state: what happens next, and when, if known. */
  next: {
    queued: {
      en: () => 'Waits for its turn in the queue.',
      de: () => 'Wartet in der Warteschlange, bis es an der Reihe ist.',
    },
    held: {
      en: () => 'Keeps its place and is not sent until you release it.',
      de: () => 'Behält seinen Platz und wird nicht gesendet, bis Sie es freigeben.',
    },
    reserved: {
      en: () => 'Its slot is reserved; the request is about to be sent.',
      de: () => 'Der Platz ist reserviert; die Anfrage wird jetzt gesendet.',
    },
    sending: {
      en: () => 'The request is being sent to the service.',
      de: () => 'Die Anfrage wird an den Dienst gesendet.',
    },
    uncertain: {
      en: () => 'The service may have accepted it. Spool won’t resend it until you decide.',
      de: () =>
        'Vielleicht hat der Dienst es angenommen. Spool sendet es nicht erneut, bis Sie entscheiden.',
    },
    submitted: {
      en: (when: string | null) =>
        when === null
          ? 'Accepted; rendering has not started.'
          : `Accepted; it should be saved ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Angenommen; der Dienst hat noch nicht begonnen.'
          : `Angenommen; voraussichtlich ${when} gespeichert.`,
    },
    rendering: {
      en: (when: string | null) =>
        when === null
          ? 'The service is rendering it.'
          : `The service is rendering it; it should be saved ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Der Dienst rendert das Video.'
          : `Der Dienst rendert das Video; voraussichtlich ${when} gespeichert.`,
    },
    ready: {
      en: (when: string | null) =>
        when === null
          ? 'Rendered; its download waits for a link.'
          : `Rendered; it should be saved ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Gerendert; der Download wartet auf einen Link.'
          : `Gerendert; voraussichtlich ${when} gespeichert.`,
    },
    downloading: {
      en: (when: string | null) =>
        when === null
          ? 'Downloading to your folder.'
          : `Downloading to your folder; it should be saved ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Wird in Ihren Ordner heruntergeladen.'
          : `Wird in Ihren Ordner heruntergeladen; voraussichtlich ${when} gespeichert.`,
    },
    verifying: {
      en: () => 'Downloaded; its length and content are being checked.',
      de: () => 'Vollständig geladen; Länge und Inhalt werden geprüft.',
    },
    done: { en: () => 'Saved and checked.', de: () => 'Gespeichert und geprüft.' },
    missing: {
      en: () => 'It was saved, but the file is no longer there. You can download it again.',
      de: () =>
        'Es war gespeichert, aber die Datei ist nicht mehr dort. Sie können es erneut herunterladen.',
    },
    rejected: {
      en: () => 'The service refused the request. No video was rendered.',
      de: () => 'Der Dienst hat die Anfrage abgelehnt. Es wurde kein Video gerendert.',
    },
    failed: {
      en: () => 'It ended without a video. The other videos continue.',
      de: () => 'Es endete ohne Video. Die anderen Videos laufen weiter.',
    },
    cancelled: {
      en: () => 'Cancelled before it was sent.',
      de: () => 'Vor dem Senden abgebrochen.',
    },
    abandoned: {
      en: () => 'Abandoned after it was sent. Spool no longer follows it.',
      de: () => 'Nach dem Senden aufgegeben. Spool verfolgt es nicht weiter.',
    },
  } satisfies Record<JobState, Translation<(when: string | null) => string>>,

  waits: waitTexts,

  happened: JOB_EVENT_WORDS,
};
