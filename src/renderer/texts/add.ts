/** Texts of the view in which a batch is checked and added. */
import { english, german } from '../../contract/format-in.ts';
import { MESSAGES } from '../../contract/messages.ts';
import { addSourceTexts } from './add-sources.ts';
import { addForecastTexts } from './add-forecast.ts';
import { addReadingTexts } from './add-reading.ts';
import { addRepairTexts } from './add-repairs.ts';
import { addVersionTexts } from './add-versions.ts';
import { englishRows, englishVideos, germanRows, germanVideos } from '../../contract/counted.ts';

/** @param file its name if there are several; else `null` */
const englishPlace = (row: number, file: string | null): string =>
  file === null ? `row ${row}` : `row ${row} of ${file}`;
const germanPlace = (row: number, file: string | null) =>
  file === null ? `Zeile ${row}` : `Zeile ${row} von ${file}`;

/** Texts of the view that adds videos. */
export const addTexts = {
  usedBefore: {
    en: (file: string) => `${file} was added with other choices`,
    de: (file: string) => `${file} wurde mit anderen Angaben hinzugefügt`,
  },
  usedBeforeOptions: {
    columns: { en: 'columns', de: 'Spalten' },
    template: { en: 'request template', de: 'Anfragevorlage' },
    nameTemplate: { en: 'file names', de: 'Dateinamen' },
    folder: { en: 'folder', de: 'Ordner' },
    onCollision: { en: 'existing files', de: 'vorhandene Dateien' },
    duplicates: { en: 'duplicates', de: 'Duplikate' },
    reading: { en: 'how the table is read', de: 'Lesen der Tabelle' },
  },
  usedBeforeAt: {
    en: (service: string) => `It was rendered by ${service}.`,
    de: (service: string) => `Gerendert wurde bei ${service}.`,
  },
  switchTo: {
    en: (service: string) => `Switch to ${service}`,
    de: (service: string) => `Zu ${service} wechseln`,
  },
  useAsBefore: {
    en: (file: string) => `As with ${file}`,
    de: (file: string) => `Wie bei ${file}`,
  },

  ...addSourceTexts,

  sections: { en: 'Parts of the batch', de: 'Teile des Stapels' },
  section: {
    rows: { en: 'Rows', de: 'Zeilen' },
    columns: { en: 'Columns', de: 'Spalten' },
    request: { en: 'Request', de: 'Anfrage' },
    files: { en: 'File names', de: 'Dateinamen' },
  },

  columns: {
    row: { en: 'Row', de: 'Zeile' },
    from: { en: 'In file', de: 'In Datei' },
    title: { en: 'Title', de: 'Titel' },
    file: { en: 'File', de: 'Datei' },
    what: { en: 'What happens', de: 'Was geschieht' },
    when: { en: 'Saved', de: 'Gespeichert' },
  },
  table: { en: 'Rows of the batch', de: 'Zeilen des Stapels' },
  outcomes: {
    new: { en: 'new, uses 1 video', de: 'neu, kostet 1 Video' },
    saved: { en: 'already saved', de: 'schon gespeichert' },
    'already-queued': { en: 'already queued', de: 'schon in der Warteschlange' },
    'downloaded-again': {
      en: 'already rendered, downloaded again',
      de: 'schon gerendert, wird erneut heruntergeladen',
    },
    'in-other-batch': {
      en: 'in another batch, not added',
      de: 'in einem anderen Stapel, nicht hinzugefügt',
    },
    skipped: { en: 'skipped, file already exists', de: 'übersprungen, Datei vorhanden' },
    'failed-before': {
      en: 'failed before, not retried',
      de: 'schon fehlgeschlagen, kein neuer Versuch',
    },
    'duplicate-skipped': { en: 'skipped', de: 'übersprungen' },
  },

  /** For a service without a quota of videos. */
  outcomesWithoutQuota: {
    new: { en: 'new', de: 'neu' },
  },
  errors: {
    en: (count: number) => (count === 1 ? '1 error to fix' : english`${count} errors to fix`),
    de: (count: number) => german`${count} Fehler zu beheben`,
  },
  errorsInChoices: {
    en: 'Nothing was added or spent.',
    de: 'Es wurde nichts hinzugefügt oder verbraucht.',
  },
  unready: {
    en: 'The plan appears once every error is fixed.',
    de: 'Der Plan entsteht, sobald alle Fehler behoben sind.',
  },
  matchColumns: { en: 'Match columns', de: 'Spalten zuordnen' },
  unused: {
    en: (count: number, columns: string) =>
      count === 1
        ? `1 column is not used: ${columns}`
        : english`${count} columns are not used: ${columns}`,
    de: (count: number, columns: string) =>
      count === 1
        ? `1 Spalte wird nicht verwendet: ${columns}`
        : german`${count} Spalten werden nicht verwendet: ${columns}`,
  },
  likelyColumn: {
    en: (column: string, likely: string) => `${column} (is it “${likely}”?)`,
    de: (column: string, likely: string) => `${column} (ist „${likely}“ gemeint?)`,
  },
  seeRequest: { en: 'Show the request', de: 'Anfrage ansehen' },

  likeRows: {
    en: (count: number) =>
      count === 1 ? '1 row is a duplicate' : `${englishRows(count)} are duplicates`,
    de: (count: number) =>
      count === 1 ? '1 Zeile ist doppelt' : `${germanRows(count)} sind doppelt`,
  },
  likeInFile: {
    en: (count: number, of: number) =>
      of === 1 ? 'repeated in this file' : english`${count} of them repeated in this file`,
    de: (count: number, of: number) =>
      `${of === 1 ? '' : german`${count} davon `}mehrfach in dieser Datei`,
  },
  likeCost: {
    en: (cost: number, of: number) =>
      `${of === 1 ? 'it costs' : 'they cost'} ${cost === 0 ? 'nothing' : cost === 1 ? '1 video' : english`${cost} videos`}`,
    de: (cost: number, of: number) =>
      `${of === 1 ? 'kostet' : 'kosten'} ${cost === 0 ? 'nichts' : cost === 1 ? '1 Video' : german`${cost} Videos`}`,
  },
  likeRenders: {
    en: (count: number) => (count === 0 ? 'renders nothing' : `renders ${englishVideos(count)}`),
    de: (count: number) =>
      count === 0 ? 'nichts zu rendern' : `${germanVideos(count)} zu rendern`,
  },
  likeChoice: { en: 'Duplicate rows', de: 'Doppelte Zeilen' },
  duplicates: {
    reuse: { en: 'Reuse videos', de: 'Videos wiederverwenden' },
    render: { en: 'Render again', de: 'Neu rendern' },
    skip: { en: 'Skip', de: 'Überspringen' },
  },
  likeChosen: {
    en: (count: number) => `${englishRows(count)} decided one by one`,
    de: (count: number) => `${germanRows(count)} einzeln gewählt`,
  },
  wayOf: {
    en: (row: number, file: string | null) => `What happens with ${englishPlace(row, file)}`,
    de: (row: number, file: string | null) => `Was mit ${germanPlace(row, file)} geschieht`,
  },
  choices: {
    new: { en: 'Render, uses 1 video', de: 'Rendern, kostet 1 Video' },
    saved: { en: 'Keep the saved file, free', de: 'Gespeicherte Datei behalten, kostenlos' },
    'already-queued': { en: 'Already queued, free', de: 'Schon in der Warteschlange, kostenlos' },
    'downloaded-again': { en: 'Download again, free', de: 'Erneut herunterladen, kostenlos' },
    'in-other-batch': { en: 'Don’t add yet, free', de: 'Vorerst auslassen, kostenlos' },
    skipped: { en: 'Skip, file already exists', de: 'Überspringen, Datei vorhanden' },
    'failed-before': { en: 'Don’t retry, free', de: 'Kein neuer Versuch, kostenlos' },
    'duplicate-skipped': { en: 'Skip, free', de: 'Überspringen, kostenlos' },
  },
  choicesWithoutQuota: {
    new: { en: 'Render', de: 'Rendern' },
  },
  likeJob: {
    en: (batch: string, state: string) => `The same as one in ${batch}: ${state}.`,
    de: (batch: string, state: string) => `Wie ein Video in ${batch}: ${state}.`,
  },
  likePending: {
    en: 'That video is not finished. Once it is saved, add these rows again to reuse it.',
    de: 'Das andere Video ist noch nicht fertig. Sobald es gespeichert ist, fügen Sie die Zeilen noch einmal hinzu, um es wiederzuverwenden.',
  },
  likeRow: {
    en: (row: number, file: string | null) => `The same as ${englishPlace(row, file)}.`,
    de: (row: number, file: string | null) => `Wie ${germanPlace(row, file)}.`,
  },

  match: {
    table: { en: 'Columns of the file', de: 'Spalten der Datei' },
    column: { en: 'In the file', de: 'In der Datei' },
    examples: { en: 'For example', de: 'Zum Beispiel' },
    use: { en: 'Used for', de: 'Verwendet für' },
    useOf: {
      en: (column: string) => `What ${column} is used for`,
      de: (column: string) => `Wofür ${column} verwendet wird`,
    },
    furtherUseOf: {
      en: (column: string) => `What else ${column} is used for`,
      de: (column: string) => `Wofür ${column} außerdem verwendet wird`,
    },
    useFurther: {
      en: (column: string) => `Use ${column} for another field too`,
      de: (column: string) => `${column} noch für ein anderes Feld verwenden`,
    },
    notUsed: { en: 'Not used', de: 'Nicht verwendet' },
    needed: {
      en: (field: string) => `${field} (required)`,
      de: (field: string) => `${field} (erforderlich)`,
    },
    takenFrom: {
      en: (field: string, column: string) => `${field} (now ${column})`,
      de: (field: string, column: string) => `${field} (jetzt ${column})`,
    },
    quoted: { en: (field: string) => `“${field}”`, de: (field: string) => `„${field}“` },
    missing: {
      en: (fields: string) => `No column is used for ${fields}`,
      de: (fields: string) => `Keine Spalte für ${fields}`,
    },
    missingSentence: {
      en: 'Every video needs it. Select a column for it below.',
      de: 'Jedes Video braucht diese Angabe. Wählen Sie unten eine Spalte dafür.',
    },
    alikeSentence: {
      en: 'Select below which of them to use.',
      de: 'Wählen Sie unten, welche verwendet wird.',
    },
    headerSentence: {
      en: 'Column names come from the first row. If that row is a video, add a header row above it.',
      de: 'Die Spaltennamen stehen in der ersten Zeile. Ist diese schon ein Video, fügen Sie darüber eine Kopfzeile ein.',
    },
    recalled: {
      en: 'Matched as in the last file with these columns.',
      de: 'Zugeordnet wie bei der letzten Datei mit diesen Spalten.',
    },
    reset: { en: 'Match by name', de: 'Nach Namen zuordnen' },
    unfilled: {
      en: (fields: string) => `No column for ${fields}; these keep their defaults.`,
      de: (fields: string) => `Keine Spalte für ${fields}; dafür gelten die Vorgaben.`,
    },
    inRequest: {
      en: (name: string) => `in the request as ${name}`,
      de: (name: string) => `in der Anfrage als ${name}`,
    },
    notInRequest: { en: 'not in the request', de: 'nicht in der Anfrage' },
    empty: { en: 'empty', de: 'leer' },
  },

  request: {
    from: { en: 'Made from', de: 'Grundlage' },
    kinds: {
      profile: { en: 'The columns', de: 'Die Spalten' },
      own: { en: 'Custom template', de: 'Eigene Vorlage' },
    },
    profileSentence: {
      en: 'This request is sent for each video, filled in from its row.',
      de: 'So wird jedes Video angefordert, mit den Werten aus seiner Zeile.',
    },
    ownSentence: {
      en: 'Write columns in double braces. On its own a column keeps its type; within text it becomes text. Empty cells are omitted.',
      de: 'Spalten stehen in doppelten geschweiften Klammern. Steht eine Spalte allein, behält sie ihren Typ, innerhalb eines Textes wird sie zu Text; was eine Zeile leer lässt, entfällt.',
    },
    label: { en: 'Request, as JSON', de: 'Anfrage als JSON' },
    insert: { en: 'Insert a column', de: 'Spalte einfügen' },
    error: { en: 'This is not a JSON object', de: 'Das ist kein JSON-Objekt' },
    errorAt: {
      en: (line: number, column: number) => `Not JSON at line ${line}, column ${column}`,
      de: (line: number, column: number) => `Kein JSON in Zeile ${line}, Spalte ${column}`,
    },
    recalled: {
      en: 'Your custom template is used again',
      de: 'Ihre eigene Vorlage wird erneut verwendet',
    },
    recalledMeans: {
      en: 'You wrote it for the last file with these columns.',
      de: 'Sie stammt von der letzten Datei mit diesen Spalten.',
    },
    useDefault: { en: 'Use the default', de: 'Standard verwenden' },
  },

  files: {
    folder: { en: 'Folder', de: 'Ordner' },
    chooseFolder: { en: 'Choose…', de: 'Auswählen …' },
    template: { en: 'File names', de: 'Dateinamen' },
    templateHint: {
      en: 'Write columns in braces. {row} is the row number, {index} counts the videos. A slash creates a folder.',
      de: 'Spalten stehen in geschweiften Klammern; {row} ist die Zeile der Tabelle, {index} zählt die Videos. Ein Schrägstrich legt einen Ordner an.',
    },
    unknown: {
      en: (names: string) => `There is no column called ${names}. It is left empty.`,
      de: (names: string) => `Keine Spalte heißt ${names}; dort bleibt der Name leer.`,
    },
    insert: { en: 'Insert a column', de: 'Spalte einfügen' },
    collision: { en: 'If a file already exists', de: 'Wenn die Datei schon existiert' },
    collisions: {
      number: MESSAGES['collision-number'],
      skip: MESSAGES['collision-skip'],
      replace: MESSAGES['collision-replace'],
    },
    preview: { en: 'The first files', de: 'Die ersten Dateien' },
    more: {
      en: (count: number) => english`and ${count} more`,
      de: (count: number) => german`und ${count} weitere`,
    },
    none: {
      en: 'No rows, so no file names.',
      de: 'Es gibt keine Zeilen, also auch keine Dateinamen.',
    },
  },

  preview: {
    title: {
      en: (row: number, file: string | null) => `R${englishPlace(row, file).slice(1)}`,
      de: germanPlace,
    },
    videos: {
      en: (count: number) => english`The ${count} videos of this row`,
      de: (count: number) => german`Die ${count} Videos dieser Zeile`,
    },
    /** The video without a language, where others have one. */
    original: { en: 'Without a language', de: 'Ohne Sprache' },
    one: { en: 'Preview', de: 'Vorschau' },
    previous: { en: 'Previous row', de: 'Vorherige Zeile' },
    next: { en: 'Next row', de: 'Nächste Zeile' },
    request: { en: 'What is sent', de: 'Was gesendet wird' },
    nothing: { en: 'Nothing would be sent.', de: 'Es wird nichts gesendet.' },
    file: { en: 'Saved as', de: 'Gespeichert als' },
    cells: { en: 'In the file', de: 'In der Datei' },
    reading: { en: 'Loading…', de: 'Wird geladen …' },
  },

  frame: {
    title: { en: 'Preview frame', de: 'Vorschaubild' },
    alt: {
      en: (title: string) => `A frame of “${title}”`,
      de: (title: string) => `Ein Bild aus „${title}“`,
    },
    drawing: { en: 'Drawing a frame…', de: 'Bild wird gezeichnet …' },
    looks: { en: 'Compare looks', de: 'Stile vergleichen' },
    size: {
      en: (width: number, height: number) => `${width} × ${height}`,
      de: (width: number, height: number) => `${width} × ${height}`,
    },
    seconds: { en: (length: string) => `${length} s`, de: (length: string) => `${length} s` },
    note: {
      en: 'Drawn on this computer, free of charge.',
      de: 'Auf diesem Computer gezeichnet, kostenlos.',
    },
    refused: {
      en: 'The service would reject this request:',
      de: 'Der Dienst würde diese Anfrage ablehnen:',
    },
    refusedOutcome: {
      en: 'new, but the service would reject it',
      de: 'neu, der Dienst würde es aber ablehnen',
    },
    unavailable: {
      en: 'The service could not draw a frame.',
      de: 'Der Dienst konnte kein Bild zeichnen.',
    },
  },

  video: {
    batch: { en: 'Single videos', de: 'Einzelne Videos' },
    title: { en: 'One video', de: 'Ein Video' },
    form: { en: 'One video', de: 'Ein Video' },
    needed: { en: 'required', de: 'erforderlich' },
    more: {
      en: (count: number) => english`More fields (${count})`,
      de: (count: number) => german`Weitere Felder (${count})`,
    },
    chosenByDefault: {
      en: (value: string) => `${value} if left empty`,
      de: (value: string) => `ohne Angabe ${value}`,
    },
    between: {
      en: (min: string, max: string) => `from ${min} to ${max}`,
      de: (min: string, max: string) => `von ${min} bis ${max}`,
    },
    listHint: {
      en: (count: number) => english`One per line, at most ${count}`,
      de: (count: number) => german`Ein Eintrag pro Zeile, höchstens ${count}`,
    },
    default: {
      en: (value: string) => `${value} (default)`,
      de: (value: string) => `${value} (Vorgabe)`,
    },
    chooseFile: { en: 'Choose…', de: 'Auswählen …' },
    dropFile: { en: 'Drop a file here', de: 'Datei hierher ziehen' },
    dropFiles: { en: 'Drop files here', de: 'Dateien hierher ziehen' },
    firstTaken: {
      en: (name: string, count: number) => english`${name} was taken, the first of ${count} files`,
      de: (name: string, count: number) =>
        german`Übernommen: ${name}, die erste von ${count} Dateien`,
    },
    oneFile: { en: 'This field takes one file.', de: 'Dieses Feld nimmt nur eine Datei auf.' },
    fullPath: { en: 'Full path of the file', de: 'Vollständiger Pfad der Datei' },
    clear: {
      en: (field: string) => `Clear ${field}`,
      de: (field: string) => `${field} leeren`,
    },
    noChoice: { en: 'None', de: 'Keine Auswahl' },
    noColour: { en: 'none', de: 'keine' },
    fill: {
      en: (fields: string) => `Fill in ${fields} to see the plan.`,
      de: (fields: string) => `Füllen Sie ${fields} aus, um den Plan zu sehen.`,
    },
    fix: {
      en: 'Fix the marked fields to see the plan.',
      de: 'Korrigieren Sie die markierten Felder, um den Plan zu sehen.',
    },
  },

  forecast: addForecastTexts,
  versions: addVersionTexts,
  values: {
    title: {
      en: (column: string) => `Values of ${column}`,
      de: (column: string) => `Werte von ${column}`,
    },
    sentence: {
      en: 'A change applies to every row with this value. The file stays as it is.',
      de: 'Eine Änderung gilt für alle Zeilen mit diesem Wert. Die Datei bleibt, wie sie ist.',
    },
    value: { en: (text: string) => `Value ${text}`, de: (text: string) => `Wert ${text}` },
    empty: { en: 'empty', de: 'leer' },
    more: {
      en: (count: number) =>
        count === 1 ? 'and 1 rarer value' : english`and ${count} rarer values`,
      de: (count: number) =>
        count === 1 ? 'und 1 seltenerer Wert' : german`und ${count} seltenere Werte`,
    },
    showOf: {
      en: (column: string) => `All values of ${column}`,
      de: (column: string) => `Alle Werte von ${column}`,
    },
    done: { en: 'Done', de: 'Fertig' },
  },
  reading: addReadingTexts,
  repairs: addRepairTexts,
  button: {
    en: (count: number, service: string | null) =>
      `Add ${englishVideos(count)}${service === null ? '' : ` to ${service}`}`,
    de: (count: number, service: string | null) =>
      `${germanVideos(count)}${service === null ? '' : ` zu ${service}`} hinzufügen`,
  },
  plannedAgain: {
    en: (service: string) => `Planned again for ${service}`,
    de: (service: string) => `Neu geplant für ${service}`,
  },
  plannedAgainMeans: {
    en: 'Another service is shown now. Check the request, columns and cost again.',
    de: 'Es wird jetzt ein anderer Dienst gezeigt. Prüfen Sie Anfrage, Spalten und Kosten noch einmal.',
  },
  nothingNew: { en: 'Nothing to add', de: 'Nichts hinzuzufügen' },
  added: {
    en: (count: number, batch: string) => `${englishVideos(count)} added to ${batch}`,
    de: (count: number, batch: string) => `${germanVideos(count)} zu ${batch} hinzugefügt`,
  },
  addedNothing: {
    en: (batch: string) => `${batch} was already there`,
    de: (batch: string) => `${batch} war schon da`,
  },
};
