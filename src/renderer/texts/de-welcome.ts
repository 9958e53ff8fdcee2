import type { Texts } from './en.ts';

/** What the page says to whoever opens it for the first time, in German. */
export const deWelcome: Texts['welcome'] = {
  title: 'Ihr erstes Video',
  sentence:
    'Spool erstellt Videos stapelweise, aus jeder Zeile einer Tabelle eines. Wo sollen sie entstehen?',
  here: {
    title: 'Auf diesem Rechner',
    sentence:
      'Ohne Konto und ohne Schlüssel. Aus einem Muster entstehen ein paar kurze Videos, und das erste läuft hier, sobald es gespeichert ist.',
    button: 'Auf diesem Rechner versuchen',
  },
  own: {
    title: 'Mit Ihrem Konto',
    sentence:
      'Bei einem Dienst, von dem Sie eine Adresse und einen API-Schlüssel haben. Der Schlüssel kommt in den Schlüsselbund des Systems und geht nur an diese Adresse.',
    button: 'Meinen Schlüssel verwenden',
  },
  ready: 'Ist Ihre Tabelle fertig? Legen Sie sie irgendwo in diesem Fenster ab.',
  later: 'Später',
  laterHint: 'Die leere Warteschlange und die Liste der Befehle führen hierher zurück.',
  doors: 'Beide Wege',
  notNow: 'Nichts wurde erstellt oder verbraucht.',

  starting: 'Dieser Rechner wird vorbereitet',
  startingSentence: 'Sein Dienst startet und bekommt ein eigenes Konto und einen Schlüssel.',
  making: 'Ihr erstes Video entsteht',
  makingOthers: 'Die Videos des Musters',
  firstSaved: 'Ihr erstes Video ist gespeichert',
  readySentence: (folder) => `Eine gewöhnliche Datei, in ${folder}.`,
  ended: 'Das erste Video ist nicht entstanden',
  endedSentence: 'Keines der Videos des Musters ist entstanden. Das erste sagt, warum.',
  addOwn: 'Eigene Videos hinzufügen',
  toQueue: 'Zur Warteschlange',
  noSample: 'Das Muster ist hier nicht installiert',
  noSampleSentence: 'Alles andere ist bereit: Fügen Sie eigene Videos hinzu.',

  keyTitle: 'Ihr Dienst',
  keySentence: 'Beides steht dort in Ihrem Konto unter Settings, Developer API.',
  address: 'Adresse',
  plan: 'Tarif',
  planHint: 'Der Dienst nennt ihn nicht. Spool zählt danach.',
  keyHint: (origin) =>
    origin === null ? 'Er wird dort einmal gezeigt.' : `Er geht nur an ${origin}.`,
  connect: 'Verbinden',
  connecting: 'Verbindet …',
  connected: 'Verbunden',
  connectedSentence: (origin) => `${origin} nimmt den Schlüssel an.`,
  unanswered: 'Der Schlüssel ist da, aber noch nicht versucht',
  unansweredSentence: (origin) =>
    `${origin} hat nicht geantwortet. Prüfen Sie die Adresse; der Schlüssel wird von selbst noch einmal versucht.`,
  inMemory: 'Der Schlüsselbund behält den Schlüssel nicht',
  changeAddress: 'Adresse ändern',
};
