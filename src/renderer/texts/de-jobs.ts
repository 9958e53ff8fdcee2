import type { enJobs } from './en-jobs.ts';

/** What the page says of where a job stands. */
export const deJobs: typeof enJobs = {
  states: {
    draft: 'unbestätigt',
    queued: 'wartet',
    held: 'angehalten',
    reserved: 'als Nächstes',
    sending: 'sendet',
    uncertain: 'ungewiss',
    submitted: 'angenommen',
    rendering: 'in Arbeit',
    ready: 'bereit',
    downloading: 'lädt',
    verifying: 'wird geprüft',
    done: 'gespeichert',
    missing: 'Datei fehlt',
    rejected: 'abgelehnt',
    failed: 'gescheitert',
    cancelled: 'abgesagt',
    abandoned: 'aufgegeben',
  },

  damagedState: 'Datei beschädigt',

  next: {
    draft: () => 'Wartet auf Ihr Wort, bevor es in die Warteschlange kommt.',
    queued: (when) =>
      when === null
        ? 'Das Kontingent dieses Monats reicht nicht; es behält seinen Platz für den nächsten.'
        : `Die Anfrage geht ${when} hinaus.`,
    held: () => 'Behält seinen Platz und wird nicht gesendet, bis Sie es fortsetzen.',
    reserved: () => 'Zeitfenster und Kontingent sind belegt; die Anfrage geht jetzt hinaus.',
    sending: () => 'Die Anfrage ist auf dem Weg zum Dienst.',
    uncertain: () =>
      'Der Dienst hat sie vielleicht angenommen. Nichts wird erneut gesendet, bis Sie entscheiden.',
    submitted: (when) =>
      when === null
        ? 'Angenommen; der Dienst hat noch nicht begonnen.'
        : `Angenommen; wird ${when} hier erwartet.`,
    rendering: (when) =>
      when === null ? 'Der Dienst arbeitet daran.' : `Der Dienst arbeitet daran; ${when} hier.`,
    ready: (when) =>
      when === null
        ? 'Fertig; der Download wartet auf einen Link.'
        : `Fertig; ${when} hier gespeichert.`,
    downloading: (when) =>
      when === null ? 'Auf dem Weg in Ihren Ordner.' : `Auf dem Weg in Ihren Ordner; ${when} hier.`,
    verifying: () => 'Alle Bytes sind da; Länge und Inhalt werden geprüft.',
    done: () => 'Gespeichert und geprüft.',
    missing: () =>
      'Es war gespeichert, und die Datei ist nicht mehr dort. Das Kontingent bleibt verbraucht.',
    rejected: () => 'Der Dienst hat die Anfrage abgelehnt. Sie hat nichts gekostet.',
    failed: () => 'Es endete ohne Video. Die anderen Videos laufen weiter.',
    cancelled: () => 'Vor dem Senden zurückgezogen. Es hat nichts gekostet.',
    abandoned: () => 'Nach dem Senden aufgegeben. Das Kontingent ist verbraucht.',
  },

  transferWaits: {
    paused: {
      short: () => 'Übertragung pausiert',
      sentence: () => 'Die Übertragung ist pausiert, bis du sie fortsetzt.',
    },
    room: {
      short: (bytes) => (bytes === null ? 'wartet auf Platz' : `wartet auf ${bytes}`),
      sentence: (bytes) =>
        `Wartet auf ${bytes ?? 'mehr'} Platz auf der Festplatte und macht von selbst weiter.`,
    },
    folder: {
      short: () => 'wartet auf den Ordner',
      sentence: () =>
        'In den Ordner lässt sich gerade nichts schreiben. Sobald es geht, geht es von selbst weiter.',
    },
    links: {
      short: (when) => (when === null ? 'Link-Limit' : `Link-Limit: nächster ${when}`),
      sentence: (when) =>
        `Die Download-Links dieser Stunde sind aufgebraucht; der nächste wird ${when ?? 'bald'} geholt.`,
    },
    server: {
      short: (when) => (when === null ? 'Server ausgelastet' : `neuer Versuch ${when}`),
      sentence: (when) =>
        `Der Server der Datei antwortet nicht, wie er soll; er wird ${when ?? 'bald'} wieder gefragt.`,
    },
  },

  happened: {
    draft: 'Hinzugefügt',
    queued: 'Eingereiht',
    held: 'Angehalten',
    reserved: 'Zeitfenster und Kontingent belegt',
    sending: 'Anfrage gesendet',
    uncertain: 'Ausgang ungewiss',
    submitted: 'Vom Dienst angenommen',
    rendering: 'In Arbeit',
    ready: 'Video fertig',
    downloading: 'Download begonnen',
    verifying: 'Download vollständig, wird geprüft',
    done: 'Gespeichert und geprüft',
    missing: 'Datei verschwunden',
    rejected: 'Vom Dienst abgelehnt',
    failed: 'Gescheitert',
    cancelled: 'Zurückgezogen',
    abandoned: 'Aufgegeben',
  },
};
