import { endSentence } from './end-sentence.ts';
import type { enJobs } from './en-jobs.ts';

export const deJobs: typeof enJobs = {
  states: {
    queued: 'wartet',
    held: 'zurückgestellt',
    reserved: 'als Nächstes',
    sending: 'wird gesendet',
    uncertain: 'ungewiss',
    submitted: 'angenommen',
    rendering: 'in Arbeit',
    ready: 'erstellt',
    downloading: 'lädt',
    verifying: 'wird geprüft',
    done: 'gespeichert',
    missing: 'Datei fehlt',
    rejected: 'abgelehnt',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
    abandoned: 'aufgegeben',
  },

  damagedState: 'Datei beschädigt',

  next: {
    queued: () => 'Wartet in der Warteschlange, bis es an der Reihe ist.',
    held: () => 'Behält seinen Platz und wird nicht gesendet, bis Sie es fortsetzen.',
    reserved: () => 'Der Platz ist reserviert; die Anfrage wird jetzt gesendet.',
    sending: () => 'Die Anfrage ist auf dem Weg zum Dienst.',
    uncertain: () =>
      'Vielleicht hat der Dienst es angenommen. Spool sendet es nicht erneut, bis Sie entscheiden.',
    submitted: (when) =>
      when === null
        ? 'Angenommen; der Dienst hat noch nicht begonnen.'
        : `Angenommen; voraussichtlich ${when} gespeichert.`,
    rendering: (when) =>
      when === null
        ? 'Der Dienst arbeitet daran.'
        : `Der Dienst arbeitet daran; voraussichtlich ${when} gespeichert.`,
    ready: (when) =>
      when === null
        ? 'Erstellt; der Download wartet auf einen Link.'
        : `Erstellt; voraussichtlich ${when} gespeichert.`,
    downloading: (when) =>
      when === null
        ? 'Auf dem Weg in Ihren Ordner.'
        : `Auf dem Weg in Ihren Ordner; voraussichtlich ${when} gespeichert.`,
    verifying: () => 'Vollständig geladen; Länge und Inhalt werden geprüft.',
    done: () => 'Gespeichert und geprüft.',
    missing: () =>
      'Es war gespeichert, aber die Datei ist nicht mehr dort. Es gilt weiter als verbraucht.',
    rejected: () => 'Der Dienst hat die Anfrage abgelehnt. Sie hat nichts gekostet.',
    failed: () => 'Es endete ohne Video. Die anderen Videos laufen weiter.',
    cancelled: () => 'Vor dem Senden abgebrochen. Es hat nichts gekostet.',
    abandoned: () => 'Nach dem Senden aufgegeben. Es gilt als verbraucht.',
  },

  waits: {
    turn: {
      short: (when) => (when === null ? 'wartet' : `Versand ${when}`),
      sentence: (when) =>
        when === null
          ? 'Wartet in der Warteschlange, bis es an der Reihe ist.'
          : `Die Anfrage wird ${when} gesendet.`,
    },
    'render-slot': {
      short: (when) => (when === null ? 'wartet auf ein Video' : `Versand ${when}`),
      sentence: (limit) =>
        `Wartet, bis ${limit === '1' ? 'das vorige Video' : `eines von ${limit ?? 'mehreren'} Videos`} fertig gerendert ist.`,
    },
    quota: {
      short: (when) => (when === null ? 'Kontingent erschöpft' : `neues Kontingent ${when}`),
      sentence: (when) =>
        `Das Kontingent dieses Monats reicht dafür nicht mehr. Das Video behält seinen Platz, bis das Kontingent${when === null ? '' : ` ${when}`} erneuert wird.`,
    },
    'daily-quota': {
      short: (when) => (when === null ? 'Kontingent erschöpft' : `neues Kontingent ${when}`),
      sentence: (when) =>
        `Das heutige Kontingent reicht dafür nicht mehr. Das Video behält seinen Platz, bis das Kontingent${when === null ? '' : ` ${when}`} erneuert wird.`,
    },
    'pause-point': {
      short: () => 'Pause davor',
      sentence: () =>
        'Vor diesem Video pausiert die Warteschlange. Entfernen Sie die Pause oder setzen Sie dann fort.',
    },
    'not-planned': {
      short: () => 'noch ohne Schätzung',
      sentence: () =>
        'Zu weit hinten für eine Schätzung. Es wird gesendet, wenn es an der Reihe ist.',
    },
    'sending-suspended': {
      short: (when) => (when === null ? 'Versand ausgesetzt' : `ausgesetzt, weiter ${when}`),
      sentence: (when) =>
        `Der Dienst hat die letzten Anfragen abgelehnt oder nicht bestätigt. Der Versand geht ${when ?? 'automatisch'} weiter.`,
    },
    'queue-unconfirmed': {
      short: () => 'Bestätigung nötig',
      sentence: () =>
        'Spool kennt vielleicht nicht alle gesendeten Anfragen. Es wird nichts gesendet, bis Sie das geprüft haben und fortsetzen.',
    },
    'queue-unwritable': {
      short: () => 'Laufwerk voll',
      sentence: () =>
        'Die Warteschlange lässt sich nicht speichern, weil das Laufwerk voll ist. Bis Platz frei ist, wird nichts gesendet.',
    },
    paused: {
      short: () => 'pausiert',
      sentence: () => 'Die Warteschlange ist pausiert. Es geht weiter, wenn Sie sie fortsetzen.',
    },
    'key-missing': {
      short: () => 'API-Schlüssel fehlt',
      sentence: () => 'Wartet auf einen API-Schlüssel.',
    },
    'key-refused': {
      short: () => 'Schlüssel abgelehnt',
      sentence: () =>
        'Der Dienst lehnt den API-Schlüssel ab. Mit einem anderen Schlüssel geht es weiter.',
    },
    offline: {
      short: (when) => (when === null ? 'offline' : `offline, Versuch ${when}`),
      sentence: (when) =>
        when === null
          ? 'Der Dienst antwortet nicht. Spool versucht es gerade erneut.'
          : `Der Dienst antwortet nicht. Spool versucht es ${when} erneut.`,
    },
    'download-paused': {
      short: () => 'Download pausiert',
      sentence: () => 'Der Download ist pausiert, bis Sie ihn fortsetzen.',
    },
    'disk-full': {
      short: (bytes) => (bytes === null ? 'Laufwerk voll' : `braucht ${bytes} Platz`),
      sentence: (bytes) =>
        `Braucht ${bytes ?? 'mehr'} freien Platz auf dem Laufwerk. Es geht automatisch weiter.`,
    },
    'folder-unusable': {
      short: () => 'Ordner gesperrt',
      sentence: () =>
        'In den Ordner lässt sich nicht schreiben. Sobald das wieder möglich ist, geht es automatisch weiter.',
    },
    'link-limit': {
      short: (when) => (when === null ? 'Download-Limit' : `Download-Limit, nächster ${when}`),
      sentence: (when) =>
        `Die Downloads dieser Stunde sind aufgebraucht. Der nächste wird ${when ?? 'so bald wie möglich'} angefordert.`,
    },
    'link-not-ready': {
      short: (when) => (when === null ? 'noch kein Link' : `noch kein Link, Versuch ${when}`),
      sentence: (when) =>
        `Der Dienst hat noch keinen Download-Link für dieses Video. Spool fragt ${when ?? 'bald'} erneut.`,
    },
    'service-error': {
      short: (when) => (when === null ? 'Dienstfehler' : `Dienstfehler, Versuch ${when}`),
      sentence: (when) =>
        `Der Dienst hat zu diesem Video keine brauchbare Antwort gegeben. Spool fragt ${when ?? 'bald'} erneut.`,
    },
    'not-found': {
      short: (when) => (when === null ? 'nicht gefunden' : `nicht gefunden, Versuch ${when}`),
      sentence: (when) =>
        `Laut Dienst gibt es dieses Video nicht. Spool fragt ${when ?? 'bald'} erneut.`,
    },
    'status-unknown': {
      short: (when) => (when === null ? 'Status unbekannt' : `Status unbekannt, Versuch ${when}`),
      sentence: (when) =>
        `Spool kennt den Status nicht, den der Dienst meldet, und fragt ${when ?? 'bald'} erneut.`,
    },
    'looked-for': {
      short: (when) => (when === null ? 'ungewiss' : `ungewiss, Prüfung ${when}`),
      sentence: (when) =>
        endSentence(
          `Der Dienst hat das Video vielleicht angenommen. Spool durchsucht seine Liste der Videos, das nächste Mal ${when ?? 'so bald wie möglich'}`,
        ),
    },
    'sent-again': {
      short: (when) => (when === null ? 'ungewiss' : `ungewiss, Prüfung ${when}`),
      sentence: (when) =>
        `Der Dienst hat das Video vielleicht angenommen. Spool wiederholt die Anfrage ${when ?? 'so bald wie möglich'} mit demselben Idempotenzschlüssel, der Dienst zählt sie nur einmal.`,
    },
    cancelling: {
      short: (when) => (when === null ? 'wird abgebrochen' : `wird abgebrochen, Versuch ${when}`),
      sentence: (when) =>
        `Spool bittet den Dienst ${when ?? 'so bald wie möglich'}, dieses Video abzubrechen.`,
    },
    'too-many-files': {
      short: (when) => (when === null ? 'zu viele offene Dateien' : `neuer Versuch ${when}`),
      sentence: (when) =>
        `Das System lässt Spool keine weiteren Dateien öffnen. Erhöhen Sie die Grenze für offene Dateien, oder schließen Sie andere Programme. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
    'file-server-busy': {
      short: (when) => (when === null ? 'Dateiserver ausgelastet' : `neuer Versuch ${when}`),
      sentence: (when) =>
        `Der Server der Datei ist ausgelastet. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
    'file-server-unreachable': {
      short: (when) => (when === null ? 'Dateiserver offline' : `neuer Versuch ${when}`),
      sentence: (when) =>
        `Der Server der Datei antwortet nicht. Spool versucht es ${when ?? 'bald'} erneut.`,
    },
    'proxy-failed': {
      short: (when) => (when === null ? 'Proxy-Fehler' : `neuer Versuch ${when}`),
      sentence: (proxy) =>
        `Der Proxy ${proxy ?? ''} verbindet nicht mit dem Server der Datei. Spool versucht es von selbst erneut.`,
    },
    'address-blocked': {
      short: () => 'Adresse gesperrt',
      sentence: (host) =>
        `Der Server der Datei, ${host ?? 'unbekannt'}, hat eine Adresse eines VPN oder von NAT64. Es geht weiter, sobald Sie in den Einstellungen „Adressen von VPNs und NAT64 erlauben“ einschalten oder DNS eine andere Adresse nennt.`,
    },
  },

  happened: {
    added: 'Hinzugefügt',
    held: 'Zurückgestellt',
    released: 'Freigegeben',
    cancelled: 'Abgebrochen',
    reserved: 'Platz reserviert',
    'not-sent': 'Nicht gesendet, wieder eingereiht',
    sending: 'Anfrage gesendet',
    accepted: 'Vom Dienst angenommen',
    'not-accepted': 'Wieder eingereiht',
    refused: 'Vom Dienst abgelehnt',
    'outcome-unknown': 'Ausgang unbekannt',
    'found-accepted': 'Als angenommen bestätigt',
    'queued-to-resend': 'Erneutes Senden',
    abandoned: 'Aufgegeben',
    'cancelled-at-service': 'Beim Dienst abgebrochen',
    'not-cancelled-at-service': 'Beim Dienst nicht abgebrochen',
    rendering: 'In Arbeit',
    rendered: 'Video fertig',
    'render-failed': 'Rendern fehlgeschlagen',
    'status-unknown': 'Status unbekannt',
    'link-not-ready': 'Noch kein Download-Link',
    'download-started': 'Download begonnen',
    'download-interrupted': 'Download unterbrochen',
    verifying: 'Heruntergeladen, wird geprüft',
    saved: 'Gespeichert und geprüft',
    'download-failed': 'Download fehlgeschlagen',
    'video-gone': 'Nicht mehr beim Dienst',
    renamed: 'Umbenannt',
    'file-missing': 'Datei fehlt',
    'file-damaged': 'Datei beschädigt',
    'file-found': 'Datei wiedergefunden',
    'queued-to-download-again': 'Erneuter Download',
    'queued-to-render-again': 'Erneutes Rendern',
    'asked-about-again': 'Erneute Nachfrage beim Dienst',
  },
};
