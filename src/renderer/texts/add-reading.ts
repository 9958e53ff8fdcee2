/** Texts about how a table was read. */
import { english, german } from '../../contract/format-in.ts';
import { englishRows, germanRows } from '../../contract/counted.ts';

export const addReadingTexts = {
  label: { en: 'How the file was read', de: 'So wurde die Datei gelesen' },
  sideways: {
    en: 'The names of the columns are in the first column.',
    de: 'Die Spaltennamen stehen in der ersten Spalte.',
  },
  turn: { en: 'Turn it', de: 'Drehen' },
  turned: {
    en: 'Turned: row 2 is column B of the file',
    de: 'Gedreht: Zeile 2 ist Spalte B der Datei',
  },
  header: {
    en: (row: number) => `Header: row ${row}`,
    de: (row: number) => `Kopfzeile: Zeile ${row}`,
  },
  headerMenu: { en: 'Row with the names of the columns', de: 'Zeile mit den Spaltennamen' },
  row: {
    en: (row: number, text: string) => `Row ${row}: ${text}`,
    de: (row: number, text: string) => `Zeile ${row}: ${text}`,
  },
  sheet: {
    en: (name: string) => `Sheet: ${name}`,
    de: (name: string) => `Blatt: ${name}`,
  },
  sheetMenu: { en: 'Sheet of the workbook', de: 'Blatt der Arbeitsmappe' },
  hiddenSheet: { en: 'hidden', de: 'ausgeblendet' },
  encodingMenu: { en: 'Encoding of the text', de: 'Zeichencodierung' },
  encodings: {
    'utf-8': { en: 'UTF-8', de: 'UTF-8' },
    'utf-16le': { en: 'UTF-16', de: 'UTF-16' },
    'utf-16be': { en: 'UTF-16, big-endian', de: 'UTF-16, Big Endian' },
    'windows-1252': { en: 'Windows-1252 (Western)', de: 'Windows-1252 (westlich)' },
    'windows-1250': { en: 'Windows-1250 (Central European)', de: 'Windows-1250 (mitteleurop.)' },
    'windows-1251': { en: 'Windows-1251 (Cyrillic)', de: 'Windows-1251 (kyrillisch)' },
    'windows-1253': { en: 'Windows-1253 (Greek)', de: 'Windows-1253 (griechisch)' },
    'windows-1254': { en: 'Windows-1254 (Turkish)', de: 'Windows-1254 (türkisch)' },
    'windows-1255': { en: 'Windows-1255 (Hebrew)', de: 'Windows-1255 (hebräisch)' },
    'windows-1256': { en: 'Windows-1256 (Arabic)', de: 'Windows-1256 (arabisch)' },
    'windows-1257': { en: 'Windows-1257 (Baltic)', de: 'Windows-1257 (baltisch)' },
    'windows-874': { en: 'Windows-874 (Thai)', de: 'Windows-874 (thailändisch)' },
    'iso-8859-2': { en: 'ISO 8859-2 (Central European)', de: 'ISO 8859-2 (mitteleurop.)' },
    'iso-8859-15': { en: 'ISO 8859-15 (Western)', de: 'ISO 8859-15 (westlich)' },
    macintosh: { en: 'Mac OS Roman', de: 'Mac OS Roman' },
    'koi8-r': { en: 'KOI8-R (Cyrillic)', de: 'KOI8-R (kyrillisch)' },
    cp850: { en: 'DOS (code page 850)', de: 'DOS (Codepage 850)' },
    cp852: { en: 'DOS (code page 852)', de: 'DOS (Codepage 852)' },
    cp866: { en: 'DOS (code page 866)', de: 'DOS (Codepage 866)' },
    shift_jis: { en: 'Shift JIS (Japanese)', de: 'Shift JIS (japanisch)' },
    'euc-jp': { en: 'EUC-JP (Japanese)', de: 'EUC-JP (japanisch)' },
    gb18030: { en: 'GB 18030 (Chinese)', de: 'GB 18030 (chinesisch)' },
    big5: { en: 'Big5 (Chinese)', de: 'Big5 (chinesisch)' },
    'euc-kr': { en: 'EUC-KR (Korean)', de: 'EUC-KR (koreanisch)' },
    'utf-8-twice': { en: 'UTF-8, encoded twice', de: 'UTF-8, doppelt codiert' },
  },
  separatorMenu: { en: 'What separates cells', de: 'Trennzeichen' },
  separators: {
    ',': { en: 'Comma', de: 'Komma' },
    ';': { en: 'Semicolon', de: 'Semikolon' },
    '\t': { en: 'Tab', de: 'Tabulator' },
    '|': { en: 'Vertical bar', de: 'Senkrechter Strich' },
    none: { en: 'One column', de: 'Eine Spalte' },
  },
  quotes: {
    double: { en: 'Quotation marks: "', de: 'Anführungszeichen: "' },
    single: { en: "Quotation marks: '", de: "Anführungszeichen: '" },
    none: { en: 'Quotation marks are text', de: 'Anführungszeichen sind Text' },
    backslash: { en: 'Backslashes before separators', de: 'Backslash vor Trennzeichen' },
  },
  language: {
    en: (name: string) => `Numbers: ${name}`,
    de: (name: string) => `Zahlen: ${name}`,
  },
  languageMenu: { en: 'How numbers are written', de: 'Schreibweise der Zahlen' },
  kinds: {
    xlsx: { en: 'Excel workbook', de: 'Excel-Arbeitsmappe' },
    xls: { en: 'Excel 97 workbook', de: 'Excel-97-Arbeitsmappe' },
    ods: { en: 'OpenDocument spreadsheet', de: 'OpenDocument-Tabelle' },
    json: { en: 'JSON', de: 'JSON' },
    'json-lines': { en: 'JSON Lines', de: 'JSON Lines' },
    html: { en: 'Table from a web page', de: 'Tabelle aus einer Webseite' },
  },
  list: { en: (name: string) => `List: ${name}`, de: (name: string) => `Liste: ${name}` },
  rows: { en: englishRows, de: germanRows },
  leftOut: {
    en: (count: number) => `${englishRows(count)} left out`,
    de: (count: number) => `${germanRows(count)} ausgelassen`,
  },
  leftOutMenu: { en: 'Rows that make no video', de: 'Zeilen, aus denen kein Video wird' },
  reasons: {
    'above-header': { en: 'above the header', de: 'über der Kopfzeile' },
    comment: { en: 'comment', de: 'Kommentar' },
    units: { en: 'units', de: 'Einheiten' },
    'repeated-header': { en: 'header again', de: 'Kopfzeile' },
    unfilled: { en: 'not filled in', de: 'nicht ausgefüllt' },
    footer: { en: 'footer', de: 'Fußzeile' },
    hidden: { en: 'hidden', de: 'ausgeblendet' },
    chosen: { en: 'your choice', de: 'von Ihnen gewählt' },
  },
  include: {
    en: (row: number, text: string) => `Include row ${row}: ${text}`,
    de: (row: number, text: string) => `Zeile ${row} aufnehmen: ${text}`,
  },
  hidden: {
    en: (rows: number, columns: number) =>
      [
        ...(rows === 0 ? [] : [rows === 1 ? '1 hidden row' : english`${rows} hidden rows`]),
        ...(columns === 0
          ? []
          : [columns === 1 ? '1 hidden column' : english`${columns} hidden columns`]),
      ].join(', '),
    de: (rows: number, columns: number) =>
      [
        ...(rows === 0
          ? []
          : [rows === 1 ? '1 ausgeblendete Zeile' : german`${rows} ausgeblendete Zeilen`]),
        ...(columns === 0
          ? []
          : [columns === 1 ? '1 ausgeblendete Spalte' : german`${columns} ausgeblendete Spalten`]),
      ].join(', '),
  },
  hiddenMenu: { en: 'Hidden rows and columns', de: 'Ausgeblendete Zeilen und Spalten' },
  readHidden: { en: 'Read them', de: 'Mitlesen' },
  leaveOutHidden: { en: 'Leave them out', de: 'Auslassen' },
  undecided: {
    total: {
      en: (row: number, text: string) => `1 looks like a total (row ${row}, ${text})`,
      de: (row: number, text: string) => `1 sieht nach einer Summe aus (Zeile ${row}, ${text})`,
    },
    section: {
      en: (row: number, text: string) => `1 looks like a heading (row ${row}, ${text})`,
      de: (row: number, text: string) =>
        `1 sieht nach einer Zwischenüberschrift aus (Zeile ${row}, ${text})`,
    },
    note: {
      en: (row: number, text: string) => `1 looks like a note (row ${row}, ${text})`,
      de: (row: number, text: string) => `1 sieht nach einer Anmerkung aus (Zeile ${row}, ${text})`,
    },
    'other-table': {
      en: (row: number, text: string) => `Another table from row ${row} on (${text})`,
      de: (row: number, text: string) => `Andere Tabelle ab Zeile ${row} (${text})`,
    },
    divided: {
      en: (row: number, text: string) => `A text may be divided (row ${row}, ${text})`,
      de: (row: number, text: string) => `Ein Text ist vielleicht zerteilt (Zeile ${row}, ${text})`,
    },
  },
  severalUndecided: {
    en: (count: number) => `${englishRows(count)} may not be videos`,
    de: (count: number) => `${germanRows(count)} sind vielleicht keine Videos`,
  },
  undecidedMenu: {
    en: 'Rows that may not be videos',
    de: 'Zeilen, die vielleicht keine Videos sind',
  },
  leaveAllOut: {
    en: (count: number) => `Leave out all ${englishRows(count)}`,
    de: (count: number) => `Alle ${germanRows(count)} auslassen`,
  },
  leaveRowsOut: {
    en: (row: number, end: number, text: string) =>
      row === end ? `Leave out row ${row}: ${text}` : `Leave out rows ${row} to ${end}: ${text}`,
    de: (row: number, end: number, text: string) =>
      row === end
        ? `Zeile ${row} auslassen: ${text}`
        : `Zeilen ${row} bis ${end} auslassen: ${text}`,
  },
  makeVideos: {
    en: (row: number, end: number) =>
      row === end ? `Make a video of row ${row}` : `Make videos of rows ${row} to ${end}`,
    de: (row: number, end: number) =>
      row === end
        ? `Aus Zeile ${row} ein Video machen`
        : `Aus den Zeilen ${row} bis ${end} Videos machen`,
  },
  automatic: { en: 'Detect again', de: 'Neu erkennen' },
};
