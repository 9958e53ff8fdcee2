import { GERMAN_MESSAGES as words } from '../../contract/german-messages.ts';
import { formatIn } from '../../contract/format-in.ts';
import type { enSettings } from './en-settings.ts';

const say = formatIn('de-DE');

export const deSettings: typeof enSettings = {
  parts: 'Bereiche der Einstellungen',
  sections: {
    service: 'Dienst',
    key: 'API-Schlüssel',
    plan: 'Tarif und Abrechnung',
    answers: 'Antwortzuordnung',
    files: 'Ordner und Namen',
    transfers: 'Übertragungen',
    notifications: 'Benachrichtigungen',
    start: 'Start und Updates',
    appearance: 'Darstellung',
    share: 'Import und Export',
  },
  saving: 'Wird gespeichert …',
  saved: 'Gespeichert',
  refused: 'Nicht gespeichert',
  unreadable: 'Die Einstellungen konnten nicht geladen werden',
  unreadableSentence: 'Versuchen Sie es erneut, sobald die Verbindung steht.',
  trouble: 'Die gespeicherten Einstellungen waren beschädigt',

  serviceHere: words['service-here'],
  address: 'Adresse',
  addressHint: 'Ohne /api/v1. Nur mit https.',
  addressFault: 'Eine Adresse sieht so aus: https://api.example.com',
  certificate: words['setting-certificate'],
  certificateLabel: 'Zertifizierungsstelle, PEM',
  certificateHint: 'Nur für einen Dienst, dem das System nicht von sich aus vertraut.',
  chooseService: 'Aus allen Diensten wählen …',
  serviceNow: (name) => `In Gebrauch: ${name}`,
  serviceWaits: 'Noch nicht gewechselt',
  serviceQueue: (count) =>
    count === '1'
      ? '1 unfertiges Video bleibt beim jetzigen Dienst und wird dort fertig.'
      : `${count} unfertige Videos bleiben beim jetzigen Dienst und werden dort fertig.`,
  serviceKey:
    'Jeder Dienst hat seinen eigenen Schlüssel; keiner wird je an eine andere Adresse gesendet.',
  serviceApply: 'Dienst wechseln',
  serviceApplying: 'Wird gewechselt …',
  serviceLeave: 'Nicht wechseln',
  serviceChanged: 'Der Dienst ist gewechselt',
  serviceOverridden: (origin) =>
    `Spool wurde diesmal mit ${origin} gestartet. Wenn Sie hier einen Dienst wählen, gilt dieser.`,

  practice: 'Mit Limits üben',
  practiceHint:
    'Zum Ausprobieren eines Stapels für einen kostenpflichtigen Dienst: Die dokumentierten Limits und das Monatskontingent eines Tarifs gelten dann auch hier. Bereits hier gerenderte Videos dieses Monats zählen mit.',
  practiceOff: 'Aus',

  plan: words['setting-plan'],
  plans: { custom: 'Ausgehandelt' },
  videosAMonth: (count) => `${count} Videos im Monat`,
  planSentence: 'Der Dienst nennt beides nicht; geben Sie es deshalb hier an.',
  planHere: 'Den Tarif des Übungskontos wählen Sie unter „Dienst“.',
  planNone: 'Für diesen Dienst gilt kein Tarif. Was er zulässt, steht in seinem Dienstprofil.',
  planOverridden:
    'Spool wurde diesmal mit einem Tarif gestartet. Wenn Sie hier einen wählen, gilt dieser.',
  planLimit: 'Videos im Monat',
  planLimitHint: 'Der Tarif wird gespeichert, sobald die Zahl eingegeben ist.',
  planLimitFault: 'Eine ganze Zahl von 1 bis 1.000.000',
  billingDate: words['setting-billing-date'],
  signUpDate: 'Tag der Anmeldung',
  billingDateHint: 'Ein beliebiger vergangener. Wenn leer: der Monatserste.',
  zone: words['setting-zone'],
  zoneHint: 'Der Dienst zählt in UTC, wenn er nichts anderes angibt.',
  planNow: (limit, date) => `Derzeit ${limit} Videos, Erneuerung am ${date}.`,

  filesSentence: 'Gilt für neue Stapel; vorhandene bleiben, wie sie sind.',
  folder: words['setting-folder'],
  folderHint: (folder) => `Zurzeit ${folder}. Wenn leer: der Standardordner.`,
  chooseFolder: 'Auswählen …',
  nameTemplate: words['setting-name-template'],
  nameTemplateHint:
    'In geschweiften Klammern: batch, index, title oder jede Spalte. Ein / legt einen Ordner an.',
  example: 'Zum Beispiel',
  exampleBatch: 'Startwoche',
  exampleTitle: 'Die Röster',
  collision: words['setting-collision'],
  collisionHints: {
    number: 'Vorhandene Dateien bleiben unberührt.',
    skip: 'Das Video wird nicht erstellt und kostet nichts.',
    replace: 'Die vorhandene Datei geht verloren.',
  },

  parallel: words['setting-parallel'],
  parallelHint: 'Mehr hilft nur, wenn jede einzelne langsam ist.',
  limitBandwidth: words['setting-bandwidth'],
  limitBandwidthHint: 'Gilt für alle Übertragungen zusammen, auch für laufende.',
  bandwidth: 'Megabyte pro Sekunde',
  bandwidthFault: 'Eine Zahl über 0, etwa 6 oder 2,5',
  allowVpnAddresses: words['setting-vpn'],
  allowVpnAddressesHint:
    'Manche VPNs und Mobilfunknetze geben jedem Server eine Adresse aus ihrem eigenen Netz. Standardmäßig aus, weil Spool nicht prüfen kann, wohin eine solche Adresse führt.',

  notifySentence: 'Das System zeigt sie an, auch wenn das Fenster geschlossen ist.',
  notifyInBrowser: {
    granted: 'Ihr Browser zeigt sie an, solange diese Seite im Hintergrund geöffnet ist.',
    default:
      'Ihr Browser kann Sie benachrichtigen, solange diese Seite im Hintergrund geöffnet ist.',
    denied:
      'Benachrichtigungen sind blockiert. Sie können sie in der Adressleiste Ihres Browsers erlauben.',
    missing: 'Dieser Browser unterstützt keine Benachrichtigungen. Die Desktop-App schon.',
  },
  allowNotifications: 'Benachrichtigungen erlauben',
  notify: {
    batchSaved: words['notify-batch-saved'],
    needsDecision: words['notify-needs-decision'],
    failed: words['notify-failed'],
  },
  notifyHints: {
    batchSaved: 'Einmal pro Stapel, nicht pro Video.',
    needsDecision: 'Ein ungewisses Video, ein abgelehnter Schlüssel, ein verbrauchtes Kontingent.',
    failed: 'Mehrere kurz nacheinander werden zusammen gemeldet.',
  },

  startUp: words['setting-start-up'],
  startUps: {
    'as-last-time': words['start-up-as-last-time'],
    run: words['start-up-run'],
    paused: words['start-up-paused'],
  },
  startUpHints: {
    'as-last-time': 'Pausiert, wenn Spool pausiert war; sonst geht es weiter.',
    run: 'Auch wenn Spool beim Beenden pausiert war.',
    paused: 'Es wird nichts gesendet, bis Sie die Warteschlange fortsetzen.',
  },
  updates: words['setting-updates'],
  updateHints: {
    stable: 'Werden zwischen Stapeln geladen und installiert, nie während einer läuft.',
    preview: 'Neues zuerst, weniger erprobt. Zwischen Stapeln, nie während einer läuft.',
    off: 'Es wird nicht gesucht. Neue Versionen installieren Sie selbst.',
  },
  updateKinds: {
    stable: words['updates-stable'],
    preview: words['updates-preview'],
    off: words['updates-off'],
  },
  startAtLogin: words['setting-start-at-login'],
  startAtLoginHint: 'Im Infobereich, ohne Fenster. Nur in der Desktop-App.',
  closeToTray: words['setting-close-to-tray'],
  closeToTrayHint: 'Im Infobereich, solange ein Stapel läuft. Nur in der Desktop-App.',

  appearanceSentence: 'Die Zeilenhöhe gilt nur in diesem Fenster und wird nicht exportiert.',
  theme: words['setting-theme'],
  themes: {
    system: words['as-system'],
    light: words['theme-light'],
    dark: words['theme-dark'],
  },
  density: 'Zeilenhöhe',
  densities: { compact: 'Dicht', comfortable: 'Geräumig' },
  language: words['setting-language'],

  shareSentence:
    'Alle Einstellungen außer dem API-Schlüssel, mit der Antwortzuordnung Ihrer Dienste.',
  export: 'Exportieren',
  exported: 'spool-settings.json ist exportiert',
  import: 'Importieren …',
  importFile: 'Eine Datei mit Einstellungen',
  importTitle: (name) => `${name} importieren?`,
  importSentence:
    'Diese Einstellungen ändern sich. Alle anderen und Ihre API-Schlüssel bleiben, wie sie sind.',
  importSensitive:
    'Prüfen Sie die markierten zuerst: Sie bestimmen, wohin Ihre Daten gehen, wem Spool vertraut und was automatisch läuft.',
  importMarked: 'Bitte prüfen',
  importColumns: { name: 'Einstellung', from: 'Jetzt', to: 'Nach dem Import' },
  importConfirm: 'Importieren',
  imported: (name) => `${name} ist importiert`,
  importSame: (name) => `${name} ändert nichts`,
  importSameMeans: 'Ihre Einstellungen sind dieselben wie in der Datei.',
  importRefused: (name) => `${name} wurde nicht importiert`,
  importNothing: 'Es wurde nichts geändert.',
  importMore: (count) => say`und ${count} weitere`,
};
