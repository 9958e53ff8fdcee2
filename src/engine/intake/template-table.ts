/** Makes a table to start from: the columns of a service, an example row, and what each allows. */
import type { Language } from '../../contract/in-language.ts';
import type { RowField } from '../../contract/row-field.ts';
import { csvLine } from '../csv-line.ts';
import type { Column } from './column.ts';
import { describeField } from './describe-fields.ts';
import { EXAMPLE } from './example-row.ts';
import type { RequestTemplate } from './request-template.ts';
import { plainCells, writeWorkbook, XLSX_TYPE } from './write-workbook.ts';

const WORDS = {
  sheet: { en: 'Videos', de: 'Videos' },
  values: { en: 'Allowed values', de: 'Erlaubte Werte' },
  column: { en: 'Column', de: 'Spalte' },
  meaning: { en: 'Meaning', de: 'Bedeutung' },
  required: { en: 'required', de: 'erforderlich' },
  default: { en: 'default', de: 'Vorgabe' },
  title: EXAMPLE,
  text: { en: 'text', de: 'Text' },
  upTo: { en: 'up to {max} characters', de: 'bis {max} Zeichen' },
  number: { en: 'number', de: 'Zahl' },
  from: { en: 'from {min}', de: 'ab {min}' },
  to: { en: 'to {max}', de: 'bis {max}' },
  colour: { en: 'colour such as #ffb020', de: 'Farbe wie #ffb020' },
  list: { en: 'list, separated by |', de: 'Liste, getrennt durch |' },
  items: { en: 'at most {max}', de: 'höchstens {max}' },
  picture: {
    en: 'file name of a picture beside the table',
    de: 'Dateiname eines Bildes neben der Tabelle',
  },
  clip: {
    en: 'file name of a clip beside the table',
    de: 'Dateiname eines Videoclips neben der Tabelle',
  },
  sound: {
    en: 'file name of a sound beside the table',
    de: 'Name einer Tondatei neben der Tabelle',
  },
  font: {
    en: 'file name of a font beside the table',
    de: 'Name einer Schriftdatei neben der Tabelle',
  },
  captions: {
    en: 'text, or file name of an SRT or VTT file beside the table',
    de: 'Text oder Name einer SRT- oder VTT-Datei neben der Tabelle',
  },
  brand: {
    en: 'name of a row of the table “brands” beside this one',
    de: 'Name einer Zeile der Tabelle „Marken“ neben dieser',
  },
  address: { en: 'https address', de: 'https-Adresse' },
} as const;

type Words = (name: keyof typeof WORDS, values?: Readonly<Record<string, number>>) => string;

/** A column of the table that is made. */
interface TemplateColumn {
  readonly name: string;
  readonly example: string;
  readonly meaning: string;
  readonly allowed: string;
}

/** The file that is named after `videos`. */
export async function templateFile(
  profile: RequestTemplate,
  format: 'csv' | 'xlsx',
  language: Language,
): Promise<{ readonly name: string; readonly type: string; readonly bytes: Uint8Array }> {
  return format === 'csv'
    ? {
        name: 'videos.csv',
        type: 'text/csv',
        bytes: new TextEncoder().encode(templateCsv(profile, language)),
      }
    : { name: 'videos.xlsx', type: XLSX_TYPE, bytes: await templateWorkbook(profile, language) };
}

/**
 * Lines that begin with `#` say what each column allows; readers of tables leave them out.
 * @returns the text of a CSV file
 */
function templateCsv(profile: RequestTemplate, language: Language): string {
  const columns = templateColumns(profile, language);
  const lines = [
    ...columns.map(({ name, meaning, allowed }) => [
      `# ${name}: ${meaning}${allowed === '' ? '' : ` (${allowed})`}`,
    ]),
    columns.map(({ name }) => name),
    columns.map(({ example }) => example),
  ];
  return `\ufeff${lines.map((cells) => csvLine(cells)).join('')}`;
}

