import { GERMAN_MESSAGES as words } from '../../contract/german-messages.ts';
import { formatIn } from '../../contract/format-in.ts';
import type { enAdd } from './en-add.ts';

const say = formatIn('de-DE');

const videos = (count: number): string => (count === 1 ? '1 Video' : say`${count} Videos`);
const rows = (count: number): string => (count === 1 ? '1 Zeile' : say`${count} Zeilen`);
const files = (count: number): string => (count === 1 ? '1 Datei' : say`${count} Dateien`);

const place: typeof enAdd.preview.title = (row, file) =>
  file === null ? `Zeile ${row}` : `Zeile ${row} von ${file}`;

export const deAdd: typeof enAdd = {
  drop: 'Ziehen Sie CSV-, TSV- oder JSON-Dateien hierher',
  dropSentence:
    'Jede Zeile wird ein Video. Es wird nichts gesendet, bevor Sie den Plan gesehen haben.',
  where: (service) =>
    service === null ? 'Gerendert wird auf diesem Computer' : `Gerendert wird bei ${service}`,
  choose: 'Dateien auswählen',
  one: 'Ein Video beschreiben',
  pasteLabel: 'Oder fügen Sie Zeilen aus einer Tabelle ein, zuerst die Spaltennamen',
  check: 'Zeilen prüfen',
  checking: (name) => `${name} wird geprüft`,
  back: 'Von vorn beginnen',
  another: 'Andere Datei',
  tooLarge: 'Die Datei ist größer als 64 MB',
  tooLargeMeans: 'Teilen Sie sie und fügen Sie die Teile nacheinander hinzu.',
  notText: 'Die Datei ist kein Text',
  notTextMeans: 'Speichern Sie die Tabelle als CSV-Datei und fügen Sie diese hinzu.',
  unreadable: 'Die Datei konnte nicht gelesen werden',
  unreadableMeans:
    'Vielleicht ist sie ein Ordner oder wurde geändert oder verschoben. Ziehen Sie sie noch einmal hierher.',

  list: {
    label: 'Dateien',
    shown: (number, of, name) => say`Datei ${number} von ${of}: ${name}`,
    together: (count) => `${files(count)} als ein Stapel`,
    files,
    choice: 'Was aus mehreren Dateien wird',
    choices: { each: 'Ein Stapel pro Datei', together: 'Ein Stapel' },
    more: 'Dateien hinzufügen',
    rows,
    faults: (count) => say`${count} Fehler`,
    standing: { waiting: 'noch nicht geprüft', added: 'hinzugefügt', 'left-out': 'ausgelassen' },
    leaveOut: (name) => `${name} auslassen`,
    takeBackIn: (name) => `${name} wieder aufnehmen`,
    skip: 'Diese Datei überspringen',
    stop: 'Beenden',
    checking: 'Dateien werden geprüft',
    checkAgain: 'Erneut prüfen',
    refused: (count, max) =>
      `${files(count)} ${count === 1 ? 'wurde' : 'wurden'} ausgelassen: ${say`Es werden höchstens ${max} auf einmal geprüft`}`,
    replaced: (name) => `${name} wurde erneut geöffnet und ersetzt die frühere`,
    tooLarge: 'Zusammen sind die Dateien größer als 64 MB',
    tooLargeMeans: 'Lassen Sie einige aus oder fügen Sie einen Stapel pro Datei hinzu.',
    outcome: (added, of) =>
      say`${added} von ${files(of)} ${added === 1 ? 'wurde' : 'wurden'} hinzugefügt`,
    outcomeSentence:
      'Ausgelassene Dateien können Sie wieder aufnehmen. Unlesbare können Sie korrigieren und noch einmal hierher ziehen.',
    toQueue: 'Zur Warteschlange',
  },

  sections: 'Teile des Stapels',
  section: { rows: 'Zeilen', columns: 'Spalten', request: 'Anfrage', files: 'Dateinamen' },

  columns: {
    row: 'Zeile',
    from: 'In Datei',
    title: 'Titel',
    file: 'Datei',
    what: 'Was geschieht',
    when: 'Gespeichert',
  },
  table: 'Zeilen des Stapels',
  outcomes: {
    new: 'neu, kostet 1 Video',
    saved: 'schon gespeichert',
    'already-queued': 'schon in der Warteschlange',
    'downloaded-again': 'schon gerendert, wird erneut heruntergeladen',
    'in-other-batch': 'in einem anderen Stapel, nicht hinzugefügt',
    skipped: 'übersprungen, Datei vorhanden',
    'failed-before': 'schon fehlgeschlagen, kein neuer Versuch',
    'duplicate-skipped': 'übersprungen',
  },
  outcomesWithoutQuota: { new: 'neu' },
  faults: (count) => say`${count} Fehler zu beheben`,
  faultsSentence: (count) =>
    `Korrigieren Sie ${count === 1 ? 'ihn' : 'sie'} in der Datei und ziehen Sie sie noch einmal hierher. Es wurde nichts hinzugefügt oder verbraucht.`,
  showError: (count) => (count === 1 ? 'Fehler zeigen' : 'Nächster Fehler'),
  faultsInChoices: 'Es wurde nichts hinzugefügt oder verbraucht.',
  unready: 'Der Plan entsteht, sobald alle Fehler behoben sind.',
  matchColumns: 'Spalten zuordnen',
  unused: (count, columns) =>
    count === 1
      ? `1 Spalte wird nicht verwendet: ${columns}`
      : say`${count} Spalten werden nicht verwendet: ${columns}`,
  seeRequest: 'Anfrage ansehen',

  likeRows: (count) => (count === 1 ? '1 Zeile ist doppelt' : `${rows(count)} sind doppelt`),
  likeInFile: (count, of) => `${of === 1 ? '' : say`${count} davon `}doppelt in dieser Datei`,
  likeCost: (cost, of) =>
    `${of === 1 ? 'kostet' : 'kosten'} ${cost === 0 ? 'nichts' : cost === 1 ? '1 Video' : say`${cost} Videos`}`,
  likeRenders: (count) => (count === 0 ? 'nichts zu rendern' : `${videos(count)} zu rendern`),
  likeChoice: 'Doppelte Zeilen',
  duplicates: { reuse: 'Videos wiederverwenden', render: 'Neu rendern', skip: 'Überspringen' },
  likeChosen: (count) => `${rows(count)} einzeln gewählt`,
  wayOf: (row, file) => `Was mit ${place(row, file)} geschieht`,
  ways: {
    new: 'Rendern, kostet 1 Video',
    saved: 'Gespeicherte Datei behalten, gratis',
    'already-queued': 'Schon in der Warteschlange, gratis',
    'downloaded-again': 'Erneut herunterladen, gratis',
    'in-other-batch': 'Vorerst auslassen, gratis',
    skipped: 'Überspringen, Datei vorhanden',
    'failed-before': 'Kein neuer Versuch, gratis',
    'duplicate-skipped': 'Überspringen, gratis',
  },
  waysWithoutQuota: { new: 'Rendern' },
  likeJob: (batch, state) => `Wie ein Video in ${batch}: ${state}.`,
  likePending:
    'Es würde doppelt bezahlt. Sobald jenes Video gespeichert ist, fügen Sie die Zeilen noch einmal hinzu, um es herunterzuladen.',
  likeRow: (row, file) => `Wie ${place(row, file)}.`,

  match: {
    table: 'Spalten der Datei',
    column: 'In der Datei',
    examples: 'Zum Beispiel',
    use: 'Verwendet für',
    useOf: (column) => `Wofür ${column} verwendet wird`,
    furtherUseOf: (column) => `Wofür ${column} außerdem verwendet wird`,
    useFurther: (column) => `${column} noch für ein anderes Feld verwenden`,
    notUsed: 'Nicht verwendet',
    needed: (field) => `${field} (erforderlich)`,
    takenFrom: (field, column) => `${field} (jetzt ${column})`,
    quoted: (field) => `„${field}“`,
    missing: (fields) => `Keine Spalte für ${fields}`,
    missingSentence: 'Jedes Video braucht diese Angabe. Wählen Sie unten eine Spalte dafür.',
    alikeSentence: 'Wählen Sie unten, welche verwendet wird.',
    headerSentence:
      'Die Namen stehen in der ersten Zeile; ist diese schon ein Video, ergänzen Sie eine Zeile mit Namen.',
    recalled: 'Zugeordnet wie bei der letzten Datei mit diesen Spalten.',
    reset: 'Nach Namen zuordnen',
    unfilled: (fields) => `Keine Spalte für ${fields}; dafür gelten die Vorgaben.`,
    inRequest: (name) => `in der Anfrage als ${name}`,
    notInRequest: 'nicht in der Anfrage',
    empty: 'leer',
  },

  request: {
    from: 'Grundlage',
    kinds: { profile: 'Die Spalten', own: 'Eigener Text' },
    profileSentence: 'So wird jedes Video angefordert, mit den Werten aus seiner Zeile.',
    ownSentence:
      'Spalten stehen in doppelten geschweiften Klammern. Steht eine Spalte allein, behält sie ihren Typ, innerhalb eines Textes wird sie zu Text; was eine Zeile leer lässt, entfällt.',
    label: 'Anfrage als JSON',
    insert: 'Spalte einfügen',
    fault: 'Das ist kein JSON-Objekt',
    faultAt: (line, column) => `Kein JSON in Zeile ${line}, Spalte ${column}`,
    recalled: 'Ihre eigene Vorlage wird erneut verwendet',
    recalledMeans: 'Sie stammt von der letzten Datei mit diesen Spalten.',
    useDefault: 'Standard verwenden',
  },

  files: {
    folder: 'Ordner',
    chooseFolder: 'Auswählen …',
    template: 'Dateinamen',
    templateHint:
      'Spalten stehen in geschweiften Klammern; {row} ist die Zeile der Tabelle, {index} zählt die Videos. Ein Schrägstrich legt einen Ordner an.',
    unknown: (names) => `Keine Spalte heißt ${names}; dort bleibt der Name leer.`,
    insert: 'Spalte einfügen',
    collision: 'Wenn die Datei schon existiert',
    collisions: {
      number: words['collision-number'],
      skip: words['collision-skip'],
      replace: words['collision-replace'],
    },
    preview: 'Die ersten Dateien',
    more: (count) => say`und ${count} weitere`,
    none: 'Es gibt keine Zeilen, also auch keine Dateinamen.',
  },

  preview: {
    title: place,
    one: 'Vorschau',
    previous: 'Vorherige Zeile',
    next: 'Nächste Zeile',
    request: 'Was gesendet wird',
    nothing: 'Es wird nichts gesendet.',
    file: 'Gespeichert als',
    cells: 'In der Datei',
    reading: 'Wird geladen …',
  },

  frame: {
    title: 'Vorschaubild',
    alt: (title) => `Ein Bild aus „${title}“`,
    drawing: 'Bild wird gezeichnet …',
    size: (width, height) => `${width} × ${height}`,
    seconds: (length) => `${length} s`,
    note: 'Auf diesem Computer gezeichnet, kostenlos.',
    refused: 'Der Dienst würde diese Anfrage ablehnen:',
    refusedOutcome: 'neu, der Dienst würde es aber ablehnen',
    unavailable: 'Der Dienst konnte kein Bild zeichnen.',
  },

  video: {
    batch: 'Einzelne Videos',
    title: 'Ein Video',
    form: 'Ein Video',
    needed: 'erforderlich',
    chosenByDefault: (value) => `ohne Angabe ${value}`,
    between: (min, max) => `von ${min} bis ${max}`,
    listHint: (count) => say`Ein Eintrag pro Zeile, höchstens ${count}`,
    default: (value) => `${value} (Vorgabe)`,
    noChoice: 'Keine Auswahl',
    colourExample: 'z. B. #ffb020',
    fill: (fields) => `Füllen Sie ${fields} aus, um den Plan zu sehen.`,
    fix: 'Beheben Sie, was markiert ist, um den Plan zu sehen.',
  },

  forecast: {
    costs: (count) => say`Kostet ${count} von Ihrem Kontingent`,
    costsNothing: 'Kostet nichts',
    rejected: 'Der Dienst würde diese Anfrage ablehnen',
    renders: (count) => (count === 0 ? 'Rendert nichts' : `Rendert ${videos(count)}`),
    left: {
      month: (left) => `${left} in diesem Monat übrig`,
      day: (left) => `${left} heute übrig`,
    },
    estimate: (amount, count) => `Etwa ${amount} für ${videos(count)} (geschätzt)`,
    costUnknown: (count) => `Rendert ${videos(count)}; den Preis nennt der Dienst`,
    costMissing: (count) => `Die Kosten für ${videos(count)} sind nicht bekannt`,
    balance: (amount) => `Ihr Guthaben betrug ${amount}`,
    overBalance: (amount) => `Mehr als Ihr Guthaben, das ${amount} betrug`,
    balanceRead: (when) => `(${when})`,
    videos,
    done: (when) => `fertig ${when}`,
    last: (when) => `das letzte ${when}`,
    to: (service) =>
      service === null ? 'auf diesem Computer gerendert' : `gesendet an ${service}`,
    today: (count) => say`${count} heute`,
    later: (count) => say`${count} später`,
    afterReset: (count, reset) => say`${count} nach dem ${reset}`,
    skipped: (count) => say`${count} übersprungen oder schon da`,
    inOtherBatches: (count) => say`${count} in anderen Stapeln, nicht hinzugefügt`,
    again: (count) => say`${count} kostenlos erneut heruntergeladen`,
    working: 'Wird berechnet …',
  },
  button: (count, service) =>
    `${videos(count)}${service === null ? '' : ` zu ${service}`} hinzufügen`,
  plannedAgain: (service) => `Neu geplant für ${service}`,
  plannedAgainMeans:
    'Es wird jetzt ein anderer Dienst gezeigt. Prüfen Sie Anfrage, Spalten und Kosten noch einmal.',
  nothingNew: 'Nichts hinzuzufügen',
  added: (count, batch) => `${videos(count)} zu ${batch} hinzugefügt`,
  addedNothing: (batch) => `${batch} war schon da`,
};
