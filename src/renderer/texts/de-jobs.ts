import type { enJobs } from './en-jobs.ts';

/** What the page says of where a job stands. */
export const deJobs: typeof enJobs = {
  states: {
    draft: 'unbestätigt',
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
    cancelled: 'zurückgezogen',
    abandoned: 'aufgegeben',
  },

  damagedState: 'Datei beschädigt',

  next: {
    draft: () => 'Wartet auf Ihre Bestätigung, bevor es in die Warteschlange kommt.',
    queued: (when) =>
      when === null
        ? 'Das Kontingent dieses Monats reicht dafür nicht; es behält seinen Platz für den nächsten.'
        : `Die Anfrage wird ${when} gesendet.`,
    held: () => 'Behält seinen Platz und wird nicht gesendet, bis Sie es fortsetzen.',
    reserved: () => 'Platz und Kontingent sind reserviert; die Anfrage wird jetzt gesendet.',
    sending: () => 'Die Anfrage ist auf dem Weg zum Dienst.',
    uncertain: () =>
      'Vielleicht hat der Dienst es angenommen. Bis Sie entscheiden, wird nichts erneut gesendet.',
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
      'Es war gespeichert, aber die Datei ist nicht mehr dort. Das Kontingent bleibt verbraucht.',
    rejected: () => 'Der Dienst hat die Anfrage abgelehnt. Sie hat nichts gekostet.',
    failed: () => 'Es endete ohne Video. Die anderen Videos laufen weiter.',
    cancelled: () => 'Vor dem Senden zurückgezogen. Es hat nichts gekostet.',
    abandoned: () => 'Nach dem Senden aufgegeben. Das Kontingent ist verbraucht.',
  },

  transferWaits: {
    paused: {
      short: () => 'Übertragung pausiert',
      sentence: () => 'Die Übertragung ist pausiert, bis Sie sie fortsetzen.',
    },
    room: {
      short: (bytes) => (bytes === null ? 'wartet auf Platz' : `wartet auf ${bytes}`),
      sentence: (bytes) =>
        `Wartet auf ${bytes ?? 'mehr'} freien Platz auf dem Laufwerk und geht dann von selbst weiter.`,
    },
    folder: {
      short: () => 'wartet auf den Ordner',
      sentence: () =>
        'In den Ordner lässt sich gerade nichts schreiben. Sobald das wieder möglich ist, geht es von selbst weiter.',
    },
    links: {
      short: (when) => (when === null ? 'Link-Limit' : `Link-Limit: nächster ${when}`),
      sentence: (when) =>
        `Die Download-Links dieser Stunde sind aufgebraucht; der nächste wird ${when ?? 'bald'} angefordert.`,
    },
    server: {
      short: (when) => (when === null ? 'Server ausgelastet' : `neuer Versuch ${when}`),
      sentence: (when) =>
        `Der Server antwortet nicht wie erwartet; er wird ${when ?? 'bald'} erneut gefragt.`,
    },
  },

  happened: {
    draft: 'Hinzugefügt',
    queued: 'Eingereiht',
    held: 'Zurückgestellt',
    reserved: 'Platz reserviert',
    sending: 'Anfrage gesendet',
    uncertain: 'Ausgang ungewiss',
    submitted: 'Angenommen',
    rendering: 'In Arbeit',
    ready: 'Video fertig',
    downloading: 'Download begonnen',
    verifying: 'Geladen, wird geprüft',
    done: 'Gespeichert, geprüft',
    missing: 'Datei fehlt',
    rejected: 'Vom Dienst abgelehnt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Zurückgezogen',
    abandoned: 'Aufgegeben',
  },
};
