/** Texts of the first start. */
export const welcomeTexts = {
  title: { en: 'Your first video', de: 'Ihr erstes Video' },
  sentence: {
    en: 'Turn each row of a spreadsheet into a video.\nWhere should they be rendered?',
    de: 'Spool macht aus jeder Zeile einer Tabelle ein Video.\nWo sollen die Videos gerendert werden?',
  },
  here: {
    title: { en: 'On this computer', de: 'Auf diesem Computer' },
    sentence: {
      en: 'No account, no key. Spool renders a few short sample videos, and the first one plays here.',
      de: 'Ohne Konto, ohne Schlüssel. Spool rendert ein paar kurze Beispielvideos, und das erste läuft gleich hier.',
    },
    button: { en: 'Try it on this computer', de: 'Hier ausprobieren' },
  },
  own: {
    title: { en: 'With your account', de: 'Mit Ihrem Konto' },
    sentence: {
      en: 'At a service where you have an account. Spool needs its API key, which stays in the system’s keychain.',
      de: 'Bei einem Dienst, bei dem Sie ein Konto haben. Spool braucht dessen API-Schlüssel; er bleibt im Schlüsselbund des Systems.',
    },
    button: { en: 'Use my key', de: 'Meinen Schlüssel verwenden' },
  },

  /** @param service its name; `null` for this computer */
  ready: {
    en: (service: string | null) =>
      `Spreadsheet ready? Drop it on this window to render it ${service === null ? 'on this computer' : `with ${service}`}.`,
    de: (service: string | null) =>
      `Ist Ihre Tabelle fertig? Ziehen Sie sie in dieses Fenster, um sie ${service === null ? 'auf diesem Computer' : `bei ${service}`} zu rendern.`,
  },
  later: { en: 'Later', de: 'Später' },
  laterHint: {
    en: 'You can come back from the empty queue or the command palette.',
    de: 'Über die leere Warteschlange und die Befehlsliste kommen Sie hierher zurück.',
  },
  back: { en: 'Back', de: 'Zurück' },
  notNow: {
    en: 'Nothing was rendered or spent.',
    de: 'Es wurde nichts gerendert oder verbraucht.',
  },

  starting: { en: 'Getting this computer ready', de: 'Dieser Computer wird vorbereitet' },
  startingSentence: {
    en: 'The renderer on this computer is starting.',
    de: 'Der Renderer auf diesem Computer wird gestartet.',
  },
  making: { en: 'Rendering your first video', de: 'Ihr erstes Video wird gerendert' },
  makingOthers: { en: 'Sample videos', de: 'Die Beispielvideos' },
  firstSaved: { en: 'Your first video is saved', de: 'Ihr erstes Video ist gespeichert' },
  readySentence: {
    en: (folder: string) => `It is in ${folder}.`,
    de: (folder: string) => `Es liegt in ${folder}.`,
  },
  ended: {
    en: 'The first video could not be rendered',
    de: 'Das erste Video konnte nicht gerendert werden',
  },
  endedSentence: {
    en: 'None of the sample videos could be rendered. The first one shows why.',
    de: 'Keines der Beispielvideos konnte gerendert werden. Beim ersten steht, warum.',
  },
  addOwn: { en: 'Add your own videos', de: 'Eigene Videos hinzufügen' },
  toQueue: { en: 'Go to the queue', de: 'Zur Warteschlange' },
  noSample: {
    en: 'The sample is not installed here',
    de: 'Das Beispiel ist hier nicht installiert',
  },
  noSampleSentence: {
    en: 'Everything else is ready: add your own videos.',
    de: 'Alles andere ist bereit: Fügen Sie eigene Videos hinzu.',
  },

  keyTitle: { en: 'Your service', de: 'Ihr Dienst' },
  keySentence: {
    en: 'You find the address and the key in your account at the service, under Settings, Developer API.',
    de: 'Adresse und Schlüssel finden Sie in Ihrem Konto beim Dienst unter Settings, Developer API.',
  },
  address: { en: 'Address', de: 'Adresse' },
  plan: { en: 'Plan', de: 'Tarif' },
  planHint: {
    en: 'The service doesn’t report your plan, so choose it here.',
    de: 'Der Dienst nennt Ihren Tarif nicht; wählen Sie ihn hier.',
  },
  keyHint: {
    en: (origin: string | null) =>
      origin === null ? 'It is shown there once.' : `It is only ever sent to ${origin}.`,
    de: (origin: string | null) =>
      origin === null ? 'Er wird dort nur einmal gezeigt.' : `Er wird nur an ${origin} gesendet.`,
  },
  connect: { en: 'Connect', de: 'Verbinden' },
  connecting: { en: 'Connecting…', de: 'Wird verbunden …' },
  connected: { en: 'Connected', de: 'Verbunden' },
  connectedSentence: {
    en: (origin: string) => `${origin} accepts the key.`,
    de: (origin: string) => `${origin} nimmt den Schlüssel an.`,
  },
  checks: { en: 'Checks of the service', de: 'Prüfung des Dienstes' },
  checkNames: {
    address: { en: 'Address', de: 'Adresse' },
    certificate: { en: 'Certificate', de: 'Zertifikat' },
    key: { en: 'Key', de: 'Schlüssel' },
    balance: { en: 'Balance', de: 'Guthaben' },
  },
  checkPassed: {
    address: { en: 'reached', de: 'erreicht' },
    certificate: { en: 'trusted', de: 'vertrauenswürdig' },
    key: { en: 'accepted', de: 'angenommen' },
    balance: { en: 'read', de: 'gelesen' },
  },
  checkFailed: {
    address: { en: 'not reached', de: 'nicht erreicht' },
    certificate: { en: 'not trusted', de: 'nicht vertrauenswürdig' },
    key: { en: 'not accepted', de: 'nicht angenommen' },
    balance: { en: 'not readable', de: 'nicht lesbar' },
  },
  checkRunning: { en: 'checking…', de: 'wird geprüft …' },
  checkWaiting: { en: 'not checked', de: 'nicht geprüft' },
  nothingSaved: { en: 'Nothing has been saved.', de: 'Es wurde noch nichts gespeichert.' },
  saveAnyway: { en: 'Save anyway', de: 'Trotzdem speichern' },
  unanswered: { en: 'The key is not tested yet', de: 'Der Schlüssel ist noch nicht geprüft' },
  unansweredSentence: {
    en: (origin: string, isFixed: boolean) =>
      `${origin} did not answer. ${isFixed ? '' : 'Check the address. '}Spool tests the key again automatically.`,
    de: (origin: string, isFixed: boolean) =>
      `${origin} hat nicht geantwortet. ${isFixed ? 'Der' : 'Prüfen Sie die Adresse; der'} Schlüssel wird automatisch erneut geprüft.`,
  },
  inMemory: {
    en: 'The keychain could not save the key',
    de: 'Der Schlüsselbund konnte den Schlüssel nicht speichern',
  },
  untrustedSentence: {
    en: (origin: string) =>
      `The key was not sent to ${origin}. If the service has a custom certificate, add it.`,
    de: (origin: string) =>
      `Der Schlüssel wurde nicht an ${origin} gesendet. Hat der Dienst ein eigenes Zertifikat, fügen Sie es hinzu.`,
  },
  changeAddress: { en: 'Change the address', de: 'Adresse ändern' },
  changeKey: { en: 'Change key', de: 'Schlüssel ändern' },
  anotherService: { en: 'Choose another service', de: 'Anderen Dienst wählen' },
};
