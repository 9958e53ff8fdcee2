import type { enProfile } from './en-profile.ts';

export const deProfile: typeof enProfile = {
  title: 'Antwortzuordnung',
  back: 'Zurück zu den Einstellungen',
  sentence: (origin) =>
    `Wie die Antworten aussehen, sagt die Dokumentation des Dienstes nicht. Hier steht, wo Spool in denen von ${origin} nachsieht.`,
  fixed:
    'Wie der Dienst auf diesem Computer antwortet, ist bekannt; es gibt also nichts zu ändern.',
  from: { usual: 'Standard', saved: 'Von Ihnen gespeichert', run: 'Nur für diesen Start' },
  open: 'Ansehen und ändern',
  unreadable: 'Das Profil konnte nicht geladen werden',
  found: { id: 'Kennung in', status: 'Status in', link: 'Link in' },

  examplesTitle: 'Beispielantworten',
  examplesSentence:
    'Fügen Sie ein, was der Dienst geantwortet hat, so wie es ist. Es wird sofort gelesen und nirgendwohin gesendet.',
  examples: {
    generate: 'Auf die Anfrage, ein Video zu erstellen',
    status: 'Auf die Frage, wie weit es ist; mehrere, eine pro Status',
    download: 'Auf die Frage nach dem Link',
  },
  noJson: 'Darin ist kein JSON',
  propose: 'Aus den Beispielen vorschlagen',
  readingTitle: 'Was Spool daraus liest',
  readingEmpty: 'Noch nichts: Fügen Sie oben eine Antwort ein.',
  readingFaulty: 'Nichts, solange ein Feld einen Fehler hat.',
  identifier: 'Kennung',
  state: 'Status',
  link: 'Link',
  notThere: 'nicht gefunden',
  unknownWord: (word) => `„${word}“ ist nicht bekannt. Es bedeutet`,
  knownWord: (word) => `„${word}“ bedeutet`,
  choose: 'Auswählen …',
  noWord: 'kein Wort gefunden',
  percent: (percent) => `${percent} %`,
  notReady: 'noch nicht da',
  until: (when) => `bis ${when}`,
  notFound: {
    id: 'Die Antwort enthält keine Kennung. Geben Sie unten an, wo sie steht, falls Sie es wissen.',
    status:
      'Die Antwort enthält keinen Status. Geben Sie unten an, wo er steht, falls Sie es wissen.',
    link: 'Die Antwort enthält keinen Link. Geben Sie unten an, wo er steht, falls Sie es wissen.',
  },

  rulesTitle: 'Wo Spool nachsieht',
  rulesSentence:
    'Mehrere Pfade, durch Kommas getrennt: Der erste Treffer zählt. Einträge mit Komma stehen in Anführungszeichen.',
  name: 'Name des Profils',
  fields: {
    under: 'Sucht in',
    id: 'Kennung',
    status: 'Status',
    progress: 'Fortschritt',
    errorText: 'Fehlertext',
    errorCode: 'Fehlercode',
    linkUrl: 'Link zum Video',
    linkExpiresAt: 'Ablauf des Links',
    statuses: 'HTTP-Status, die es immer bedeuten',
    spokenStatuses: 'HTTP-Status, die es zusammen mit einem dieser Wörter bedeuten',
    codes: 'Fehlercodes',
    speaksOf: 'Wörter in Code oder Meldung',
  },
  underHint: 'Ein Punkt ist die Antwort selbst.',
  progressHint: 'Leer: wird aus früheren Videos geschätzt.',
  scale: 'Der Fortschritt reicht',
  scales: { fraction: 'Von 0 bis 1', percent: 'Von 0 bis 100' },
  wordsTitle: 'Was die Statuswörter bedeuten',
  wordsTwice: (words) => `Unter zwei Bedeutungen: ${words}`,
  quotaTitle: 'Was als verbrauchtes Kontingent zählt',
  requestTitle: 'Was in einer Anfrage steht',
  request: 'Spalten und Inhalt, JSON',
  requestHint: 'Im Inhalt steht {{column}} für den Wert einer Zeile.',
  requestFault: 'Das ist kein JSON',

  startFrom: 'Vorlage …',
  save: 'Speichern',
  discard: 'Verwerfen',
  changed: 'Noch nicht gespeichert',
  overtakenBy: {
    profile: {
      happened: () => 'Das gespeicherte Profil hat sich inzwischen geändert',
      means:
        'Ihre Eingaben stehen noch hier. Wenn Sie sie speichern, ersetzen sie das andere Profil.',
    },
    service: {
      happened: (origin) => `Jetzt wird ein anderer Dienst verwendet: ${origin}`,
      means:
        'Ihre Eingaben waren für den vorigen bestimmt. Wenn Sie sie speichern, gelten sie für diesen.',
    },
  },
  showSaved: 'Gespeichertes anzeigen',
  saved: 'Antwortzuordnung gespeichert',
  reset: 'Zurücksetzen',
  resetTitle: 'Auf das Standardprofil zurücksetzen?',
  resetSentence:
    'Was Sie für diesen Dienst gespeichert haben, wird gelöscht. Videos und Kontingent bleiben.',
  resetDone: 'Das Standardprofil gilt wieder',
};
