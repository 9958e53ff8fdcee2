/** The words for why a video waits, in lists and sentences, in both languages. */
import { endSentence } from './end-sentence.ts';
import type { Translation } from './in-language.ts';
import type { WaitReason } from './job.ts';

interface WaitTexts {
  /** @param value a time or, depending on the reason, a size or a host */
  readonly short: Translation<(value: string | null) => string>;
  readonly sentence: Translation<(value: string | null) => string>;
}

/**
 * Why a video waits: in a column and on a line of the command line (`short`), and as a sentence.
 * `waitWords` fills them.
 */
export const waitTexts = {
  turn: {
    short: {
      en: (when: string | null) => (when === null ? 'waits its turn' : `sends ${when}`),
      de: (when: string | null) => (when === null ? 'wartet' : `Versand ${when}`),
    },
    sentence: {
      en: (when: string | null) =>
        when === null ? 'Waits for its turn in the queue.' : `Its request is sent ${when}.`,
      de: (when: string | null) =>
        when === null
          ? 'Wartet in der Warteschlange, bis es an der Reihe ist.'
          : `Die Anfrage wird ${when} gesendet.`,
    },
  },
  'render-slot': {
    short: {
      en: (when: string | null) => (when === null ? 'waits for another video' : `sends ${when}`),
      de: (when: string | null) =>
        when === null ? 'wartet auf ein anderes Video' : `Versand ${when}`,
    },
    sentence: {
      en: () => 'Waits for another video to finish rendering.',
      de: () => 'Wartet, bis ein anderes Video fertig gerendert ist.',
    },
  },
  quota: {
    short: {
      en: (when: string | null) => (when === null ? 'quota used up' : `quota resets ${when}`),
      de: (when: string | null) =>
        when === null ? 'Kontingent erschöpft' : `neues Kontingent ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `This month’s quota has no room for it. It keeps its place until the quota resets${when === null ? '' : ` ${when}`}.`,
      de: (when: string | null) =>
        `Das Kontingent dieses Monats reicht dafür nicht mehr. Das Video behält seinen Platz, bis das Kontingent${when === null ? '' : ` ${when}`} erneuert wird.`,
    },
  },
  'daily-quota': {
    short: {
      en: (when: string | null) => (when === null ? 'quota used up' : `quota resets ${when}`),
      de: (when: string | null) =>
        when === null ? 'Kontingent erschöpft' : `neues Kontingent ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `Today’s quota has no room for it. It keeps its place until the quota resets${when === null ? '' : ` ${when}`}.`,
      de: (when: string | null) =>
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
  'sending-suspended': {
    short: {
      en: (when: string | null) =>
        when === null ? 'sending suspended' : `suspended, resumes ${when}`,
      de: (when: string | null) =>
        when === null ? 'Versand ausgesetzt' : `ausgesetzt, weiter ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The service refused the last requests, or did not say whether it accepted them. Sending resumes ${when ?? 'automatically'}.`,
      de: (when: string | null) =>
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
    short: {
      en: (when: string | null) => (when === null ? 'offline' : `offline, retries ${when}`),
      de: (when: string | null) => (when === null ? 'offline' : `offline, Versuch ${when}`),
    },
    sentence: {
      en: (when: string | null) =>
        when === null
          ? 'The service does not answer. Spool is trying again now.'
          : `The service does not answer. Spool tries again ${when}.`,
      de: (when: string | null) =>
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
      en: (when: string | null) =>
        when === null ? 'download limit' : `download limit, next ${when}`,
      de: (when: string | null) =>
        when === null ? 'Download-Limit' : `Download-Limit, nächster ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `This hour’s downloads are used up. The next one is requested ${when ?? 'as soon as possible'}.`,
      de: (when: string | null) =>
        `Die Downloads dieser Stunde sind aufgebraucht. Der nächste wird ${when ?? 'so bald wie möglich'} angefordert.`,
    },
  },
  'link-not-ready': {
    short: {
      en: (when: string | null) => (when === null ? 'no link yet' : `no link yet, retries ${when}`),
      de: (when: string | null) =>
        when === null ? 'noch kein Link' : `noch kein Link, Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The service has no download link for this video yet. Spool asks again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Der Dienst hat noch keinen Download-Link für dieses Video. Spool fragt ${when ?? 'bald'} erneut.`,
    },
  },
  'service-error': {
    short: {
      en: (when: string | null) =>
        when === null ? 'service error' : `service error, retries ${when}`,
      de: (when: string | null) =>
        when === null ? 'Dienstfehler' : `Dienstfehler, Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The service gave no usable answer about this video. Spool asks again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Der Dienst hat zu diesem Video keine brauchbare Antwort gegeben. Spool fragt ${when ?? 'bald'} erneut.`,
    },
  },
  'not-found': {
    short: {
      en: (when: string | null) => (when === null ? 'not found' : `not found, retries ${when}`),
      de: (when: string | null) =>
        when === null ? 'nicht gefunden' : `nicht gefunden, Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The service says that it does not have this video. Spool asks again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Laut Dienst gibt es dieses Video nicht. Spool fragt ${when ?? 'bald'} erneut.`,
    },
  },
  'status-unknown': {
    short: {
      en: (when: string | null) =>
        when === null ? 'unknown status' : `unknown status, retries ${when}`,
      de: (when: string | null) =>
        when === null ? 'Status unbekannt' : `Status unbekannt, Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `Spool does not know the status that the service reports. It asks again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Spool kennt den Status nicht, den der Dienst meldet, und fragt ${when ?? 'bald'} erneut.`,
    },
  },
  searching: {
    short: {
      en: (when: string | null) => (when === null ? 'uncertain' : `uncertain, checks ${when}`),
      de: (when: string | null) => (when === null ? 'ungewiss' : `ungewiss, Prüfung ${when}`),
    },
    sentence: {
      en: (when: string | null) =>
        `The service may have accepted it. Spool searches the service’s list of videos for it, next ${when ?? 'as soon as possible'}.`,
      de: (when: string | null) =>
        endSentence(
          `Der Dienst hat das Video vielleicht angenommen. Spool durchsucht seine Liste der Videos, das nächste Mal ${when ?? 'so bald wie möglich'}`,
        ),
    },
  },
  repeating: {
    short: {
      en: (when: string | null) => (when === null ? 'uncertain' : `uncertain, checks ${when}`),
      de: (when: string | null) => (when === null ? 'ungewiss' : `ungewiss, Prüfung ${when}`),
    },
    sentence: {
      en: (when: string | null) =>
        `The service may have accepted it. Spool repeats the request ${when ?? 'as soon as possible'}, with the same idempotency key: the service counts it once.`,
      de: (when: string | null) =>
        `Der Dienst hat das Video vielleicht angenommen. Spool wiederholt die Anfrage ${when ?? 'so bald wie möglich'} mit demselben Idempotenzschlüssel, der Dienst zählt sie nur einmal.`,
    },
  },
  cancelling: {
    short: {
      en: (when: string | null) => (when === null ? 'cancelling' : `cancelling, retries ${when}`),
      de: (when: string | null) =>
        when === null ? 'wird abgebrochen' : `wird abgebrochen, Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `Spool asks the service to cancel this video ${when ?? 'as soon as possible'}.`,
      de: (when: string | null) =>
        `Spool bittet den Dienst ${when ?? 'so bald wie möglich'}, dieses Video abzubrechen.`,
    },
  },
  'too-many-files': {
    short: {
      en: (when: string | null) => (when === null ? 'too many open files' : `retries ${when}`),
      de: (when: string | null) =>
        when === null ? 'zu viele offene Dateien' : `neuer Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The system lets Spool open no more files. Raise the limit of open files or close other programs. Spool tries again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Das System lässt Spool keine weiteren Dateien öffnen. Erhöhen Sie das Limit für offene Dateien, oder schließen Sie andere Programme. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
  },
  'file-server-busy': {
    short: {
      en: (when: string | null) => (when === null ? 'file server busy' : `retries ${when}`),
      de: (when: string | null) =>
        when === null ? 'Dateiserver ausgelastet' : `neuer Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The server of the file is busy. Spool tries again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Der Server der Datei ist ausgelastet. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
  },
  'file-server-unreachable': {
    short: {
      en: (when: string | null) => (when === null ? 'file server offline' : `retries ${when}`),
      de: (when: string | null) =>
        when === null ? 'Dateiserver offline' : `neuer Versuch ${when}`,
    },
    sentence: {
      en: (when: string | null) =>
        `The server of the file does not answer. Spool tries again ${when ?? 'soon'}.`,
      de: (when: string | null) =>
        `Der Server der Datei antwortet nicht. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
  },
  'proxy-failed': {
    short: {
      en: (when: string | null) => (when === null ? 'proxy failed' : `retries ${when}`),
      de: (when: string | null) => (when === null ? 'Proxy-Fehler' : `neuer Versuch ${when}`),
    },
    sentence: {
      en: (proxy: string | null) =>
        `The proxy ${proxy ?? ''} does not connect to the server of the file. Spool tries again automatically.`,
      de: (proxy: string | null) =>
        `Der Proxy ${proxy ?? ''} verbindet nicht mit dem Server der Datei. Spool versucht es von selbst erneut.`,
    },
  },
  'address-blocked': {
    short: { en: () => 'address blocked', de: () => 'Adresse gesperrt' },
    sentence: {
      en: (host: string | null) =>
        `Its server, ${host ?? 'unknown'}, has an address of a VPN or mobile network. It resumes once you turn on “Allow addresses of VPNs and mobile networks” in the settings, or the server has another address.`,
      de: (host: string | null) =>
        `Der Server der Datei, ${host ?? 'unbekannt'}, hat eine Adresse eines VPN oder Mobilfunknetzes. Es geht weiter, sobald Sie in den Einstellungen „Adressen von VPNs und Mobilfunknetzen erlauben“ einschalten oder der Server eine andere Adresse hat.`,
    },
  },
} satisfies Record<WaitReason, WaitTexts>;
