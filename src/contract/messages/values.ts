/** Values of settings and service profiles that are not valid. */
export const valueMessages = {
  'value-missing': { en: 'This is missing.', de: 'Diese Angabe fehlt.' },
  'value-empty': { en: 'This must not be empty.', de: 'Das darf nicht leer sein.' },
  'value-not-text': { en: 'This must be a text.', de: 'Hierher gehört ein Text.' },
  'value-not-number': { en: 'This must be a number.', de: 'Hierher gehört eine Zahl.' },
  'value-not-whole': { en: 'This must be a whole number.', de: 'Hierher gehört eine ganze Zahl.' },
  'value-not-switch': { en: 'This must be true or false.', de: 'Hierher gehört true oder false.' },
  'value-not-list': { en: 'This must be a list.', de: 'Hierher gehört eine Liste.' },
  'value-not-object': { en: 'This must be an object.', de: 'Hierher gehört ein Objekt.' },
  'value-of-other-kind': { en: 'This has the wrong type.', de: 'Das hat den falschen Typ.' },
  'value-one-of': { en: 'This must be one of: {options}.', de: 'Möglich sind nur: {options}.' },
  'value-of-no-kind': { en: 'This type is not known.', de: 'Diesen Typ gibt es nicht.' },
  'value-more-than': {
    en: 'This must be more than {min:count}.',
    de: 'Der Wert muss größer als {min:count} sein.',
  },
  'value-at-least': {
    en: 'This must be at least {min:count}.',
    de: 'Der Wert muss mindestens {min:count} sein.',
  },
  'value-less-than': {
    en: 'This must be less than {max:count}.',
    de: 'Der Wert muss kleiner als {max:count} sein.',
  },
  'value-at-most': {
    en: 'This must be at most {max:count}.',
    de: 'Der Wert darf höchstens {max:count} sein.',
  },
  'value-too-long': {
    en: 'This must have at most {max:count} characters.',
    de: 'Höchstens {max:count} Zeichen sind möglich.',
  },
  'value-too-many': {
    en: 'There are at most {max:count} of these.',
    de: 'Höchstens {max:count} davon sind möglich.',
  },
  'value-unknown-name': { en: 'There is no “{name}” here.', de: 'Hier gibt es kein „{name}“.' },
  'value-not-date': {
    en: 'Enter a date such as 2026-03-17.',
    de: 'Ein Datum sieht so aus: 2026-03-17.',
  },
  'value-not-https': {
    en: 'Enter an https address.',
    de: 'Die Adresse eines Dienstes beginnt mit https://.',
  },
  'address-with-more': {
    en: 'An address has a host, a port and a path, and nothing else.',
    de: 'Eine Adresse hat einen Host, einen Port und einen Pfad, sonst nichts.',
  },
  'address-is-number': {
    en: 'A number is not an address. For a service on this computer, enter its host and port: https://127.0.0.1:8080.',
    de: 'Eine Zahl ist keine Adresse. Für einen Dienst auf diesem Computer geben Sie Host und Port an: https://127.0.0.1:8080.',
  },
  'value-not-pem': {
    en: 'This is not a certificate in PEM format.',
    de: 'Das ist kein Zertifikat im PEM-Format.',
  },
  'value-not-path': {
    en: 'Enter a path such as “movie.status” or “output[0]”.',
    de: 'Ein Pfad sieht so aus: „movie.status“ oder „output[0]“.',
  },
  'value-not-service-path': {
    en: 'Enter a path such as “/v1/videos”: letters, digits and simple punctuation, without “..”, “//” or “%”.',
    de: 'Ein Pfad sieht so aus: „/v1/videos“. Möglich sind Buchstaben, Ziffern und einfache Satzzeichen, aber nicht „..“, „//“ oder „%“.',
  },
  'value-not-path-prefix': {
    en: 'Enter the beginning of a path that ends with a slash, such as “/v1/operations/”.',
    de: 'Der Anfang eines Pfads endet mit einem Schrägstrich, wie „/v1/operations/“.',
  },
  'path-needs-placeholder': {
    en: 'This path must contain {placeholder} exactly once: as a whole part between slashes, or as a whole value of its query.',
    de: 'Dieser Pfad muss {placeholder} genau einmal enthalten: als ganzen Teil zwischen Schrägstrichen oder als ganzen Wert seiner Abfrage.',
  },
  'path-with-placeholder': {
    en: 'This path must not contain {placeholder}.',
    de: 'Dieser Pfad darf {placeholder} nicht enthalten.',
  },
  'id-not-known': {
    en: '{placeholder} cannot be used here: the address of the status comes from an answer, so there is no identifier.',
    de: '{placeholder} ist hier nicht möglich: Die Adresse des Status steht in einer Antwort, daher gibt es keine Kennung.',
  },
  'value-not-origin': {
    en: 'Enter an https address without a path, in lower case, such as “https://api.example.com”.',
    de: 'Gebraucht wird eine https-Adresse ohne Pfad in Kleinbuchstaben, wie „https://api.example.com“.',
  },
  'value-not-https-page': {
    en: 'Enter the https address of a page.',
    de: 'Hierher gehört die https-Adresse einer Seite.',
  },
  'value-not-header': { en: 'This is not the name of a header.', de: 'So heißt kein Header.' },
  'header-reserved': {
    en: 'A profile cannot set this header.',
    de: 'Diesen Header kann ein Profil nicht setzen.',
  },
  'header-of-key': {
    en: 'This header already carries the API key.',
    de: 'In diesem Header steht bereits der API-Schlüssel.',
  },
  'header-twice': {
    en: 'This header already has a fixed value.',
    de: 'Dieser Header hat bereits einen festen Wert.',
  },
  'value-not-header-value': {
    en: 'A header’s value has letters, digits, punctuation and single spaces only.',
    de: 'Der Wert eines Headers besteht aus Buchstaben, Ziffern, Satzzeichen und einzelnen Leerzeichen.',
  },
  'value-not-auth-scheme': {
    en: 'Enter one word such as “Bearer”, or nothing.',
    de: 'Möglich ist ein Wort wie „Bearer“ oder nichts.',
  },
  'value-not-currency': {
    en: 'Enter a currency’s three letters, such as EUR.',
    de: 'Eine Währung hat drei Buchstaben, wie EUR.',
  },
  'currency-with-money': {
    en: 'Costs in money need a currency, and others have none.',
    de: 'Kosten in Geld brauchen eine Währung, andere haben keine.',
  },
  'value-not-parameter': {
    en: 'Enter the name of a query parameter, such as “page”.',
    de: 'Der Name eines Parameters sieht so aus: „page“.',
  },
  'saved-profile-damaged': {
    en: 'The saved profile of {origin} is damaged ({field}).',
    de: 'Das gespeicherte Profil von {origin} ist beschädigt ({field}).',
  },
  'planned-by-other-profile': {
    en: 'Nothing was added: these rows were checked for the service’s earlier profile.',
    de: 'Es wurde nichts hinzugefügt: Diese Zeilen wurden für das frühere Dienstprofil geprüft.',
  },
  'service-still-starting': {
    en: 'The service on this computer is still starting. Its videos wait; other services continue.',
    de: 'Der Dienst auf diesem Computer startet noch. Seine Videos warten, andere Dienste arbeiten weiter.',
  },
  'service-replaced': {
    en: 'The connection to the service was being renewed. Try again.',
    de: 'Die Verbindung zum Dienst wurde gerade erneuert. Bitte versuchen Sie es noch einmal.',
  },
  'meant-for-other-service': {
    en: 'This was meant for a service that is no longer shown. Show that service and try again.',
    de: 'Das war für einen Dienst bestimmt, der nicht mehr angezeigt wird. Wechseln Sie zu diesem Dienst und versuchen Sie es noch einmal.',
  },
  'service-not-in-queue': {
    en: 'The queue has no such service.',
    de: 'Diesen Dienst gibt es in der Warteschlange nicht.',
  },
  'service-ambiguous': {
    en: 'Several services have this name. Use the address instead.',
    de: 'Mehrere Dienste heißen so. Verwenden Sie die Adresse.',
  },
  'service-is-here': {
    en: 'This computer needs no adding: use --service local.',
    de: 'Dieser Computer muss nicht hinzugefügt werden: Verwenden Sie --service local.',
  },
  'service-is-this-computer': {
    en: 'This computer cannot be renamed or removed.',
    de: 'Dieser Computer lässt sich nicht umbenennen oder entfernen.',
  },
  'service-has-videos': {
    en: 'Videos that may be paid for and are not saved yet: {count:count}. Wait until they are saved, or cancel them, and remove the service then.',
    de: 'Videos, die vielleicht schon bezahlt und noch nicht gespeichert sind: {count:count}. Warten Sie, bis sie gespeichert sind, oder brechen Sie sie ab. Entfernen Sie den Dienst danach.',
  },
  'profile-of-other-origin': {
    en: 'This profile is for {origin}.',
    de: 'Dieses Profil ist für {origin}.',
  },
  'value-with-braces': {
    en: 'A column name cannot contain braces.',
    de: 'Im Namen einer Spalte stehen keine geschweiften Klammern.',
  },
  'name-template-invisible': {
    en: 'The file name template contains invisible characters. Type it again.',
    de: 'Die Vorlage für Dateinamen enthält unsichtbare Zeichen. Bitte neu eingeben.',
  },
  'value-not-json': {
    en: 'This must be JSON of at most {max:count} levels.',
    de: 'Hier wird JSON mit höchstens {max:count} Ebenen gebraucht.',
  },
  'value-invisible': {
    en: 'This contains invisible characters. Type it again.',
    de: 'Das enthält unsichtbare Zeichen. Bitte neu eingeben.',
  },
  'value-unfit': { en: 'This value is not valid here.', de: 'Dieser Wert ist hier nicht gültig.' },
  'zone-unknown': { en: 'There is no such time zone.', de: 'Diese Zeitzone gibt es nicht.' },
  'plan-limit-negotiated': {
    en: 'Only a negotiated plan has a number of videos a month.',
    de: 'Zu einem ausgehandelten Tarif gehört eine Zahl von Videos im Monat, zu einem anderen nicht.',
  },
  'folder-not-absolute': {
    en: 'Enter the full path.',
    de: 'Geben Sie den vollständigen Pfad ein.',
  },
  'folder-on-network': {
    en: 'This is the path of a network or a device. Connect it as a drive and choose a folder there.',
    de: 'Das ist ein Netzwerk- oder Gerätepfad. Verbinden Sie ihn als Laufwerk und wählen Sie dort einen Ordner.',
  },
  'setting-unknown': { en: 'There is no such setting.', de: 'Diese Einstellung gibt es nicht.' },
  'no-settings': {
    en: 'This is not a Spool settings file.',
    de: 'Das ist keine Datei mit Einstellungen von Spool.',
  },
  'settings-damaged': {
    en: 'The settings could not be read. The defaults apply, and the old file was kept as {name}.',
    de: 'Die Einstellungen waren nicht lesbar. Es gelten die Standardwerte; die alte Datei heißt jetzt {name}.',
  },
} as const;
