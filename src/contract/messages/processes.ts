/** Processes and the data folder. */
export const processMessages = {
  'in-use': {
    en: 'Spool is already running with this data folder.',
    de: 'Spool läuft schon mit diesem Datenordner.',
  },
  'in-use-by': {
    en: 'Spool is already running with this data folder (process {pid}).',
    de: 'Spool läuft schon mit diesem Datenordner (Prozess {pid}).',
  },
  'folder-lost': {
    en: 'This Spool no longer has its data folder: another Spool has taken it over, or it was moved, replaced or removed. This one has stopped and sends nothing more. To continue here, make sure that no other Spool uses the folder, then start it again.',
    de: 'Dieses Spool hat seinen Datenordner verloren: Ein anderes Spool hat ihn übernommen, oder er wurde verschoben, ersetzt oder gelöscht. Es sendet nichts mehr. Um hier weiterzuarbeiten, vergewissern Sie sich, dass kein anderes Spool den Ordner verwendet, und starten Sie es dann neu.',
  },
  'primary-unreachable': {
    en: 'Spool is already running with this data folder and does not respond. It may be another version, or busy. Close it, or try again.',
    de: 'Spool läuft schon mit diesem Datenordner und antwortet nicht: Vielleicht ist es eine andere Version oder ausgelastet. Beenden Sie es, oder versuchen Sie es noch einmal.',
  },
  'primary-silent': {
    en: 'The Spool running this queue does not respond. If it was stopped in a terminal with Ctrl-Z, enter “fg” there to continue it; if it hangs, end it. Nothing is lost either way.',
    de: 'Das Spool, das an der Warteschlange arbeitet, antwortet nicht. Wenn es im Terminal mit Strg+Z angehalten wurde, geht es dort mit „fg“ weiter; wenn es hängt, beenden Sie es. Verloren geht so oder so nichts.',
  },
  'primary-of-other-service': {
    en: 'Spool is running with this data folder (process {pid}), with the service {service}.',
    de: 'Spool läuft mit diesem Datenordner (Prozess {pid}) und dem Dienst {service}.',
  },
  'primary-of-other-profile': {
    en: 'Spool is running with this data folder (process {pid}), with another service profile.',
    de: 'Spool läuft mit diesem Datenordner (Prozess {pid}) und einem anderen Dienstprofil.',
  },
  'primary-outdated': {
    en: 'The Spool running this queue (process {pid}) is another version, which cannot do this. Close it, and try again.',
    de: 'Das Spool, das an der Warteschlange arbeitet (Prozess {pid}), ist eine andere Version, die das nicht kann. Beenden Sie es, und versuchen Sie es noch einmal.',
  },
  'primary-ended': {
    en: 'The Spool running this queue has ended. Nothing is lost. Try again.',
    de: 'Das Spool, das an der Warteschlange gearbeitet hat, wurde beendet. Es ist nichts verloren; versuchen Sie es noch einmal.',
  },

  'went-wrong': {
    en: 'Something unexpected went wrong ({trouble}).',
    de: 'Ein unerwarteter Fehler ist aufgetreten ({trouble}).',
  },

  'list-ends': { en: 'This list ends there.', de: 'Von dort an geht diese Liste nicht weiter.' },
  'queue-newer': {
    en: 'The queue was written by a newer version of Spool. Install that version to open it.',
    de: 'Die Warteschlange stammt von einer neueren Version von Spool. Installieren Sie diese, um sie zu öffnen.',
  },
  'queue-older': {
    en: 'The queue in {folder} was written by an earlier build of Spool; move that folder away to start with an empty queue.',
    de: 'Die Warteschlange in {folder} stammt von einer früheren Entwicklungsversion von Spool; verschieben Sie den Ordner, um mit einer leeren Warteschlange zu beginnen.',
  },
  'folder-unusable': {
    en: 'The folder {folder} cannot be used.',
    de: 'Der Ordner {folder} lässt sich nicht verwenden.',
  },
  'data-folder-of-other': {
    en: 'The data folder {folder} belongs to another user, who can read and change what is in it.',
    de: 'Der Datenordner {folder} gehört einem anderen Benutzer, der seinen Inhalt lesen und ändern kann.',
  },
  'data-folder-writable': {
    en: 'Other users of this computer can change what is in the data folder {folder}. Choose another folder, or remove their permissions.',
    de: 'Andere Benutzer dieses Computers können den Inhalt des Datenordners {folder} ändern. Wählen Sie einen anderen Ordner, oder entziehen Sie ihnen die Rechte.',
  },
  'data-folder-readable': {
    en: 'Other users of this computer can read what is in the data folder {folder}, and Spool cannot change that.',
    de: 'Andere Benutzer dieses Computers können den Inhalt des Datenordners {folder} lesen, und Spool kann das nicht ändern.',
  },
  'data-file-of-other': {
    en: '{name} in the data folder {folder} belongs to another user. Remove it, or choose another data folder.',
    de: '{name} im Datenordner {folder} gehört einem anderen Benutzer. Entfernen Sie die Datei, oder wählen Sie einen anderen Datenordner.',
  },
  'data-file-no-file': {
    en: '{name} in the data folder {folder} is not a file of Spool, but a link, a folder or something else. Move it away, then start Spool again.',
    de: '{name} im Datenordner {folder} ist keine Datei von Spool, sondern eine Verknüpfung, ein Ordner oder etwas anderes. Verschieben Sie das Element, und starten Sie Spool dann neu.',
  },
  'data-file-no-folder': {
    en: '{name} in the data folder {folder} is not a folder of Spool, but a link or a file. Move it away, then start Spool again.',
    de: '{name} im Datenordner {folder} ist kein Ordner von Spool, sondern eine Verknüpfung oder eine Datei. Verschieben Sie das Element, und starten Sie Spool dann neu.',
  },
  'certificate-file-unreadable': {
    en: 'The certificate file {file} cannot be read.',
    de: 'Die Zertifikatsdatei {file} lässt sich nicht lesen.',
  },
  'failure-unreadable': {
    en: 'This error was recorded by another version of Spool and cannot be read.',
    de: 'Dieser Fehler wurde von einer anderen Version von Spool gespeichert und lässt sich nicht lesen.',
  },
  'here-not-started': {
    en: 'The local service did not start.',
    de: 'Der Dienst auf diesem Computer ist nicht gestartet.',
  },
  'here-too-slow': {
    en: 'The local service took too long to answer.',
    de: 'Der Dienst auf diesem Computer hat zu lange nicht geantwortet.',
  },
  'here-refused': {
    en: 'The local service refused a command.',
    de: 'Der Dienst auf diesem Computer hat einen Befehl abgelehnt.',
  },
  'here-unreadable': {
    en: 'The local service gave an answer that cannot be read.',
    de: 'Die Antwort des Dienstes auf diesem Computer war nicht lesbar.',
  },
  'batch-file-too-large': {
    en: '{file} is larger than 64 MiB, the limit for a batch.',
    de: '{file} ist größer als 64 MiB, das Limit für einen Stapel.',
  },
  'batch-file-not-regular': {
    en: '{file} is not a regular file.',
    de: '{file} ist keine gewöhnliche Datei.',
  },
  'batch-files-too-many': {
    en: '{count} files were left out: at most {max} are checked at a time.',
    de: '{count} Dateien wurden ausgelassen: Es werden höchstens {max} auf einmal geprüft.',
  },
  'batch-file-gone': { en: '{file} does not exist.', de: 'Die Datei {file} gibt es nicht.' },
  'batch-file-folder': {
    en: '{file} is a folder without a table or pictures.',
    de: '{file} ist ein Ordner ohne Tabelle und ohne Bilder.',
  },
  'batch-folder-tables': {
    en: '{file} is a folder with {count:count} tables. Open one of them.',
    de: '{file} ist ein Ordner mit {count:count} Tabellen. Öffnen Sie eine davon.',
  },
  'batch-file-forbidden': {
    en: 'You do not have permission to read {file}.',
    de: 'Sie haben kein Recht, {file} zu lesen.',
  },
  'batch-file-unreadable': { en: '{file} cannot be read.', de: '{file} lässt sich nicht lesen.' },
} as const;
