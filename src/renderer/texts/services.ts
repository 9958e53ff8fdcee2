import { noRequest } from './unread-requests.ts';

/** Texts about the choice of a service. */
export const serviceTexts = {
  title: { en: 'Choose a service', de: 'Dienst wählen' },
  sentence: {
    en: 'Where your videos are rendered. Every service has its own account, key and prices.',
    de: 'Hier werden Ihre Videos gerendert. Jeder Dienst hat ein eigenes Konto, einen eigenen Schlüssel und eigene Preise.',
  },
  search: { en: 'Search services', de: 'Dienste durchsuchen' },
  list: { en: 'Services', de: 'Dienste' },
  none: { en: 'No service of this name', de: 'Kein Dienst mit diesem Namen' },
  noneMeans: {
    en: 'Any other service can be added with examples from its documentation.',
    de: 'Jeder andere Dienst lässt sich mit Beispielen aus seiner Dokumentation hinzufügen.',
  },
  unreadable: {
    en: 'The services could not be read',
    de: 'Die Dienste konnten nicht gelesen werden',
  },
  documented: { en: 'Video Generation Service', de: 'Video Generation Service' },
  documentedMeans: {
    en: 'A service with the Video Generation Service API. You need its address and a key that begins with svc_live_.',
    de: 'Ein Dienst mit der Video Generation Service API. Sie brauchen seine Adresse und einen Schlüssel, der mit svc_live_ beginnt.',
  },
  hereMeans: {
    en: 'Spool renders storyboards itself. No account, no key, nothing leaves this computer.',
    de: 'Spool rendert Storyboards selbst. Ohne Konto, ohne Schlüssel, und nichts verlässt diesen Computer.',
  },
  practice: { en: 'Practice account', de: 'Übungskonto' },
  practiceMeans: {
    en: 'Try out a batch before you pay for it: this computer applies the limits and the monthly quota of a plan that you choose. Rendering stays free.',
    de: 'Probieren Sie einen Stapel aus, bevor Sie dafür bezahlen: Auf diesem Computer gelten die Limits und das Monatskontingent eines Tarifs, den Sie wählen. Das Rendern bleibt kostenlos.',
  },
  saved: { en: 'Yours', de: 'Eigener' },
  another: { en: 'Add another service…', de: 'Anderen Dienst hinzufügen …' },
  adapt: { en: 'Adapt…', de: 'Anpassen …' },
  use: { en: 'Use this service', de: 'Diesen Dienst verwenden' },
  useHere: { en: 'Render on this computer', de: 'Auf diesem Computer rendern' },
  usePractice: { en: 'Practise on this computer', de: 'Auf diesem Computer üben' },
  hereChosen: {
    en: 'Videos are rendered on this computer',
    de: 'Videos werden auf diesem Computer gerendert',
  },
  practiceChosen: { en: 'The practice account is in use', de: 'Das Übungskonto wird verwendet' },

  cost: { en: 'Cost', de: 'Kosten' },
  costUnknown: {
    en: 'Spool does not know. See the service’s price list.',
    de: 'Spool kennt sie nicht. Sehen Sie in die Preisliste des Dienstes.',
  },
  oneOfPlan: { en: 'One of the videos in your plan', de: 'Eines der Videos Ihres Tarifs' },
  estimate: { en: (cost: string) => `About ${cost}`, de: (cost: string) => `Etwa ${cost}` },
  free: { en: 'Free', de: 'Kostenlos' },
  aVideo: {
    en: (amount: string) => `${amount} a video`,
    de: (amount: string) => `${amount} pro Video`,
  },
  bySeconds: { en: 'by the seconds of video', de: 'nach Sekunden Video' },
  forEach: {
    en: (amount: string, column: string) => `${amount} × ${column}`,
    de: (amount: string, column: string) => `${amount} × ${column}`,
  },
  forEachBetween: {
    en: (least: string, most: string, column: string) => `${least} to ${most} × ${column}`,
    de: (least: string, most: string, column: string) => `${least} bis ${most} × ${column}`,
  },
  units: {
    video: {
      en: (count: string, amount: number) => `${count} ${amount === 1 ? 'video' : 'videos'}`,
      de: (count: string, amount: number) => `${count} ${amount === 1 ? 'Video' : 'Videos'}`,
    },
    second: {
      en: (count: string, amount: number) =>
        `${count} ${amount === 1 ? 'second' : 'seconds'} of video`,
      de: (count: string, amount: number) =>
        `${count} ${amount === 1 ? 'Sekunde' : 'Sekunden'} Video`,
    },
    credit: {
      en: (count: string, amount: number) => `${count} ${amount === 1 ? 'credit' : 'credits'}`,
      de: (count: string, amount: number) => `${count} ${amount === 1 ? 'Credit' : 'Credits'}`,
    },
  },
  needs: { en: 'Needs', de: 'Voraussetzung' },
  needsKey: {
    en: (name: string) => `An API key from your account at ${name}`,
    de: (name: string) => `Ein API-Schlüssel aus Ihrem Konto bei ${name}`,
  },
  needsAddressAndKey: {
    en: 'Its address and an API key from your account there',
    de: 'Seine Adresse und ein API-Schlüssel aus Ihrem Konto dort',
  },
  needsNothing: { en: 'Nothing', de: 'Keine' },
  documentation: { en: 'Documentation', de: 'Dokumentation' },
  file: { en: 'Files', de: 'Dateien' },
  files: {
    onRequest: {
      en: 'A link, asked for when the video is finished',
      de: 'Ein Link auf Anfrage, wenn das Video fertig ist',
    },
    link: { en: 'A link, with the finished video', de: 'Ein Link zum fertigen Video' },
    linkForMinutes: {
      en: (minutes: number) =>
        `A link that works for ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Spool downloads at once.`,
      de: (minutes: number) =>
        `Ein Link, der ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} gilt. Spool lädt sofort herunter.`,
    },
    linkForHours: {
      en: (hours: number) =>
        `A link that works for ${hours === 1 ? 'an hour' : `${hours} hours`}. Spool downloads at once.`,
      de: (hours: number) =>
        `Ein Link, der ${hours === 1 ? 'eine Stunde' : `${hours} Stunden`} gilt. Spool lädt sofort herunter.`,
    },
    linkForDays: {
      en: (days: number) => `A link that works for ${days} days`,
      de: (days: number) => `Ein Link, der ${days} Tage gilt`,
    },
    withKey: {
      en: 'From the service itself, with your key',
      de: 'Vom Dienst selbst, mit Ihrem Schlüssel',
    },
  },
  limitsLabel: { en: 'Limits', de: 'Limits' },
  limits: {
    sent: {
      en: (count: string, span: string) => `${count} requests ${span}`,
      de: (count: string, span: string) => `${count} Anfragen ${span}`,
    },
    assumed: {
      en: (said: string) => `${said} (not documented, so Spool is careful)`,
      de: (said: string) => `${said} (nicht dokumentiert, daher vorsichtig)`,
    },
    atATime: {
      en: (count: number) =>
        count === 1 ? 'one video rendered at a time' : `${count} videos rendered at a time`,
      de: (count: number) =>
        count === 1 ? 'ein Video auf einmal' : `${count} Videos gleichzeitig`,
    },
    cap: {
      en: (count: string, span: string) => `at most ${count} videos ${span}`,
      de: (count: string, span: string) => `höchstens ${count} Videos ${span}`,
    },
    spans: {
      minute: { en: 'a minute', de: 'pro Minute' },
      hour: { en: 'an hour', de: 'pro Stunde' },
      day: { en: 'a day', de: 'am Tag' },
      month: { en: 'a month', de: 'im Monat' },
    },
    seconds: {
      en: (seconds: number) => `in ${seconds} seconds`,
      de: (seconds: number) => `in ${seconds} Sekunden`,
    },
  },
  triedShort: {
    never: { en: 'Untested', de: 'Ungetestet' },
    'by-examples': { en: 'Tested with examples', de: 'Mit Beispielen getestet' },
    'by-a-finished-video': { en: 'Tested', de: 'Getestet' },
  },
  triedMeans: {
    never: {
      en: (date: string | null) =>
        date === null
          ? 'Spool has not been tested with this service yet. Render one video before a batch.'
          : `Spool follows its documentation as of ${date} and has not been tested with the real service yet. Render one video before a batch.`,
      de: (date: string | null) =>
        date === null
          ? 'Spool wurde mit diesem Dienst noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.'
          : `Spool folgt der Dokumentation vom ${date} und wurde mit dem echten Dienst noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.`,
    },
    'by-examples': {
      en: (date: string | null) =>
        date === null
          ? 'Spool reads its example responses and has not been tested with the real service yet. Render one video before a batch.'
          : `Spool follows its documentation as of ${date} and reads its example responses. It has not been tested with the real service yet. Render one video before a batch.`,
      de: (date: string | null) =>
        date === null
          ? 'Spool liest die Beispielantworten und wurde mit dem echten Dienst noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.'
          : `Spool folgt der Dokumentation vom ${date} und liest die Beispielantworten. Mit dem echten Dienst wurde es noch nicht getestet. Rendern Sie vor einem Stapel ein einzelnes Video.`,
    },
    'by-a-finished-video': {
      en: () => 'Spool has rendered and saved a video with this service.',
      de: () => 'Spool hat mit diesem Dienst ein Video gerendert und gespeichert.',
    },
  },

  keySentence: {
    en: (name: string) => `Create an API key in your account at ${name} and paste it here.`,
    de: (name: string) =>
      `Erstellen Sie in Ihrem Konto bei ${name} einen API-Schlüssel und fügen Sie ihn hier ein.`,
  },
  goes: { en: 'Where your data goes', de: 'Wohin Ihre Daten gehen' },
  addressOf: {
    en: (name: string) => `Address of ${name}`,
    de: (name: string) => `Adresse von ${name}`,
  },
  replaced: {
    title: {
      en: (name: string) => `${name} already uses this address`,
      de: (name: string) => `${name} verwendet diese Adresse bereits`,
    },
    sentence: {
      en: (videos: number, origin: string) =>
        `Its profile and its key at ${origin} would be replaced.${
          videos === 0
            ? ''
            : ` ${videos === 1 ? 'One unfinished video there uses' : `${videos} unfinished videos there use`} the new profile from then on.`
        }`,
      de: (videos: number, origin: string) =>
        `Profil und Schlüssel für ${origin} würden ersetzt.${
          videos === 0
            ? ''
            : ` Für ${videos === 1 ? 'ein unfertiges Video' : `${videos} unfertige Videos`} dort gilt dann das neue Profil.`
        }`,
    },
    cannot: {
      en: (videos: number, origin: string) =>
        `${videos === 1 ? 'One video' : `${videos} videos`} at ${origin} ${videos === 1 ? 'is' : 'are'} not finished and cannot continue with a profile that makes other requests. Nothing was changed. Replace the profile once ${videos === 1 ? 'it is' : 'they are'} saved or cancelled.`,
      de: (videos: number, origin: string) =>
        `${videos === 1 ? 'Ein Video' : `${videos} Videos`} bei ${origin} ${videos === 1 ? 'ist' : 'sind'} nicht fertig und ${videos === 1 ? 'lässt' : 'lassen'} sich mit einem Profil, das andere Anfragen sendet, nicht fortsetzen. Es wurde nichts geändert. Ersetzen Sie das Profil, sobald ${videos === 1 ? 'es gespeichert oder abgebrochen ist' : 'sie gespeichert oder abgebrochen sind'}.`,
    },
    replace: { en: 'Replace', de: 'Ersetzen' },
  },
  addressIssue: {
    en: 'Enter the address, such as https://api.example.com',
    de: 'Geben Sie die Adresse an, zum Beispiel https://api.example.com',
  },

  examples: {
    title: { en: 'Add a service', de: 'Dienst hinzufügen' },
    sentence: {
      en: 'Copy examples from its documentation. Spool works out the rest, and you check it before anything is used.',
      de: 'Kopieren Sie Beispiele aus seiner Dokumentation. Den Rest ermittelt Spool, und Sie prüfen ihn, bevor etwas verwendet wird.',
    },
    make: { en: 'Rendering a video', de: 'Video rendern' },
    status: { en: 'Asking for its status', de: 'Status abfragen' },
    more: { en: 'More examples', de: 'Weitere Beispiele' },
    moreHint: {
      en: 'Only where the documentation has them.',
      de: 'Nur wenn die Dokumentation sie enthält.',
    },
    request: { en: 'Request', de: 'Anfrage' },
    requestHint: {
      en: 'A curl, wget or HTTPie command, an HTTP request, or the address with its JSON.',
      de: 'Ein Befehl für curl, wget oder HTTPie, eine HTTP-Anfrage oder die Adresse mit dem JSON.',
    },
    response: { en: 'Response', de: 'Antwort' },
    statusRequest: { en: 'Status request or its address', de: 'Statusanfrage oder ihre Adresse' },
    statusResponses: { en: 'Status responses', de: 'Statusantworten' },
    statusResponsesHint: {
      en: 'As many as there are, one of them of a finished video.',
      de: 'So viele wie vorhanden, eine davon von einem fertigen Video.',
    },
    file: { en: 'Request for the file or its link', de: 'Anfrage nach der Datei oder ihrem Link' },
    fileResponse: { en: 'Response with the link', de: 'Antwort mit dem Link' },
    upload: { en: 'Request to upload a picture', de: 'Anfrage, ein Bild hochzuladen' },
    uploadResponse: { en: 'Response to the upload', de: 'Antwort auf das Hochladen' },
    cancel: { en: 'Request to cancel a video', de: 'Anfrage, ein Video abzubrechen' },
    list: { en: 'Request for a list of videos', de: 'Anfrage nach einer Liste von Videos' },
    listHint: {
      en: 'Costs nothing, and shows whether the key is good.',
      de: 'Kostet nichts und zeigt, ob der Schlüssel gilt.',
    },
    noRequest,

    understood: { en: 'What Spool understood', de: 'Was Spool verstanden hat' },
    empty: {
      en: 'Paste the request for a video to begin.',
      de: 'Fügen Sie zuerst die Anfrage nach einem Video ein.',
    },
    unreadable: {
      en: 'Spool could not read the examples. Change one to try again.',
      de: 'Spool konnte die Beispiele nicht lesen. Ändern Sie eines, um es noch einmal zu versuchen.',
    },
    keyRemoved: { en: 'Key removed', de: 'Schlüssel entfernt' },
    keyRemovedMeans: {
      en: 'An example contained a key. It is not saved. Spool asks for your key in the next step and stores it in the keychain only.',
      de: 'Ein Beispiel enthielt einen Schlüssel. Er wird nicht gespeichert. Spool fragt im nächsten Schritt nach Ihrem Schlüssel und legt ihn nur im Schlüsselbund ab.',
    },
    needsMore: {
      en: 'The examples do not show all that is needed to continue.',
      de: 'Die Beispiele zeigen nicht alles, was zum Fortfahren nötig ist.',
    },
    correctFields: {
      en: 'Correct the marked fields to continue.',
      de: 'Korrigieren Sie die markierten Felder, um fortzufahren.',
    },
    missingTitle: { en: 'Not found in the examples', de: 'In den Beispielen nicht gefunden' },
    missing: {
      body: {
        en: 'A body that Spool can send: JSON, or a form with parts (curl -F)',
        de: 'Ein Inhalt, den Spool senden kann: JSON oder ein Formular mit Teilen (curl -F)',
      },
      text: {
        en: 'A text that differs from video to video',
        de: 'Ein Text, der von Video zu Video anders ist',
      },
      id: {
        en: 'The video’s identifier in the response',
        de: 'Die Kennung des Videos in der Antwort',
      },
      'status-path': { en: 'Where the status is asked for', de: 'Wo der Status abgefragt wird' },
      status: { en: 'What each status means', de: 'Was jeder Status bedeutet' },
      done: { en: 'The status of a finished video', de: 'Der Status eines fertigen Videos' },
      link: { en: 'The link to the file', de: 'Der Link zur Datei' },
      upload: { en: 'An upload that the request names', de: 'Ein Upload, den die Anfrage nennt' },
      'file-id': {
        en: 'A file at an address that Spool can know: this one needs another identifier than the video’s',
        de: 'Eine Datei unter einer Adresse, die Spool kennen kann: Diese braucht eine andere Kennung als die des Videos',
      },
    },
    tried: {
      never: {
        en: 'The examples do not show all that Spool needs. If you continue, begin with one video.',
        de: 'Die Beispiele zeigen nicht alles, was Spool braucht. Wenn Sie fortfahren, beginnen Sie mit einem Video.',
      },
      'by-examples': {
        en: 'Spool reads the examples from the request to the file. No video was rendered yet, so begin with one.',
        de: 'Spool liest die Beispiele von der Anfrage bis zur Datei. Gerendert wurde noch kein Video, beginnen Sie also mit einem.',
      },
    },

    service: { en: 'Service', de: 'Dienst' },
    name: { en: 'Service name', de: 'Name des Dienstes' },
    address: { en: 'Address', de: 'Adresse' },
    addressHint: {
      en: 'Empty: entered with the key.',
      de: 'Leer: wird mit dem Schlüssel eingegeben.',
    },
    keyHeader: { en: 'Header with the key', de: 'Header mit dem Schlüssel' },
    keyScheme: { en: 'Word before the key', de: 'Wort vor dem Schlüssel' },
    keySchemeHint: { en: 'Often Bearer, or none.', de: 'Oft Bearer, oder keines.' },
    paths: { en: 'Paths', de: 'Pfade' },
    makePath: { en: 'Render a video (POST)', de: 'Video rendern (POST)' },
    statusPath: { en: 'Status (GET)', de: 'Statusabfrage (GET)' },
    statusPathHint: {
      en: 'Paste the status request, or enter its path.',
      de: 'Fügen Sie die Statusanfrage ein oder geben Sie ihren Pfad an.',
    },
    filePath: { en: 'File (GET)', de: 'Datei (GET)' },
    filePathHint: { en: 'Empty: the status has the link.', de: 'Leer: Der Link steht im Status.' },
    statusAt: {
      en: 'The response to the request has the address of the status.',
      de: 'Die Adresse des Status steht in der Antwort auf die Anfrage.',
    },
    columns: { en: 'Columns', de: 'Spalten' },
    columnsHint: {
      en: 'What differs from video to video comes from your table.',
      de: 'Was von Video zu Video anders ist, kommt aus Ihrer Tabelle.',
    },
    required: { en: 'Required', de: 'Erforderlich' },
    noColumns: {
      en: 'None. Every video would be the same.',
      de: 'Keine. Alle Videos wären gleich.',
    },
    leftOut: {
      en: (names: string) => `Not sent: ${names}`,
      de: (names: string) => `Nicht gesendet: ${names}`,
    },
    responses: { en: 'Responses', de: 'Antworten' },
    fileItself: { en: 'The file itself, with the key', de: 'Die Datei selbst, mit dem Schlüssel' },
    limits: { en: 'Limits and cost', de: 'Limits und Kosten' },
    requests: { en: 'Requests', de: 'Anfragen' },
    span: { en: 'Per', de: 'Pro' },
    spans: {
      minute: { en: 'Minute', de: 'Minute' },
      hour: { en: 'Hour', de: 'Stunde' },
      day: { en: 'Day', de: 'Tag' },
    },
    concurrent: { en: 'Videos at a time', de: 'Videos gleichzeitig' },
    concurrentHint: { en: 'Empty: no limit.', de: 'Leer: ohne Limit.' },
    assumed: {
      en: 'Assumed, because examples do not say.',
      de: 'Angenommen, denn Beispiele sagen es nicht.',
    },
    cost: { en: 'Cost per video', de: 'Kosten pro Video' },
    costHint: { en: 'Empty: not known.', de: 'Leer: nicht bekannt.' },
    costUnit: { en: 'Unit', de: 'Einheit' },
    credits: { en: 'Credits', de: 'Credits' },
    editJson: { en: 'Edit as JSON', de: 'Als JSON bearbeiten' },
  },

  ownTitle: { en: 'Describe a service', de: 'Dienst beschreiben' },
  ownSentence: {
    services: {
      en: 'A service profile says where requests go, how the key is sent and how responses are read. It begins with one that works; change what is different.',
      de: 'Ein Dienstprofil sagt, wohin Anfragen gehen, wie der Schlüssel gesendet wird und wie Antworten gelesen werden. Es beginnt mit einem vollständigen; ändern Sie, was anders ist.',
    },
    examples: {
      en: 'A service profile says where requests go, how the key is sent and how responses are read. It begins with what your examples show.',
      de: 'Ein Dienstprofil sagt, wohin Anfragen gehen, wie der Schlüssel gesendet wird und wie Antworten gelesen werden. Es beginnt mit dem, was Ihre Beispiele zeigen.',
    },
  },
  ownText: { en: 'Service profile, JSON', de: 'Dienstprofil, JSON' },
  ownHint: {
    en: 'The fields are explained in docs/service-profiles.md.',
    de: 'Die Felder sind in docs/service-profiles.md erklärt.',
  },
  notJson: { en: 'This is not JSON', de: 'Das ist kein JSON' },
  examplesTitle: { en: 'Example responses', de: 'Beispielantworten' },
  examplesHint: {
    en: 'Paste them from the documentation to see what the profile reads.',
    de: 'Fügen Sie sie aus der Dokumentation ein, um zu sehen, was das Profil liest.',
  },
  exampleGenerate: {
    en: 'Response to a request for a video',
    de: 'Antwort auf eine Anfrage nach einem Video',
  },
  exampleStatus: { en: 'Responses to a status request', de: 'Antworten auf Statusanfragen' },
  errors: {
    en: (count: number) => (count === 1 ? 'One error' : `${count} errors`),
    de: (count: number) => (count === 1 ? 'Ein Fehler' : `${count} Fehler`),
  },
  sound: { en: 'No errors', de: 'Keine Fehler' },
  readId: {
    en: (id: string) => `The video’s identifier is ${id}.`,
    de: (id: string) => `Die Kennung des Videos ist ${id}.`,
  },
  readNoId: {
    en: 'No identifier is found in the response to a request.',
    de: 'In der Antwort auf eine Anfrage wird keine Kennung gefunden.',
  },
  readStatus: {
    en: (word: string, meaning: string) => `“${word}” means ${meaning}.`,
    de: (word: string, meaning: string) => `„${word}“ bedeutet ${meaning}.`,
  },
  readUnknown: {
    en: (word: string) => `The profile does not know the status “${word}”.`,
    de: (word: string) => `„${word}“ kennt das Profil nicht.`,
  },
  readNoStatus: { en: 'No status is found.', de: 'Es wird kein Status gefunden.' },
  continue: { en: 'Continue', de: 'Weiter' },
};
