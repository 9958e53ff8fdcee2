import type { ViewTexts } from './en-views.ts';

export const deServices: ViewTexts['services'] = {
  title: 'Dienst wählen',
  sentence:
    'Hier werden Ihre Videos gerendert. Jeder Dienst hat ein eigenes Konto, einen eigenen Schlüssel und eigene Preise.',
  search: 'Dienste durchsuchen',
  list: 'Dienste',
  none: 'Kein Dienst mit diesem Namen',
  noneMeans: 'Jeder andere Dienst lässt sich mit Beispielen aus seiner Dokumentation hinzufügen.',
  unreadable: 'Die Dienste konnten nicht gelesen werden',
  documented: 'Dienst mit Adresse',
  documentedMeans:
    'Ein Dienst mit der Video Generation Service API. Von ihm haben Sie eine Adresse und einen Schlüssel, der mit svc_live_ beginnt.',
  hereMeans:
    'Spool rendert Storyboards selbst. Ohne Konto, ohne Schlüssel, und nichts verlässt diesen Computer.',
  practice: 'Übungskonto',
  practiceMeans:
    'Probieren Sie einen Stapel aus, bevor Sie dafür bezahlen: Auf diesem Computer gelten die Limits und das Monatskontingent eines Tarifs, den Sie wählen. Das Rendern bleibt kostenlos.',
  saved: 'Eigener',
  another: 'Anderen Dienst hinzufügen …',
  adapt: 'Anpassen …',
  use: 'Diesen Dienst verwenden',
  useHere: 'Auf diesem Computer rendern',
  usePractice: 'Auf diesem Computer üben',
  hereChosen: 'Videos werden auf diesem Computer gerendert',
  practiceChosen: 'Das Übungskonto wird verwendet',

  cost: 'Kosten',
  costUnknown: 'Spool kennt sie nicht. Sehen Sie in die Preisliste des Dienstes.',
  oneOfPlan: 'Eines der Videos Ihres Tarifs',
  estimate: (cost) => `Etwa ${cost}`,
  free: 'Kostenlos',
  aVideo: (amount) => `${amount} pro Video`,
  bySeconds: 'nach Sekunden Video',
  forEach: (amount, column) => `${amount} × ${column}`,
  forEachBetween: (least, most, column) => `${least} bis ${most} × ${column}`,
  units: {
    video: (count, amount) => `${count} ${amount === 1 ? 'Video' : 'Videos'}`,
    second: (count, amount) => `${count} ${amount === 1 ? 'Sekunde' : 'Sekunden'} Video`,
    credit: (count, amount) => `${count} ${amount === 1 ? 'Credit' : 'Credits'}`,
  },
  needs: 'Voraussetzung',
  needsKey: (name) => `Ein API-Schlüssel aus Ihrem Konto bei ${name}`,
  needsAddressAndKey: 'Seine Adresse und ein API-Schlüssel aus Ihrem Konto dort',
  needsNothing: 'Keine',
  documentation: 'Dokumentation',
  file: 'Dateien',
  files: {
    onRequest: 'Ein Link auf Anfrage, wenn das Video fertig ist',
    link: 'Ein Link zum fertigen Video',
    linkForMinutes: (minutes) =>
      `Ein Link, der ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} gilt. Spool lädt sofort herunter.`,
    linkForHours: (hours) =>
      `Ein Link, der ${hours === 1 ? 'eine Stunde' : `${hours} Stunden`} gilt. Spool lädt sofort herunter.`,
    linkForDays: (days) => `Ein Link, der ${days} Tage gilt`,
    withKey: 'Vom Dienst selbst, mit Ihrem Schlüssel',
  },
  limitsLabel: 'Grenzen',
  limits: {
    sent: (count, span) => `${count} Anfragen ${span}`,
    assumed: (said) => `${said} (nicht dokumentiert, daher vorsichtig)`,
    atATime: (count) =>
      count === 1 ? 'ein Video wird gleichzeitig gerendert' : `${count} Videos gleichzeitig`,
    cap: (count, span) => `höchstens ${count} Videos ${span}`,
    spans: { minute: 'pro Minute', hour: 'pro Stunde', day: 'am Tag', month: 'im Monat' },
    seconds: (seconds) => `in ${seconds} Sekunden`,
  },
  triedShort: {
    never: 'Ungetestet',
    'by-examples': 'Mit Beispielen getestet',
    'by-a-finished-video': 'Getestet',
  },
  triedMeans: {
    never: (date) =>
      date === null
        ? 'Spool wurde mit diesem Dienst noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.'
        : `Spool folgt der Dokumentation vom ${date} und wurde mit dem echten Dienst noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.`,
    'by-examples': (date) =>
      date === null
        ? 'Spool liest die Beispielantworten und wurde mit dem echten Dienst noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.'
        : `Spool folgt der Dokumentation vom ${date} und liest die Beispielantworten. Mit dem echten Dienst wurde es noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.`,
    'by-a-finished-video': () => 'Spool hat mit diesem Dienst ein Video gerendert und gespeichert.',
  },

  keySentence: (name) =>
    `Erstellen Sie in Ihrem Konto bei ${name} einen API-Schlüssel und fügen Sie ihn hier ein.`,
  goes: 'Wohin Ihre Daten gehen',
  addressOf: (name) => `Adresse von ${name}`,
  replaced: {
    title: (name) => `${name} verwendet diese Adresse bereits`,
    sentence: (videos, origin) =>
      `Profil und Schlüssel für ${origin} würden ersetzt.${
        videos === 0
          ? ''
          : ` Für ${videos === 1 ? 'ein unfertiges Video' : `${videos} unfertige Videos`} dort gilt dann das neue Profil.`
      }`,
    cannot: (videos, origin) =>
      `${videos === 1 ? 'Ein Video' : `${videos} Videos`} bei ${origin} ${videos === 1 ? 'ist' : 'sind'} nicht fertig und ${videos === 1 ? 'lässt' : 'lassen'} sich mit einem Profil, das andere Anfragen sendet, nicht fortsetzen. Es wurde nichts geändert. Ersetzen Sie das Profil, sobald ${videos === 1 ? 'es gespeichert oder abgebrochen ist' : 'sie gespeichert oder abgebrochen sind'}.`,
    replace: 'Ersetzen',
  },
  addressFault: 'Geben Sie die Adresse an, zum Beispiel https://api.example.com',

  examples: {
    title: 'Dienst hinzufügen',
    sentence:
      'Kopieren Sie Beispiele aus seiner Dokumentation. Den Rest ermittelt Spool, und Sie prüfen ihn, bevor etwas verwendet wird.',
    make: 'Video rendern',
    status: 'Status abfragen',
    more: 'Weitere Beispiele',
    moreHint: 'Nur wenn die Dokumentation sie enthält.',
    request: 'Anfrage',
    requestHint:
      'Der curl-Befehl, Python mit requests, eine HTTP-Anfrage oder die Adresse mit dem JSON.',
    response: 'Antwort',
    statusRequest: 'Statusanfrage oder ihre Adresse',
    statusResponses: 'Statusantworten',
    statusResponsesHint: 'So viele wie vorhanden, eine davon von einem fertigen Video.',
    file: 'Anfrage nach der Datei oder ihrem Link',
    fileResponse: 'Antwort mit dem Link',
    cancel: 'Anfrage, ein Video abzubrechen',
    list: 'Anfrage nach einer Liste von Videos',
    listHint: 'Kostet nichts und zeigt, ob der Schlüssel gilt.',
    noRequest: 'Keine Anfrage gefunden. Fügen Sie das Beispiel für curl oder Python ein.',

    understood: 'Was Spool verstanden hat',
    empty: 'Fügen Sie zuerst die Anfrage nach einem Video ein.',
    unreadable:
      'Spool konnte die Beispiele nicht lesen. Ändern Sie eines, um es noch einmal zu versuchen.',
    keyRemoved: 'Schlüssel entfernt',
    keyRemovedMeans:
      'Ein Beispiel enthielt einen Schlüssel. Er wird nicht gespeichert. Spool fragt im nächsten Schritt nach Ihrem Schlüssel und legt ihn nur im Schlüsselbund ab.',
    needsMore: 'Die Beispiele zeigen nicht alles, was zum Fortfahren nötig ist.',
    correctFields: 'Korrigieren Sie die markierten Felder, um fortzufahren.',
    missingTitle: 'In den Beispielen nicht gefunden',
    missing: {
      body: 'Ein Inhalt, den Spool senden kann: JSON oder ein Formular mit Teilen (curl -F)',
      text: 'Ein Text, der von Video zu Video anders ist',
      id: 'Die Kennung des Videos in der Antwort',
      'status-path': 'Wo der Status abgefragt wird',
      status: 'Was jeder Status bedeutet',
      done: 'Der Status eines fertigen Videos',
      link: 'Der Link zur Datei',
    },
    tried: {
      never:
        'Die Beispiele zeigen nicht alles, was Spool braucht. Wenn Sie fortfahren, beginnen Sie mit einem Video.',
      'by-examples':
        'Spool liest die Beispiele von der Anfrage bis zur Datei. Gerendert wurde noch kein Video, beginnen Sie also mit einem.',
    },

    service: 'Dienst',
    name: 'Name des Dienstes',
    address: 'Adresse',
    addressHint: 'Leer: wird mit dem Schlüssel eingegeben.',
    keyHeader: 'Header mit dem Schlüssel',
    keyScheme: 'Wort vor dem Schlüssel',
    keySchemeHint: 'Oft Bearer, oder keines.',
    paths: 'Pfade',
    makePath: 'Video rendern (POST)',
    statusPath: 'Statusabfrage (GET)',
    statusPathHint: 'Fügen Sie die Statusanfrage ein oder geben Sie ihren Pfad an.',
    filePath: 'Datei (GET)',
    filePathHint: 'Leer: Der Link steht im Status.',
    statusAt: 'Die Adresse des Status steht in der Antwort auf die Anfrage.',
    columns: 'Spalten',
    columnsHint: 'Was von Video zu Video anders ist, kommt aus Ihrer Tabelle.',
    required: 'Erforderlich',
    noColumns: 'Keine. Alle Videos wären gleich.',
    leftOut: (names) => `Nicht gesendet: ${names}`,
    responses: 'Antworten',
    fileItself: 'Die Datei selbst, mit dem Schlüssel',
    limits: 'Grenzen und Kosten',
    requests: 'Anfragen',
    span: 'Pro',
    spans: { minute: 'Minute', hour: 'Stunde', day: 'Tag' },
    concurrent: 'Videos gleichzeitig',
    concurrentHint: 'Leer: keine Grenze.',
    assumed: 'Angenommen, denn Beispiele sagen es nicht.',
    cost: 'Kosten pro Video',
    costHint: 'Leer: nicht bekannt.',
    costUnit: 'Einheit',
    credits: 'Credits',
    editJson: 'Als JSON bearbeiten',
  },

  ownTitle: 'Dienst beschreiben',
  ownSentence: {
    services:
      'Ein Dienstprofil sagt, wohin Anfragen gehen, wie der Schlüssel gesendet wird und wie Antworten gelesen werden. Es beginnt mit einem vollständigen; ändern Sie, was anders ist.',
    examples:
      'Ein Dienstprofil sagt, wohin Anfragen gehen, wie der Schlüssel gesendet wird und wie Antworten gelesen werden. Es beginnt mit dem, was Ihre Beispiele zeigen.',
  },
  ownText: 'Dienstprofil, JSON',
  ownHint: 'Die Felder sind in docs/service-profiles.md erklärt.',
  notJson: 'Das ist kein JSON',
  examplesTitle: 'Beispielantworten',
  examplesHint: 'Fügen Sie sie aus der Dokumentation ein, um zu sehen, was das Profil liest.',
  exampleGenerate: 'Antwort auf eine Anfrage nach einem Video',
  exampleStatus: 'Antworten auf Statusanfragen',
  faults: (count) => (count === 1 ? 'Ein Fehler' : `${count} Fehler`),
  sound: 'Keine Fehler',
  readId: (id) => `Die Kennung des Videos ist ${id}.`,
  readNoId: 'In der Antwort auf eine Anfrage wird keine Kennung gefunden.',
  readStatus: (word, meaning) => `„${word}“ bedeutet ${meaning}.`,
  readUnknown: (word) => `„${word}“ kennt das Profil nicht.`,
  readNoStatus: 'Es wird kein Status gefunden.',
  continue: 'Weiter',
};
