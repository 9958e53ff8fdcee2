/** The words for why a video waits, in lists and sentences, in both languages. */
import { endSentence } from './end-sentence.ts';
import type { Translation } from './in-language.ts';
import type { WaitReason } from './job.ts';

interface WaitTexts {
  /** @param value a time or, depending on the reason, a size or a host */
  readonly short: Translation<(value: string | null) => string>;
  readonly sentence: Translation<(value: string | null) => string>;
}

/** @param before comes before the time, if that is known; otherwise there is only `alone` */
function until(alone: string, before: string): (when: string | null) => string {
  return (when) => (when === null ? alone : `${before} ${when}`);
}

/**
 * Why a video waits: in a column and on a line of the command line (`short`), and as a sentence.
 * `waitWords` fills them.
 */
export const waitTexts = {
  turn: {
    short: { en: until('waits its turn', 'sends'), de: until('wartet', 'Versand') },
    sentence: {
      en: (when) =>
        when === null ? 'Waits for its turn in the queue.' : `Its request is sent ${when}.`,
      de: (when) =>
        when === null
          ? 'Wartet in der Warteschlange, bis es an der Reihe ist.'
          : `Die Anfrage wird ${when} gesendet.`,
    },
  },
  'render-slot': {
    short: {
      en: until('waits for another video', 'sends'),
      de: until('wartet auf ein anderes Video', 'Versand'),
    },
    sentence: {
      en: () => 'Waits for another video to finish rendering.',
      de: () => 'Wartet, bis ein anderes Video fertig gerendert ist.',
    },
  },
  quota: {
    short: {
      en: until('quota used up', 'quota resets'),
      de: until('Kontingent erschöpft', 'neues Kontingent'),
    },
    sentence: {
      en: (when) =>
        `This month’s quota has no room for it. It keeps its place until the quota resets${when === null ? '' : ` ${when}`}.`,
      de: (when) =>
        `Das Kontingent dieses Monats reicht dafür nicht mehr. Das Video behält seinen Platz, bis das Kontingent${when === null ? '' : ` ${when}`} erneuert wird.`,
    },
  },
  'daily-quota': {
    short: {
      en: until('quota used up', 'quota resets'),
      de: until('Kontingent erschöpft', 'neues Kontingent'),
    },
    sentence: {
      en: (when) =>
        `Today’s quota has no room for it. It keeps its place until the quota resets${when === null ? '' : ` ${when}`}.`,
      de: (when) =>
        `Das heutige Kontingent reicht dafür nicht mehr. Das Video behält seinen Platz, bis das Kontingent${when === null ? '' : ` ${when}`} erneuert wird.`,
    },
  },
  'pause-point': {
    short: { en: () => 'queue pauses first', de: () => 'Pause davor' },
    sentence: {
      en: () => 'The queue pauses before it is sent. Remove the pause, or resume then.',
      de: () =>
        'Vor diesem Video pausiert die Warteschlange. Entfernen Sie die Pause oder setzen Sie dann fort.',
    },
  },
  'not-planned': {
    short: { en: () => 'not estimated yet', de: () => 'noch ohne Schätzung' },
    sentence: {
      en: () => 'Too far down the queue to estimate. It is sent in its turn.',
      de: () => 'Zu weit hinten für eine Schätzung. Es wird gesendet, wenn es an der Reihe ist.',
    },
  },
  'years-away': {
    short: { en: () => 'in more than 5 years', de: () => 'in mehr als 5 Jahren' },
    sentence: {
      en: () => 'With this quota, it is sent in more than 5 years.',
      de: () => 'Mit diesem Kontingent wird es erst in mehr als 5 Jahren gesendet.',
    },
  },
  'sending-suspended': {
    short: {
      en: until('sending suspended', 'suspended, resumes'),
      de: until('Versand ausgesetzt', 'ausgesetzt, weiter'),
    },
    sentence: {
      en: (when) =>
        `The service refused the last requests, or did not say whether it accepted them. Sending resumes ${when ?? 'automatically'}.`,
      de: (when) =>
        `Der Dienst hat die letzten Anfragen abgelehnt oder nicht bestätigt. Der Versand geht ${when ?? 'automatisch'} weiter.`,
    },
  },
  'queue-unconfirmed': {
    short: { en: () => 'needs confirmation', de: () => 'Bestätigung nötig' },
    sentence: {
      en: () =>
        'Spool may not know of everything that was sent. Nothing is sent until you have checked and resume.',
      de: () =>
        'Spool kennt vielleicht nicht alle gesendeten Anfragen. Es wird nichts gesendet, bis Sie das geprüft haben und fortsetzen.',
    },
  },
  'queue-unwritable': {
    short: { en: () => 'disk full', de: () => 'Laufwerk voll' },
    sentence: {
      en: () =>
        'The queue cannot be saved, because its disk is full. Nothing is sent until there is space.',
      de: () =>
        'Die Warteschlange lässt sich nicht speichern, weil das Laufwerk voll ist. Bis Platz frei ist, wird nichts gesendet.',
    },
  },
  paused: {
    short: { en: () => 'paused', de: () => 'pausiert' },
    sentence: {
      en: () => 'The queue is paused. Nothing happens to it until you resume.',
      de: () => 'Die Warteschlange ist pausiert. Es geht weiter, wenn Sie sie fortsetzen.',
    },
  },
  'not-running': {
    short: { en: () => 'when Spool runs', de: () => 'sobald Spool läuft' },
    sentence: {
      en: () => 'Continues when Spool runs again.',
      de: () => 'Es geht weiter, sobald Spool wieder läuft.',
    },
  },
  'key-missing': {
    short: { en: () => 'needs an API key', de: () => 'API-Schlüssel fehlt' },
    sentence: { en: () => 'Waits for an API key.', de: () => 'Wartet auf einen API-Schlüssel.' },
  },
  'key-refused': {
    short: { en: () => 'API key refused', de: () => 'Schlüssel abgelehnt' },
    sentence: {
      en: () => 'The service refuses the API key. Enter another one to continue.',
      de: () =>
        'Der Dienst lehnt den API-Schlüssel ab. Mit einem anderen Schlüssel geht es weiter.',
    },
  },
  offline: {
    short: { en: until('offline', 'offline, retries'), de: until('offline', 'offline, Versuch') },
    sentence: {
      en: (when) =>
        when === null
          ? 'The service does not answer. Spool is trying again now.'
          : `The service does not answer. Spool tries again ${when}.`,
      de: (when) =>
        when === null
          ? 'Der Dienst antwortet nicht. Spool versucht es gerade erneut.'
          : `Der Dienst antwortet nicht. Spool versucht es ${when} erneut.`,
    },
  },
  'download-paused': {
    short: { en: () => 'download paused', de: () => 'Download pausiert' },
    sentence: {
      en: () => 'Its download is paused until you resume it.',
      de: () => 'Der Download ist pausiert, bis Sie ihn fortsetzen.',
    },
  },
  'disk-full': {
    short: {
      en: (bytes: string | null) => (bytes === null ? 'disk full' : `needs ${bytes} of space`),
      de: (bytes: string | null) => (bytes === null ? 'Laufwerk voll' : `braucht ${bytes} Platz`),
    },
    sentence: {
      en: (bytes: string | null) =>
        `Needs ${bytes ?? 'more'} of space on its disk. It resumes automatically.`,
      de: (bytes: string | null) =>
        `Braucht ${bytes ?? 'mehr'} freien Platz auf dem Laufwerk. Es geht automatisch weiter.`,
    },
  },
  'folder-unusable': {
    short: { en: () => 'folder not writable', de: () => 'Ordner gesperrt' },
    sentence: {
      en: () => 'Its folder cannot be written to. It resumes automatically once it can.',
      de: () =>
        'In den Ordner lässt sich nicht schreiben. Sobald das wieder möglich ist, geht es automatisch weiter.',
    },
  },
  'link-limit': {
    short: {
      en: until('download limit', 'download limit, next'),
      de: until('Download-Limit', 'Download-Limit, nächster'),
    },
    sentence: {
      en: (when) =>
        `This hour’s downloads are used up. The next one is requested ${when ?? 'as soon as possible'}.`,
      de: (when) =>
        `Die Downloads dieser Stunde sind aufgebraucht. Der nächste wird ${when ?? 'so bald wie möglich'} angefordert.`,
    },
  },
  'link-not-ready': {
    short: {
      en: until('no link yet', 'no link yet, retries'),
      de: until('noch kein Link', 'noch kein Link, Versuch'),
    },
    sentence: {
      en: (when) =>
        `The service has no download link for this video yet. Spool asks again ${when ?? 'soon'}.`,
      de: (when) =>
        `Der Dienst hat noch keinen Download-Link für dieses Video. Spool fragt ${when ?? 'bald'} erneut.`,
    },
  },
  'service-error': {
    short: {
      en: until('service error', 'service error, retries'),
      de: until('Dienstfehler', 'Dienstfehler, Versuch'),
    },
    sentence: {
      en: (when) =>
        `The service gave no usable answer about this video. Spool asks again ${when ?? 'soon'}.`,
      de: (when) =>
        `Der Dienst hat zu diesem Video keine brauchbare Antwort gegeben. Spool fragt ${when ?? 'bald'} erneut.`,
    },
  },
  'not-found': {
    short: {
      en: until('not found', 'not found, retries'),
      de: until('nicht gefunden', 'nicht gefunden, Versuch'),
    },
    sentence: {
      en: (when) =>
        `The service says that it does not have this video. Spool asks again ${when ?? 'soon'}.`,
      de: (when) => `Laut Dienst gibt es dieses Video nicht. Spool fragt ${when ?? 'bald'} erneut.`,
    },
  },
  'status-unknown': {
    short: {
      en: until('unknown status', 'unknown status, retries'),
      de: until('Status unbekannt', 'Status unbekannt, Versuch'),
    },
    sentence: {
      en: (when) =>
        `Spool does not know the status that the service reports. It asks again ${when ?? 'soon'}.`,
      de: (when) =>
        `Spool kennt den Status nicht, den der Dienst meldet, und fragt ${when ?? 'bald'} erneut.`,
    },
  },
  searching: {
    short: {
      en: until('uncertain', 'uncertain, checks'),
      de: until('ungewiss', 'ungewiss, Prüfung'),
    },
    sentence: {
      en: (when) =>
        `The service may have accepted it. Spool searches the service’s list of videos for it, next ${when ?? 'as soon as possible'}.`,
      de: (when) =>
        endSentence(
          `Der Dienst hat das Video vielleicht angenommen. Spool durchsucht seine Liste der Videos, das nächste Mal ${when ?? 'so bald wie möglich'}`,
        ),
    },
  },
  repeating: {
    short: {
      en: until('uncertain', 'uncertain, checks'),
      de: until('ungewiss', 'ungewiss, Prüfung'),
    },
    sentence: {
      en: (when) =>
        `The service may have accepted it. Spool repeats the request ${when ?? 'as soon as possible'}, with the same idempotency key: the service counts it once.`,
      de: (when) =>
        `Der Dienst hat das Video vielleicht angenommen. Spool wiederholt die Anfrage ${when ?? 'so bald wie möglich'} mit demselben Idempotenzschlüssel, der Dienst zählt sie nur einmal.`,
    },
  },
  cancelling: {
    short: {
      en: until('cancelling', 'cancelling, retries'),
      de: until('wird abgebrochen', 'wird abgebrochen, Versuch'),
    },
    sentence: {
      en: (when) => `Spool asks the service to cancel this video ${when ?? 'as soon as possible'}.`,
      de: (when) =>
        `Spool bittet den Dienst ${when ?? 'so bald wie möglich'}, dieses Video abzubrechen.`,
    },
  },
  'too-many-files': {
    short: {
      en: until('too many open files', 'retries'),
      de: until('zu viele offene Dateien', 'neuer Versuch'),
    },
    sentence: {
      en: (when) =>
        `The system lets Spool open no more files. Raise the limit of open files or close other programs. Spool tries again ${when ?? 'soon'}.`,
      de: (when) =>
        `Das System lässt Spool keine weiteren Dateien öffnen. Erhöhen Sie das Limit für offene Dateien, oder schließen Sie andere Programme. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
  },
  'file-server-busy': {
    short: {
      en: until('file server busy', 'retries'),
      de: until('Dateiserver ausgelastet', 'neuer Versuch'),
    },
    sentence: {
      en: (when) => `The server of the file is busy. Spool tries again ${when ?? 'soon'}.`,
      de: (when) =>
        `Der Server der Datei ist ausgelastet. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
  },
  'file-server-unreachable': {
    short: {
      en: until('file server offline', 'retries'),
      de: until('Dateiserver offline', 'neuer Versuch'),
    },
    sentence: {
      en: (when) => `The server of the file does not answer. Spool tries again ${when ?? 'soon'}.`,
      de: (when) =>
        `Der Server der Datei antwortet nicht. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
  },
  'proxy-failed': {
    short: { en: until('proxy failed', 'retries'), de: until('Proxy-Fehler', 'neuer Versuch') },
    sentence: {
      en: (proxy) =>
        `The proxy ${proxy ?? ''} does not connect to the server of the file. Spool tries again automatically.`,
      de: (proxy) =>
        `Der Proxy ${proxy ?? ''} verbindet nicht mit dem Server der Datei. Spool versucht es von selbst erneut.`,
    },
  },
  'address-blocked': {
    short: { en: () => 'address blocked', de: () => 'Adresse gesperrt' },
    sentence: {
      en: (host) =>
        `Its server, ${host ?? 'unknown'}, has an address of a VPN or mobile network. It resumes once you turn on “Allow addresses of VPNs and mobile networks” in the settings, or the server has another address.`,
      de: (host) =>
        `Der Server der Datei, ${host ?? 'unbekannt'}, hat eine Adresse eines VPN oder Mobilfunknetzes. Es geht weiter, sobald Sie in den Einstellungen „Adressen von VPNs und Mobilfunknetzen erlauben“ einschalten oder der Server eine andere Adresse hat.`,
    },
  },
} satisfies Record<WaitReason, WaitTexts>;
