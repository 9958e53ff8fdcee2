/** Texts of the response mapping. */
export const profileTexts = {
  title: { en: 'Response mapping', de: 'Antwortformat' },
  back: { en: 'Back to the settings', de: 'Zurück zu den Einstellungen' },
  sentence: {
    en: (origin: string) =>
      `The service’s documentation does not say what its answers look like. Set here where Spool finds each value in the answers of ${origin}.`,
    de: (origin: string) =>
      `Wie die Antworten aussehen, sagt die Dokumentation des Dienstes nicht. Hier steht, wo Spool in denen von ${origin} nachsieht.`,
  },
  fixed: {
    en: 'The answers of the service on this computer are known. There is nothing to change.',
    de: 'Wie der Dienst auf diesem Computer antwortet, ist bekannt; es gibt also nichts zu ändern.',
  },
  from: {
    usual: { en: 'Default', de: 'Standard' },
    saved: { en: 'Saved by you', de: 'Von Ihnen gespeichert' },
    run: { en: 'Set for this run', de: 'Nur für diesen Start' },
  },
  open: { en: 'View and edit', de: 'Ansehen und ändern' },
  unreadable: {
    en: 'The response mapping could not be read',
    de: 'Das Antwortformat konnte nicht geladen werden',
  },
  found: {
    id: { en: 'Identifier at', de: 'Kennung in' },
    status: { en: 'State at', de: 'Status in' },
    link: { en: 'Link at', de: 'Link in' },
  },

  examplesTitle: { en: 'Example answers', de: 'Beispielantworten' },
  examplesSentence: {
    en: 'Paste answers of the service unchanged. Spool reads them as you type, and sends nothing.',
    de: 'Fügen Sie ein, was der Dienst geantwortet hat, so wie es ist. Es wird sofort gelesen und nirgendwohin gesendet.',
  },
  examples: {
    generate: {
      en: 'Answer to a request for a video',
      de: 'Auf die Anfrage nach einem Video',
    },
    status: {
      en: 'Answers about its status, one for each state',
      de: 'Auf die Frage, wie weit es ist; mehrere, eine pro Status',
    },
    download: {
      en: 'Answer to a request for the download link',
      de: 'Auf die Frage nach dem Link',
    },
  },
  noJson: { en: 'No JSON found', de: 'Kein JSON gefunden' },
  propose: { en: 'Propose from the examples', de: 'Aus den Beispielen vorschlagen' },
  readingTitle: { en: 'What would be read', de: 'Was Spool daraus liest' },
  readingEmpty: {
    en: 'Nothing yet: paste an answer above.',
    de: 'Noch nichts: Fügen Sie oben eine Antwort ein.',
  },
  readingInvalid: {
    en: 'Nothing until every field is correct.',
    de: 'Nichts, solange ein Feld einen Fehler hat.',
  },
  identifier: { en: 'Identifier', de: 'Kennung' },
  state: { en: 'State', de: 'Status' },
  link: { en: 'Link', de: 'Link' },
  notThere: { en: 'not found', de: 'nicht gefunden' },
  unknownWord: {
    en: (word: string) => `“${word}” is not known. It means`,
    de: (word: string) => `„${word}“ ist nicht bekannt. Es bedeutet`,
  },
  knownWord: {
    en: (word: string) => `“${word}” means`,
    de: (word: string) => `„${word}“ bedeutet`,
  },
  choose: { en: 'Choose…', de: 'Auswählen …' },
  noWord: { en: 'no word found', de: 'kein Wort gefunden' },
  percent: { en: (percent: number) => `${percent} %`, de: (percent: number) => `${percent} %` },
  notReady: { en: 'not there yet', de: 'noch nicht da' },
  until: { en: (when: string) => `until ${when}`, de: (when: string) => `bis ${when}` },
  notFound: {
    id: {
      en: 'No identifier found. If you know where it is, enter its path below.',
      de: 'Die Antwort enthält keine Kennung. Geben Sie unten an, wo sie steht, falls Sie es wissen.',
    },
    status: {
      en: 'No state found. If you know where it is, enter its path below.',
      de: 'Die Antwort enthält keinen Status. Geben Sie unten an, wo er steht, falls Sie es wissen.',
    },
    link: {
      en: 'No link found. If you know where it is, enter its path below.',
      de: 'Die Antwort enthält keinen Link. Geben Sie unten an, wo er steht, falls Sie es wissen.',
    },
  },

  rulesTitle: { en: 'Where Spool looks', de: 'Wo Spool nachsieht' },
  rulesSentence: {
    en: 'Several paths, separated by commas. The first one found is used. Put an entry with a comma in quotes.',
    de: 'Mehrere Pfade, durch Kommas getrennt: Der erste Treffer zählt. Einträge mit Komma stehen in Anführungszeichen.',
  },
  name: { en: 'Name of the profile', de: 'Name des Profils' },
  fields: {
    under: { en: 'Look within', de: 'Sucht in' },
    id: { en: 'Identifier', de: 'Kennung' },
    status: { en: 'State', de: 'Status' },
    progress: { en: 'Progress', de: 'Fortschritt' },
    errorText: { en: 'Error message', de: 'Fehlertext' },
    errorCode: { en: 'Error code', de: 'Fehlercode' },
    linkUrl: { en: 'Link to the video', de: 'Link zum Video' },
    linkExpiresAt: { en: 'Link expires at', de: 'Ablauf des Links' },
    statuses: { en: 'HTTP statuses that always mean it', de: 'HTTP-Status, die es immer bedeuten' },
    spokenStatuses: {
      en: 'HTTP statuses that mean it together with one of these words',
      de: 'HTTP-Status, die es zusammen mit einem dieser Wörter bedeuten',
    },
    codes: { en: 'Codes', de: 'Fehlercodes' },
    speaksOf: { en: 'Words in the code or message', de: 'Wörter in Code oder Meldung' },
  },
  underHint: { en: 'A dot is the answer itself.', de: 'Ein Punkt ist die Antwort selbst.' },
  progressHint: {
    en: 'Empty: learned from earlier videos.',
    de: 'Leer: wird aus früheren Videos geschätzt.',
  },
  scale: { en: 'Progress scale', de: 'Skala des Fortschritts' },
  scales: {
    fraction: { en: 'From 0 to 1', de: 'Von 0 bis 1' },
    percent: { en: 'From 0 to 100', de: 'Von 0 bis 100' },
  },
  wordsTitle: { en: 'Status words', de: 'Statuswörter' },
  wordsTwice: {
    en: (words: string) => `Under two meanings: ${words}`,
    de: (words: string) => `Unter zwei Bedeutungen: ${words}`,
  },
  quotaTitle: { en: 'What counts as a used-up quota', de: 'Was als verbrauchtes Kontingent zählt' },
  requestTitle: { en: 'Request', de: 'Anfrage' },
  request: { en: 'Columns and body, JSON', de: 'Spalten und Inhalt, JSON' },
  requestHint: {
    en: 'In the body, {{column}} is the value of a row.',
    de: 'Im Inhalt steht {{column}} für den Wert einer Zeile.',
  },
  requestError: { en: 'This is not JSON', de: 'Das ist kein JSON' },

  startFrom: { en: 'Start from…', de: 'Vorlage …' },
  save: { en: 'Save', de: 'Speichern' },
  discard: { en: 'Discard', de: 'Verwerfen' },
  changed: { en: 'Not saved yet', de: 'Noch nicht gespeichert' },
  overtakenBy: {
    profile: {
      happened: {
        en: () => 'The saved profile has changed in the meantime',
        de: () => 'Das gespeicherte Profil hat sich inzwischen geändert',
      },
      means: {
        en: 'Your changes are still here. Saving them replaces the other profile.',
        de: 'Ihre Eingaben stehen noch hier. Wenn Sie sie speichern, ersetzen sie das andere Profil.',
      },
    },
    service: {
      happened: {
        en: (origin: string) => `Another service is in use now: ${origin}`,
        de: (origin: string) => `Jetzt wird ein anderer Dienst verwendet: ${origin}`,
      },
      means: {
        en: 'Your changes were for the previous service. Saving applies them to this one.',
        de: 'Ihre Eingaben waren für den vorigen bestimmt. Wenn Sie sie speichern, gelten sie für diesen.',
      },
    },
  },
  showSaved: { en: 'Show the saved profile', de: 'Gespeichertes anzeigen' },
  saved: { en: 'Response mapping saved', de: 'Antwortformat gespeichert' },
  reset: { en: 'Reset to default', de: 'Zurücksetzen' },
  resetTitle: { en: 'Reset to the default profile?', de: 'Auf das Standardprofil zurücksetzen?' },
  resetSentence: {
    en: 'The profile you saved for this service is deleted. Videos and quota stay.',
    de: 'Was Sie für diesen Dienst gespeichert haben, wird gelöscht. Videos und Kontingent bleiben.',
  },
  resetDone: { en: 'Reset to the default profile', de: 'Das Standardprofil gilt wieder' },
};
