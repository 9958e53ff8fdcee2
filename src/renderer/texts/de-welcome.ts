import type { ViewTexts } from './en-views.ts';

export const deWelcome: ViewTexts['welcome'] = {
  title: 'Ihr erstes Video',
  sentence:
    'Spool macht aus jeder Zeile einer Tabelle ein Video. Wo sollen die Videos gerendert werden?',
  here: {
    title: 'Auf diesem Computer',
    sentence:
      'Ohne Konto und ohne Schlüssel. Aus einem Beispiel entstehen ein paar kurze Videos, und das erste läuft hier, sobald es gespeichert ist.',
    button: 'Hier ausprobieren',
  },
  own: {
    title: 'Mit Ihrem Konto',
    sentence:
      'Bei einem Dienst, von dem Sie eine Adresse und einen API-Schlüssel haben. Der Schlüssel kommt in den Schlüsselbund des Systems und wird nur an diese Adresse gesendet.',
    button: 'Meinen Schlüssel verwenden',
  },
  ready: (service) =>
    `Ist Ihre Tabelle fertig? Ziehen Sie sie in dieses Fenster, um sie ${service === null ? 'auf diesem Computer' : `bei ${service}`} zu rendern.`,
  later: 'Später',
  laterHint: 'Über die leere Warteschlange und die Befehlsliste kommen Sie hierher zurück.',
  back: 'Zurück',
  notNow: 'Es wurde nichts erstellt oder verbraucht.',

  starting: 'Dieser Computer wird vorbereitet',
  startingSentence: 'Der Renderer auf diesem Computer startet.',
  making: 'Ihr erstes Video wird gerendert',
  makingOthers: 'Die Beispielvideos',
  firstSaved: 'Ihr erstes Video ist gespeichert',
  readySentence: (folder) => `Es liegt in ${folder}.`,
  ended: 'Das erste Video konnte nicht gerendert werden',
  endedSentence: 'Keines der Beispielvideos konnte gerendert werden. Beim ersten steht, warum.',
  addOwn: 'Eigene Videos hinzufügen',
  toQueue: 'Zur Warteschlange',
  noSample: 'Das Beispiel ist hier nicht installiert',
  noSampleSentence: 'Alles andere ist bereit: Fügen Sie eigene Videos hinzu.',

  keyTitle: 'Ihr Dienst',
  keySentence: 'Beides finden Sie dort in Ihrem Konto unter Settings, Developer API.',
  address: 'Adresse',
  plan: 'Tarif',
  planHint: 'Der Dienst nennt Ihren Tarif nicht; wählen Sie ihn hier.',
  keyHint: (origin) =>
    origin === null ? 'Er wird dort nur einmal gezeigt.' : `Er wird nur an ${origin} gesendet.`,
  connect: 'Verbinden',
  connecting: 'Wird verbunden …',
  connected: 'Verbunden',
  connectedSentence: (origin) => `${origin} nimmt den Schlüssel an.`,
  nothingSaved: 'Es wurde noch nichts gespeichert.',
  saveAnyway: 'Trotzdem speichern',
  unanswered: 'Der Schlüssel ist noch nicht geprüft',
  unansweredSentence: (origin, isFixed) =>
    `${origin} hat nicht geantwortet. ${isFixed ? 'Der' : 'Prüfen Sie die Adresse; der'} Schlüssel wird automatisch erneut geprüft.`,
  inMemory: 'Der Schlüsselbund konnte den Schlüssel nicht speichern',
  untrustedSentence: (origin) =>
    `Der Schlüssel wurde nicht an ${origin} gesendet. Hat der Dienst ein eigenes Zertifikat, fügen Sie es hinzu.`,
  changeAddress: 'Adresse ändern',
  changeKey: 'Schlüssel ändern',
  anotherService: 'Anderen Dienst wählen',
};