/** A workbook: the table on the first sheet, what each column allows on the second. */
function templateWorkbook(profile: RequestTemplate, language: Language): Promise<Uint8Array> {
  const words = wordsIn(language);
  const columns = templateColumns(profile, language);
  return writeWorkbook([
    {
      name: words('sheet'),
      rows: [columns.map(({ name }) => name), columns.map(({ example }) => example)].map(
        plainCells,
      ),
    },
    {
      name: words('values'),
      rows: [
        [words('column'), words('meaning'), words('values')],
        ...columns.map(({ name, meaning, allowed }) => [name, meaning, allowed]),
      ].map(plainCells),
    },
  ]);
}

function templateColumns(
  { columns, title, limits = [] }: RequestTemplate,
  language: Language,
): readonly TemplateColumn[] {
  const words = wordsIn(language);
  // Some columns are required where others are empty, as they are in the example.
  const needed = new Set(
    limits
      .filter(({ required, when }) => required === true && when.every((each) => 'isEmpty' in each))
      .map(({ column }) => column),
  );
  const fields = Object.entries(columns)
    .map(([name, column]) => describeField(name, column))
    .map((field) => (needed.has(field.name) ? { ...field, required: true } : field));
  // What every video needs comes first.
  const ordered = [
    ...fields.filter(({ required }) => required),
    ...fields.filter(({ required }) => !required),
  ];
  return ordered.map((field) => {
    const { name, label, description, default: usual } = field;
    const what = [
      ...(label === undefined ? [] : [label[language] ?? label.en]),
      ...(description === undefined ? [] : [description[language] ?? description.en]),
    ];
    const allowed = [
      allowedIn(field, columns[name], words),
      ...(field.required ? [words('required')] : []),
      ...(usual === undefined || usual === '' ? [] : [`${words('default')}: ${usual}`]),
    ];
    return {
      name,
      example: exampleOf(field, name === title, words),
      meaning: joined(...what),
      allowed: allowed.join(', '),
    };
  });
}

function allowedIn(
  { type, options = [], min, max, maxLength, maxItems }: RowField,
  column: Column | undefined,
  words: Words,
): string {
  switch (type) {
    case 'choice':
      return options.join(', ');
    case 'number': {
      const from = min === undefined ? [] : [words('from', { min })];
      const to = max === undefined ? [] : [words('to', { max })];
      return [words('number'), ...from, ...to].join(' ');
    }
    case 'colour':
      return words(type);
    case 'picture':
      return column?.type === 'picture' ? filesIn(column, words) : '';
    case 'list':
      return [words('list'), ...upTo(maxItems, words)].join(', ');
    case 'text':
      return maxLength === undefined ? words('text') : words('upTo', { max: maxLength });
  }
}

function filesIn(
  {
    holds = 'picture',
    send,
    isAddressPossible = false,
    maxItems,
  }: Extract<Column, { type: 'picture' }>,
  words: Words,
): string {
  return [
    ...(send === undefined && holds !== 'captions' && holds !== 'brand' ? [] : [words(holds)]),
    ...(isAddressPossible ? [words('address')] : []),
    ...upTo(maxItems, words),
  ].join(', ');
}

function upTo(max: number | undefined, words: Words): readonly string[] {
  return max === undefined ? [] : [words('items', { max })];
}

/** Only what a video needs, and choices that are the default anyway: the row is a plain video. */
function exampleOf(
  { type, required, options = [], min, ...field }: RowField,
  isTitle: boolean,
  words: Words,
): string {
  if (isTitle) return words('title');
  if (field.default !== undefined) return field.default;
  if (!required) return '';
  switch (type) {
    case 'choice':
      return options[0] ?? '';
    case 'number':
      return String(min ?? 1);
    case 'colour':
      return '#ffb020';
    case 'picture':
      return '';
    case 'list':
    case 'text':
      return words('title');
  }
}

function wordsIn(language: Language): Words {
  return (name, values = {}) =>
    WORDS[name][language].replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));
}

/** A description is a sentence and ends with its own full stop; a label does not. */
function joined(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => part.replace(/\.$/, ''))
    .join('. ');
}
