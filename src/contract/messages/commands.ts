/** Errors of commands, and of what they start. */
export const commandMessages = {
  'results-file-changed': {
    en: '“{file}” was changed outside Spool and is left as it is. The results continue in “{next}”.',
    de: '„{file}“ wurde außerhalb von Spool geändert und bleibt, wie sie ist. Die Ergebnisse stehen jetzt in „{next}“.',
  },
  'results-file-unwritable': {
    en: 'The results could not be written to “{file}” ({code}). Close it if a program has it open. Spool tries again; the videos are not affected.',
    de: 'Die Ergebnisse ließen sich nicht nach „{file}“ schreiben ({code}). Schließen Sie die Datei, falls ein Programm sie geöffnet hat. Spool versucht es weiter; die Videos sind nicht betroffen.',
  },
  'template-kind-unknown': {
    en: 'A template is a .csv or an .xlsx file.',
    de: 'Eine Vorlage ist eine .csv- oder eine .xlsx-Datei.',
  },
  'app-not-built': {
    en: 'The app could not be built from its sources; the lines above say why.',
    de: 'Die App ließ sich nicht aus ihren Quellen bauen; der Grund steht in den Zeilen darüber.',
  },
  'port-unusable': {
    en: 'Spool cannot be served on port {port}; choose another one with --port.',
    de: 'Spool kann Port {port} nicht verwenden; wählen Sie mit --port einen anderen.',
  },
  'leave-option-out': {
    en: 'Leave {option} out to use that one, end it first, or use another --data-dir.',
    de: 'Lassen Sie {option} weg, um jenes zu verwenden, beenden Sie es zuerst, oder wählen Sie einen anderen Ordner mit --data-dir.',
  },

  'service-name-unknown': {
    en: 'There is no service “{name}”. Use one of {names}, or an https address.',
    de: 'Es gibt keinen Dienst „{name}“. Möglich sind {names} oder eine https-Adresse.',
  },
  'service-name-meant': {
    en: 'There is no service “{name}”. Did you mean {nearest}? Use one of {names}, or an https address.',
    de: 'Es gibt keinen Dienst „{name}“. Meinten Sie {nearest}? Möglich sind {names} oder eine https-Adresse.',
  },
  'profile-file-unusable': {
    en: 'The service profile {file} cannot be used.',
    de: 'Das Dienstprofil {file} lässt sich nicht verwenden.',
  },
  'plan-not-applicable': {
    en: '--account-plan and --billing-date do not apply to {name}: its limits are in its service profile.',
    de: '--account-plan und --billing-date gelten nicht für {name}: Seine Limits stehen im Dienstprofil.',
  },

  'template-file-unusable': {
    en: 'The template {file} is not a JSON object that can be read.',
    de: 'Die Vorlage {file} ist kein lesbares JSON-Objekt.',
  },
  'file-not-readable': {
    en: '{file} cannot be read.',
    de: '{file} lässt sich nicht lesen.',
  },
  'file-not-writable': {
    en: '{file} cannot be written.',
    de: '{file} lässt sich nicht schreiben.',
  },
  'file-exists': {
    en: '{file} already exists; nothing was written.',
    de: '{file} ist schon da; es wurde nichts geschrieben.',
  },

  'batch-name-unknown': {
    en: 'There is no batch “{name}”. The latest are {names}.',
    de: 'Es gibt keinen Stapel „{name}“. Die neuesten sind {names}.',
  },
  'batch-name-unknown-none': {
    en: 'There is no batch “{name}”. This service has no batches.',
    de: 'Es gibt keinen Stapel „{name}“. Dieser Dienst hat keine Stapel.',
  },
  'batch-name-ambiguous': {
    en: 'Several batches are called “{name}”: {batches}.',
    de: 'Mehrere Stapel heißen „{name}“: {batches}.',
  },
  'row-choice-one-file': {
    en: '--duplicate-row can be used with one file only.',
    de: '--duplicate-row ist nur mit einer einzigen Datei möglich.',
  },
  'row-choice-missing': {
    en: '--duplicate-row: the file has no row {row}. spool plan shows the numbers.',
    de: '--duplicate-row: Die Datei hat keine Zeile {row}. Die Nummern zeigt spool plan.',
  },
  'one-batch-too-many-files': {
    en: 'A batch can have at most {max:count} files.',
    de: 'Ein Stapel kann höchstens {max:count} Dateien haben.',
  },
} as const;
