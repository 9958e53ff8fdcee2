import { english, german } from '../../contract/format-in.ts';
import { MESSAGES } from '../../contract/messages.ts';

/** Texts of the settings. */
export const settingsTexts = {
  parts: { en: 'Settings sections', de: 'Bereiche der Einstellungen' },
  sections: {
    service: { en: 'Service', de: 'Dienst' },
    key: { en: 'API key', de: 'API-Schlüssel' },
    plan: { en: 'Plan and billing', de: 'Tarif und Abrechnung' },
    answers: { en: 'Response mapping', de: 'Antwortformat' },
    files: { en: 'Folder and names', de: 'Ordner und Namen' },
    transfers: { en: 'Transfers', de: 'Übertragungen' },
    notifications: { en: 'Notifications', de: 'Benachrichtigungen' },
    start: { en: 'Start and updates', de: 'Start und Updates' },
    appearance: { en: 'Appearance', de: 'Darstellung' },
    share: { en: 'Import and export', de: 'Import und Export' },
  },
  saving: { en: 'Saving…', de: 'Wird gespeichert …' },
  saved: { en: 'Saved', de: 'Gespeichert' },
  refused: { en: 'Not saved', de: 'Nicht gespeichert' },
  unreadable: {
    en: 'The settings could not be read',
    de: 'Die Einstellungen konnten nicht geladen werden',
  },
  unreadableSentence: {
    en: 'Try again once Spool is connected.',
    de: 'Versuchen Sie es erneut, sobald die Verbindung steht.',
  },
  trouble: {
    en: 'The saved settings were damaged',
    de: 'Die gespeicherten Einstellungen waren beschädigt',
  },

  serviceHere: MESSAGES['service-here'],
  address: { en: 'Address', de: 'Adresse' },
  addressHint: { en: 'https only, without /api/v1.', de: 'Ohne /api/v1. Nur mit https.' },
  addressIssue: {
    en: 'Enter an address such as https://api.example.com',
    de: 'Eine Adresse sieht so aus: https://api.example.com',
  },
  certificate: MESSAGES['setting-certificate'],
  certificateLabel: { en: 'Certificate authority, PEM', de: 'Zertifizierungsstelle, PEM' },
  certificateHint: {
    en: 'Only for a service whose certificate the system does not trust.',
    de: 'Nur für einen Dienst, dem das System nicht von sich aus vertraut.',
  },
  chooseService: { en: 'Choose from all services…', de: 'Aus allen Diensten wählen …' },
  serviceNow: {
    en: (name: string) => `In use: ${name}`,
    de: (name: string) => `Aktiv: ${name}`,
  },
  services: {
    shown: { en: 'shown', de: 'angezeigt' },
    show: { en: 'Show', de: 'Anzeigen' },
    showNamed: { en: (name: string) => `Show ${name}`, de: (name: string) => `${name} anzeigen` },
    rename: { en: 'Rename', de: 'Umbenennen' },
    renameNamed: {
      en: (name: string) => `Rename ${name}`,
      de: (name: string) => `${name} umbenennen`,
    },
    renameTitle: { en: 'Rename this service', de: 'Dienst umbenennen' },
    name: { en: 'Name', de: 'Name' },
    nameHint: {
      en: 'Only Spool shows it. Leave it empty for the service’s own name.',
      de: 'Nur in Spool sichtbar. Ohne Eingabe gilt der Name des Dienstes.',
    },
    nameIsKey: {
      en: 'That is a key. A name is shown on screen; a key never is.',
      de: 'Das ist ein Schlüssel. Ein Name wird angezeigt, ein Schlüssel nie.',
    },
    remove: { en: 'Remove', de: 'Entfernen' },
    removeNamed: {
      en: (name: string) => `Remove ${name}`,
      de: (name: string) => `${name} entfernen`,
    },
    removeTitle: {
      en: (name: string) => `Remove ${name}?`,
      de: (name: string) => `${name} entfernen?`,
    },
    removeSentence: {
      en: 'Its key, name and settings are deleted. Saved files stay in their folders.',
      de: 'Schlüssel, Name und Einstellungen werden gelöscht. Gespeicherte Dateien bleiben in ihren Ordnern.',
    },
    removeUnsent: {
      en: (count: number) =>
        count === 1
          ? '1 video that was not sent is cancelled.'
          : english`${count} videos that were not sent are cancelled.`,
      de: (count: number) =>
        count === 1
          ? '1 Video, das noch nicht gesendet wurde, wird abgebrochen.'
          : german`${count} Videos, die noch nicht gesendet wurden, werden abgebrochen.`,
    },
    cannotRemove: { en: 'It cannot be removed yet', de: 'Noch nicht möglich' },
    mayBePaid: {
      en: (count: number) =>
        count === 1
          ? '1 video may be paid for and is not saved yet. Wait until it is saved, or cancel it. Then remove the service.'
          : english`${count} videos may be paid for and are not saved yet. Wait until they are saved, or cancel them. Then remove the service.`,
      de: (count: number) =>
        count === 1
          ? '1 Video ist vielleicht schon bezahlt und noch nicht gespeichert. Warten Sie, bis es gespeichert ist, oder brechen Sie es ab. Entfernen Sie den Dienst danach.'
          : german`${count} Videos sind vielleicht schon bezahlt und noch nicht gespeichert. Warten Sie, bis sie gespeichert sind, oder brechen Sie sie ab. Entfernen Sie den Dienst danach.`,
    },
    rowsLabel: { en: 'Its videos', de: 'Seine Videos' },
    rows: {
      archive: { en: 'Keep in the archive', de: 'Im Archiv behalten' },
      remove: { en: 'Remove from the lists', de: 'Aus den Listen entfernen' },
    },
    rowsMean: {
      archive: {
        en: 'They still count in the costs, and are there again if you add the service again.',
        de: 'Sie zählen weiter zu den Kosten und sind wieder da, wenn Sie den Dienst erneut hinzufügen.',
      },
      remove: {
        en: 'They still count in the costs, but cannot be brought back.',
        de: 'Sie zählen weiter zu den Kosten, lassen sich aber nicht zurückholen.',
      },
    },
    removeConfirm: { en: 'Remove the service', de: 'Dienst entfernen' },
    removed: {
      en: (name: string) => `${name} was removed`,
      de: (name: string) => `${name} wurde entfernt`,
    },
  },
  serviceWaits: { en: 'Not changed yet', de: 'Noch nicht gewechselt' },
  /** @param open how many of its videos are not finished */
  switching: {
    en: (current: string, open: string) =>
      `The lists then show the new service. Videos of “${current}” stay there${open === '0' ? '' : `, and ${open} unfinished ${open === '1' ? 'one continues' : 'ones continue'}`}. To come back, choose “${current}” under “Services”.`,
    de: (current: string, open: string) =>
      `Die Listen zeigen dann den neuen Dienst. Videos von „${current}“ bleiben dort${open === '0' ? '' : `, ${open} ${open === '1' ? 'unfertiges läuft' : 'unfertige laufen'} weiter`}. Zurück kommen Sie unter „Dienste“ mit „${current}“.`,
  },
  serviceKey: {
    en: 'Each service has its own key, which is never sent to another address.',
    de: 'Jeder Dienst hat seinen eigenen Schlüssel; keiner wird je an eine andere Adresse gesendet.',
  },
  serviceApply: { en: 'Change the service', de: 'Dienst wechseln' },
  serviceApplying: { en: 'Changing…', de: 'Wird gewechselt …' },
  serviceLeave: { en: 'Keep the current one', de: 'Nicht wechseln' },
  serviceChanged: { en: 'Service changed', de: 'Dienst gewechselt' },
  serviceOverridden: {
    en: (origin: string) =>
      `Spool was started with ${origin} for this run. Selecting a service here overrides that.`,
    de: (origin: string) =>
      `Spool wurde diesmal mit ${origin} gestartet. Wenn Sie hier einen Dienst wählen, gilt dieser.`,
  },

  practice: { en: 'Practise with limits', de: 'Mit Limits üben' },
  practiceHint: {
    en: 'To rehearse a batch for a paid service: the documented limits and the monthly quota of a plan apply here too. Videos already rendered here this month count.',
    de: 'Zum Ausprobieren eines Stapels für einen kostenpflichtigen Dienst: Die dokumentierten Limits und das Monatskontingent eines Tarifs gelten dann auch hier. Bereits hier gerenderte Videos dieses Monats zählen mit.',
  },
  practiceOff: { en: 'Off', de: 'Aus' },

  plan: MESSAGES['setting-plan'],
  plans: {
    custom: { en: 'Negotiated', de: 'Ausgehandelt' },
  },
  videosAMonth: {
    en: (count: string) => `${count} videos a month`,
    de: (count: string) => `${count} Videos im Monat`,
  },
  planSentence: {
    en: 'The service reports neither, so enter them here.',
    de: 'Der Dienst nennt beides nicht; geben Sie es deshalb hier an.',
  },
  planHere: {
    en: 'You choose the plan of the practice account under “Service”.',
    de: 'Den Tarif des Übungskontos wählen Sie unter „Dienst“.',
  },
  planNone: {
    en: 'No plan applies to this service. Its service profile says what it allows.',
    de: 'Für diesen Dienst gilt kein Tarif. Was er zulässt, steht in seinem Dienstprofil.',
  },
  planOverridden: {
    en: 'Spool was started with a plan for this run. Selecting one here overrides that.',
    de: 'Spool wurde diesmal mit einem Tarif gestartet. Wenn Sie hier einen wählen, gilt dieser.',
  },
  planLimit: { en: 'Videos a month', de: 'Videos im Monat' },
  planLimitHint: {
    en: 'The plan is saved once the number is entered.',
    de: 'Der Tarif wird gespeichert, sobald die Zahl eingegeben ist.',
  },
  planLimitError: {
    en: 'A whole number from 1 to 1,000,000',
    de: 'Eine ganze Zahl von 1 bis 1.000.000',
  },
  billingDate: MESSAGES['setting-billing-date'],
  signUpDate: { en: 'The day you signed up', de: 'Tag der Registrierung' },
  billingDateHint: {
    en: 'Any past billing date works. When empty: the first of the month.',
    de: 'Ein früherer Abrechnungstag genügt. Ohne Angabe: der Monatserste.',
  },
  zone: MESSAGES['setting-zone'],
  zoneHint: { en: 'Usually UTC.', de: 'Der Dienst zählt in UTC, wenn er nichts anderes angibt.' },
  planNow: {
    en: (limit: string, date: string) => `Currently ${limit} videos; resets on ${date}.`,
    de: (limit: string, date: string) => `Derzeit ${limit} Videos, Erneuerung am ${date}.`,
  },

  filesSentence: {
    en: 'For new batches. Those in the queue keep their settings.',
    de: 'Gilt für neue Stapel; vorhandene bleiben, wie sie sind.',
  },
  folder: MESSAGES['setting-folder'],
  folderHint: {
    en: (folder: string) => `Currently ${folder}. Leave empty for the default.`,
    de: (folder: string) => `Zurzeit ${folder}. Wenn leer: der Standardordner.`,
  },
  chooseFolder: { en: 'Choose…', de: 'Auswählen …' },
  nameTemplate: MESSAGES['setting-name-template'],
  nameTemplateHint: {
    en: 'In braces: batch, index, title or any column. A slash creates a folder.',
    de: 'In geschweiften Klammern: batch, index, title oder jede Spalte. Ein / legt einen Ordner an.',
  },
  example: { en: 'Example', de: 'Zum Beispiel' },
  exampleBatch: { en: 'Launch week', de: 'Startwoche' },
  exampleTitle: { en: 'Meet the roasters', de: 'Die Röster' },
  archive: { en: 'Archive finished batches', de: 'Fertige Stapel archivieren' },
  archiveHint: {
    en: 'Archived videos leave the queue; their files stay.',
    de: 'Archivierte Videos verlassen die Warteschlange; ihre Dateien bleiben.',
  },
  archiveNever: { en: 'By hand only', de: 'Nur von Hand' },
  archiveAfter: {
    en: (days: number) => (days === 1 ? 'After a day' : `After ${days} days`),
    de: (days: number) => (days === 1 ? 'Nach einem Tag' : `Nach ${days} Tagen`),
  },
  collision: MESSAGES['setting-collision'],
  collisionHints: {
    number: { en: 'Existing files are kept.', de: 'Vorhandene Dateien bleiben unberührt.' },
    skip: {
      en: 'The video is not rendered and costs nothing.',
      de: 'Das Video wird nicht gerendert und kostet nichts.',
    },
    replace: { en: 'The existing file is lost.', de: 'Die vorhandene Datei geht verloren.' },
  },

  parallel: MESSAGES['setting-parallel'],
  parallelHint: {
    en: 'More only helps when each download is slow.',
    de: 'Mehr hilft nur, wenn jeder einzelne Download langsam ist.',
  },
  limitBandwidth: MESSAGES['setting-bandwidth'],
  limitBandwidthHint: {
    en: 'For all transfers together. Applies immediately.',
    de: 'Gilt für alle Übertragungen zusammen, auch für laufende.',
  },
  bandwidth: { en: 'Megabytes a second', de: 'Megabyte pro Sekunde' },
  bandwidthError: {
    en: 'A number above 0, such as 6 or 2.5',
    de: 'Eine Zahl über 0, etwa 6 oder 2,5',
  },
  allowVpnAddresses: MESSAGES['setting-vpn'],
  allowVpnAddressesHint: {
    en: 'Some of these networks give every server an address of their own. Off by default, because Spool cannot check where such an address leads.',
    de: 'Manche dieser Netze geben jedem Server eine Adresse aus dem eigenen Netz. Standardmäßig aus, weil Spool nicht prüfen kann, wohin eine solche Adresse führt.',
  },

  notifySentence: {
    en: 'Shown by the system, even while the window is closed.',
    de: 'Das System zeigt sie an, auch wenn das Fenster geschlossen ist.',
  },
  notifyInBrowser: {
    granted: {
      en: 'Shown by your browser while this page is open in the background.',
      de: 'Ihr Browser zeigt sie an, solange diese Seite im Hintergrund geöffnet ist.',
    },
    default: {
      en: 'Your browser can notify you while this page is open in the background.',
      de: 'Ihr Browser kann Sie benachrichtigen, solange diese Seite im Hintergrund geöffnet ist.',
    },
    denied: {
      en: 'Notifications are blocked. You can allow them in the address bar of your browser.',
      de: 'Benachrichtigungen sind blockiert. Sie können sie in der Adressleiste Ihres Browsers erlauben.',
    },
    missing: {
      en: 'This browser does not support notifications. The desktop app does.',
      de: 'Dieser Browser unterstützt keine Benachrichtigungen. Die Desktop-App schon.',
    },
  },
  allowNotifications: { en: 'Allow notifications', de: 'Benachrichtigungen erlauben' },
  notify: {
    batchSaved: MESSAGES['notify-batch-saved'],
    needsDecision: MESSAGES['notify-needs-decision'],
    failed: MESSAGES['notify-failed'],
  },
  notifyHints: {
    batchSaved: {
      en: 'Once for each batch, not for each video.',
      de: 'Einmal pro Stapel, nicht pro Video.',
    },
    needsDecision: {
      en: 'An uncertain video, a refused key, a used-up quota.',
      de: 'Ein ungewisses Video, ein abgelehnter Schlüssel, ein verbrauchtes Kontingent.',
    },
    failed: {
      en: 'Failures in quick succession are grouped.',
      de: 'Mehrere kurz nacheinander werden zusammen gemeldet.',
    },
  },

  lessPower: MESSAGES['setting-less-power'],
  lessPowerHint: {
    en: 'Renders half as many videos at a time, at least one.',
    de: 'Rendert halb so viele Videos gleichzeitig, mindestens eines.',
  },
  lessPowers: {
    never: MESSAGES['less-power-never'],
    'on-battery': MESSAGES['less-power-on-battery'],
    always: MESSAGES['less-power-always'],
  },

  startUp: MESSAGES['setting-start-up'],
  startUps: {
    'as-last-time': MESSAGES['start-up-as-last-time'],
    run: MESSAGES['start-up-run'],
    paused: MESSAGES['start-up-paused'],
  },
  startUpHints: {
    'as-last-time': {
      en: 'Paused if it was paused when it closed.',
      de: 'Pausiert, wenn Spool pausiert war; sonst geht es weiter.',
    },
    run: {
      en: 'Even if it was paused when it closed.',
      de: 'Auch wenn Spool beim Beenden pausiert war.',
    },
    paused: {
      en: 'Nothing is sent until you resume the queue.',
      de: 'Es wird nichts gesendet, bis Sie die Warteschlange fortsetzen.',
    },
  },
  updates: MESSAGES['setting-updates'],
  updateHints: {
    stable: {
      en: 'Downloaded and installed between batches, never during one.',
      de: 'Werden zwischen Stapeln geladen und installiert, nie während einer läuft.',
    },
    preview: {
      en: 'New features first, less tested. Between batches, never during one.',
      de: 'Neues zuerst, weniger erprobt. Zwischen Stapeln, nie während einer läuft.',
    },
    off: {
      en: 'Spool does not check. You install new versions yourself.',
      de: 'Es wird nicht gesucht. Neue Versionen installieren Sie selbst.',
    },
  },
  updateKinds: {
    stable: MESSAGES['updates-stable'],
    preview: MESSAGES['updates-preview'],
    off: MESSAGES['updates-off'],
  },
  resultsFiles: MESSAGES['setting-results-files'],
  resultsFilesHint: {
    en: 'NAME.results.csv has the state, file, length and cost of each row, and is kept up to date.',
    de: 'NAME.results.csv enthält Status, Datei, Länge und Kosten jeder Zeile und bleibt aktuell.',
  },
  startAtLogin: MESSAGES['setting-start-at-login'],
  startAtLoginHint: {
    en: 'In the tray, without a window. Desktop app only.',
    de: 'Im Infobereich, ohne Fenster. Nur in der Desktop-App.',
  },
  closeToTray: MESSAGES['setting-close-to-tray'],
  closeToTrayHint: {
    en: 'In the tray, while a batch is under way. Desktop app only.',
    de: 'Im Infobereich, solange ein Stapel läuft. Nur in der Desktop-App.',
  },

  appearanceSentence: {
    en: 'The row height applies to this window only and is not exported.',
    de: 'Die Zeilenhöhe gilt nur in diesem Fenster und wird nicht exportiert.',
  },
  theme: MESSAGES['setting-theme'],
  themes: {
    system: MESSAGES['as-system'],
    light: MESSAGES['theme-light'],
    dark: MESSAGES['theme-dark'],
  },
  density: { en: 'Row height', de: 'Zeilenhöhe' },
  densities: {
    compact: { en: 'Compact', de: 'Dicht' },
    comfortable: { en: 'Comfortable', de: 'Geräumig' },
  },
  language: MESSAGES['setting-language'],

  shareSentence: {
    en: 'All settings except the API key, with the response mapping of your services.',
    de: 'Alle Einstellungen außer dem API-Schlüssel, mit dem Antwortformat Ihrer Dienste.',
  },
  export: { en: 'Export', de: 'Exportieren' },
  exported: { en: 'spool-settings.json exported', de: 'spool-settings.json ist exportiert' },
  import: { en: 'Import…', de: 'Importieren …' },
  importFile: { en: 'Settings file', de: 'Eine Datei mit Einstellungen' },
  importTitle: {
    en: (name: string) => `Import ${name}?`,
    de: (name: string) => `${name} importieren?`,
  },
  importSentence: {
    en: 'These settings change. All others and your API keys stay as they are.',
    de: 'Diese Einstellungen ändern sich. Alle anderen und Ihre API-Schlüssel bleiben, wie sie sind.',
  },
  importSensitive: {
    en: 'Check the marked ones first: they decide where your data goes, what Spool trusts and what runs automatically.',
    de: 'Prüfen Sie die markierten zuerst: Sie bestimmen, wohin Ihre Daten gehen, wem Spool vertraut und was automatisch läuft.',
  },
  importMarked: { en: 'Check this', de: 'Bitte prüfen' },
  importColumns: {
    name: { en: 'Setting', de: 'Einstellung' },
    from: { en: 'Now', de: 'Jetzt' },
    to: { en: 'After the import', de: 'Nach dem Import' },
  },
  importConfirm: { en: 'Import', de: 'Importieren' },
  imported: {
    en: (name: string) => `${name} imported`,
    de: (name: string) => `${name} ist importiert`,
  },
  importSame: {
    en: (name: string) => `${name} changes nothing`,
    de: (name: string) => `${name} ändert nichts`,
  },
  importSameMeans: {
    en: 'Your settings are the same as those in the file.',
    de: 'Ihre Einstellungen sind dieselben wie in der Datei.',
  },
  importRefused: {
    en: (name: string) => `${name} was not imported`,
    de: (name: string) => `${name} wurde nicht importiert`,
  },
  importNothing: { en: 'Nothing was changed.', de: 'Es wurde nichts geändert.' },
  importUnread: {
    tooLarge: {
      en: 'It is larger than 1 MB, which is too large for settings.',
      de: 'Sie ist größer als 1 MB; so groß ist keine Datei mit Einstellungen.',
    },
    unreadable: { en: 'The file could not be read.', de: 'Die Datei ließ sich nicht lesen.' },
  },
  importMore: {
    en: (count: number) => english`and ${count} more`,
    de: (count: number) => german`und ${count} weitere`,
  },
};
