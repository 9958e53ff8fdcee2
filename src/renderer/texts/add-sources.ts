import { english, german } from '../../contract/format-in.ts';
import { englishFiles, englishRows, germanFiles, germanRows } from '../../contract/counted.ts';

/** Where the rows of a batch come from: files, pasted text, one video. */
export const addSourceTexts = {
  drop: {
    en: 'Drop a spreadsheet',
    de: 'Ziehen Sie eine Tabelle hierher',
  },
  dropSentence: {
    en: 'Each row becomes one video. Nothing is sent until you have seen the plan.',
    de: 'Jede Zeile wird ein Video. Es wird nichts gesendet, bevor Sie den Plan gesehen haben.',
  },
  kinds: {
    en: 'Excel, OpenDocument, CSV, TSV, JSON or a table from a web page',
    de: 'Excel, OpenDocument, CSV, TSV, JSON oder eine Tabelle aus einer Webseite',
  },

  /** @param service its name; `null` for this computer */
  where: {
    en: (service: string | null) =>
      service === null ? 'Rendered on this computer' : `Rendered by ${service}`,
    de: (service: string | null) =>
      service === null ? 'Gerendert wird auf diesem Computer' : `Gerendert wird bei ${service}`,
  },
  choose: { en: 'Choose files', de: 'Dateien auswählen' },
  one: { en: 'Describe one video', de: 'Ein Video beschreiben' },
  template: { en: 'Start from a template', de: 'Mit einer Vorlage beginnen' },
  templates: {
    xlsx: { en: 'Excel workbook (.xlsx)', de: 'Excel-Arbeitsmappe (.xlsx)' },
    csv: { en: 'CSV file (.csv)', de: 'CSV-Datei (.csv)' },
  },
  templateMeans: {
    en: 'Fill in a row for each video, then drop the file here.',
    de: 'Füllen Sie für jedes Video eine Zeile aus und ziehen Sie die Datei hierher.',
  },
  pasteLabel: {
    en: 'Or paste rows from a spreadsheet, starting with the column names',
    de: 'Oder fügen Sie Zeilen aus einer Tabelle ein, zuerst die Spaltennamen',
  },
  check: { en: 'Check rows', de: 'Zeilen prüfen' },
  checking: {
    en: (name: string) => `Checking ${name}`,
    de: (name: string) => `${name} wird geprüft`,
  },
  discard: { en: 'Discard', de: 'Verwerfen' },
  keep: { en: 'Keep', de: 'Behalten' },
  /** @param name of what is discarded; `null` for several files */
  discardTitle: {
    en: (name: string | null) =>
      name === null ? 'Discard the files that were not added?' : `Discard “${name}”?`,
    de: (name: string | null) =>
      name === null ? 'Die nicht hinzugefügten Dateien verwerfen?' : `„${name}“ verwerfen?`,
  },
  discardMeans: {
    en: 'Corrections and choices that you made here are lost. The files stay as they are.',
    de: 'Korrekturen und Einstellungen, die Sie hier vorgenommen haben, gehen verloren. Die Dateien bleiben, wie sie sind.',
  },
  another: { en: 'Another file', de: 'Andere Datei' },
  tooLarge: { en: 'The file is larger than 64 MB', de: 'Die Datei ist größer als 64 MB' },
  tooLargeMeans: {
    en: 'Split it into smaller files and add them one after another.',
    de: 'Teilen Sie sie und fügen Sie die Teile nacheinander hinzu.',
  },
  unreadable: { en: 'The file could not be read', de: 'Die Datei konnte nicht gelesen werden' },
  unreadableMeans: {
    en: 'It may be a folder, or it was changed or moved. Drop it again.',
    de: 'Vielleicht ist sie ein Ordner oder wurde geändert oder verschoben. Ziehen Sie sie noch einmal hierher.',
  },

  pictureAlone: {
    en: 'A browser doesn’t say which folder a picture is in',
    de: 'Ein Browser verrät nicht, in welchem Ordner ein Bild liegt',
  },
  pictureAloneMeans: {
    en: 'Drop it on the Spool app, or enter spool run and the folder.',
    de: 'Ziehen Sie es in die Spool-App oder geben Sie spool run und den Ordner ein.',
  },

  list: {
    label: { en: 'Files', de: 'Dateien' },
    shown: {
      en: (number: number, of: number, name: string) => english`File ${number} of ${of}: ${name}`,
      de: (number: number, of: number, name: string) => german`Datei ${number} von ${of}: ${name}`,
    },
    together: {
      en: (count: number) => `${englishFiles(count)} as one batch`,
      de: (count: number) => `${germanFiles(count)} als ein Stapel`,
    },
    files: { en: englishFiles, de: germanFiles },
    choice: { en: 'How to add several files', de: 'Was aus mehreren Dateien wird' },
    choices: {
      each: { en: 'One batch per file', de: 'Ein Stapel pro Datei' },
      together: { en: 'One batch', de: 'Ein Stapel' },
    },
    more: { en: 'Add files', de: 'Dateien hinzufügen' },
    rows: { en: englishRows, de: germanRows },
    errors: {
      en: (count: number) => (count === 1 ? '1 error' : english`${count} errors`),
      de: (count: number) => german`${count} Fehler`,
    },
    standing: {
      waiting: { en: 'not checked yet', de: 'noch nicht geprüft' },
      added: { en: 'added', de: 'hinzugefügt' },
      'left-out': { en: 'left out', de: 'ausgelassen' },
    },
    leaveOut: {
      en: (name: string) => `Leave out ${name}`,
      de: (name: string) => `${name} auslassen`,
    },
    takeBackIn: {
      en: (name: string) => `Include ${name} again`,
      de: (name: string) => `${name} wieder aufnehmen`,
    },
    skip: { en: 'Skip this file', de: 'Diese Datei überspringen' },
    checking: { en: 'Checking files', de: 'Dateien werden geprüft' },
    checkAgain: { en: 'Check again', de: 'Erneut prüfen' },
    refused: {
      en: (count: number, max: number) =>
        count === 1
          ? english`1 file was left out: at most ${max} are checked at a time`
          : english`${count} files were left out: at most ${max} are checked at a time`,
      de: (count: number, max: number) =>
        `${germanFiles(count)} ${count === 1 ? 'wurde' : 'wurden'} ausgelassen: ${german`Es werden höchstens ${max} auf einmal geprüft`}`,
    },
    replaced: {
      en: (name: string) => `${name} was opened again and replaces the earlier one`,
      de: (name: string) => `${name} wurde erneut geöffnet und ersetzt die frühere`,
    },
    tooLarge: {
      en: 'Together, the files are larger than 64 MB',
      de: 'Zusammen sind die Dateien größer als 64 MB',
    },
    tooLargeMeans: {
      en: 'Leave some out, or add one batch per file.',
      de: 'Lassen Sie einige aus oder fügen Sie einen Stapel pro Datei hinzu.',
    },
    outcome: {
      en: (added: number, of: number) =>
        english`${added} of ${englishFiles(of)} ${added === 1 ? 'was' : 'were'} added`,
      de: (added: number, of: number) =>
        german`${added} von ${germanFiles(of)} ${added === 1 ? 'wurde' : 'wurden'} hinzugefügt`,
    },
    outcomeSentence: {
      en: 'You can include files that were left out. Fix those that could not be read, then drop them again.',
      de: 'Ausgelassene Dateien können Sie wieder aufnehmen. Unlesbare können Sie korrigieren und noch einmal hierher ziehen.',
    },
    toQueue: { en: 'Go to the queue', de: 'Zur Warteschlange' },
  },
};
