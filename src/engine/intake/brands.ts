/**
 * Fills empty cells of rows from their brands. A brand is a row of a table called “brands”, in the
 * folder of the batch's table, with the same columns.
 */
import { readdir } from 'node:fs/promises';
import { TABLE_EXTENSIONS } from '../../contract/table-extensions.ts';
import {
  joinMessages,
  messageOf,
  userMessage,
  type UserMessage,
} from '../../contract/user-message.ts';
import { isMissing } from '../error-codes.ts';
import { readRowFile } from '../pictures/row-file.ts';
import { isBrandColumn, type Column } from './column.ts';
import { unusedColumns } from './likely-mistakes.ts';
import { quotable } from './quotable.ts';
import { readBatchAside } from './read-batch-aside.ts';
import type { BatchReading } from './read-batch.ts';
import type { RequestTemplate } from './request-template.ts';
import type { RowValues } from './row-values.ts';

const FILE = new RegExp(`^(?:brands|marken)\\.(?:${TABLE_EXTENSIONS.join('|')})$`, 'iu');
const MAX_NAME = 100;

interface Filled {
  readonly kind: 'filled';
  readonly values: RowValues;
  /** Why nothing was filled in; of the first row only, since it concerns all. */
  readonly warning?: UserMessage;
}

interface Invalid {
  readonly kind: 'invalid';
  readonly what: UserMessage;
}

interface BrandTable {
  readonly kind: 'brands';
  readonly file: string;
  /** By its name in lower case: the values that it has, or what is wrong with it. */
  readonly brands: ReadonlyMap<string, RowValues | Invalid>;
}

/** Whether a file is a table of brands, by its name. */
export function isBrandTable(name: string): boolean {
  return FILE.test(name);
}

/** The brands of one batch; each table of brands is read once. */
export class Brands {
  readonly #template: RequestTemplate;
  /** The column that names a brand; `undefined` in a profile without brands. */
  readonly column: string | undefined;
  readonly #tables = new Map<string, Promise<BrandTable | Invalid | null>>();
  #hasWarned = false;

  constructor(template: RequestTemplate) {
    this.#template = template;
    this.column = Object.keys(template.columns).find((name) =>
      isBrandColumn(template.columns[name]),
    );
  }

  /** The name in a row; `''` for none. */
  nameIn(values: RowValues): string {
    return String(values.find(([name]) => name === this.column)?.[1] ?? '');
  }

  /**
   * A row's values, with those of its brand where it has none.
   * @param folder the table's; `undefined` if it is not known
   */
  async fill(values: RowValues, folder: string | undefined): Promise<Filled | Invalid> {
    const name = this.nameIn(values);
    if (name === '') return { kind: 'filled', values };
    const table = folder === undefined ? null : await this.#tableIn(folder);
    // The column may be about something else.
    if (table === null) return this.#unfilled(values);
    if (table.kind === 'invalid') return table;
    const brand = table.brands.get(name.toLowerCase());
    if (brand === undefined) {
      return invalid(userMessage('brand-unknown', { name: quotable(name), file: table.file }));
    }
    if ('kind' in brand) return brand;
    const filled = new Map(values);
    for (const [column, value] of brand) {
      if ((filled.get(column) ?? '') === '') filled.set(column, value);
    }
    return { kind: 'filled', values: [...filled] };
  }

  #unfilled(values: RowValues): Filled {
    const isFirst = !this.#hasWarned;
    this.#hasWarned = true;
    return { kind: 'filled', values, ...(isFirst && { warning: userMessage('brands-missing') }) };
  }

  #tableIn(folder: string): Promise<BrandTable | Invalid | null> {
    const reading = this.#tables.get(folder) ?? this.#read(folder);
    this.#tables.set(folder, reading);
    return reading;
  }

  /** `null` if the folder has no table of brands. */
  async #read(folder: string): Promise<BrandTable | Invalid | null> {
    let names: string[];
    try {
      names = await readdir(folder);
    } catch (error) {
      // Without their brands, the rows would be other videos, and be paid for again.
      return isMissing(error) ? null : invalid(userMessage('brands-unlisted'));
    }
    const [file, other] = names.filter(isBrandTable).sort();
    if (file === undefined) return null;
    if (other !== undefined) return invalid(userMessage('brands-twice', { file, other }));
    const read = await readRowFile(file, folder);
    if (read.kind === 'invalid') return read;
    const template = brandTemplate(this.#template, this.column ?? '');
    const source = { name: file, content: read.bytes };
    const reading = await readBatchAside(source, template);
    const whole = wholeError(reading, template);
    if (whole !== undefined) return wrong(file, whole);
    return { kind: 'brands', file, brands: brandsIn(file, reading, template) };
  }
}

/** A template whose rows are brands: any columns but those that every row needs. */
function brandTemplate({ columns }: RequestTemplate, name: string): RequestTemplate {
  const brand = columns[name];
  const names: Column = {
    type: 'text',
    required: true,
    maxLength: MAX_NAME,
    aliases: [...(brand?.aliases ?? []), 'name'],
  };
  const shared = Object.entries(columns).flatMap(([each, column]): [string, Column][] => {
    if (each === name || column.required === true) return [];
    return [[each, column.type === 'choice' ? { ...column, several: false } : column]];
  });
  const all = [[name, names] as const, ...shared];
  return {
    columns: Object.fromEntries(all),
    title: name,
    preset: [],
    body: Object.fromEntries(all.map(([each]) => [each, `{{${each}}}`])),
  };
}

/** What is wrong with the table and not with one brand. */
function wholeError(reading: BatchReading, template: RequestTemplate): UserMessage | undefined {
  const error = reading.errors.find(({ row }) => row === undefined);
  const { matched, fileColumns: columns } = reading;
  const unused = unusedColumns({ columns, repeated: matched.repeated }, template, matched, '');
  // What looks like no column at all may be a note.
  return error ?? unused.find(({ kind }) => kind === 'column-misspelt');
}

function brandsIn(
  file: string,
  { rows, errors, invalidRows }: BatchReading,
  { columns }: RequestTemplate,
): BrandTable['brands'] {
  const brands = new Map<string, RowValues | Invalid>();
  const add = (title: string, brand: RowValues | Invalid): void => {
    const known = title.toLowerCase();
    const twice = invalid(userMessage('brand-twice', { name: quotable(title), file }));
    brands.set(known, brands.has(known) ? twice : brand);
  };
  for (const { row, name: title } of invalidRows) {
    const error = errors.find((each) => each.row === row);
    if (error !== undefined) add(title, wrong(file, error));
  }
  for (const { title, values } of rows) {
    add(
      title,
      values.filter(([column, value]) => value !== '' && Object.hasOwn(columns, column)),
    );
  }
  return brands;
}

function wrong(file: string, error: UserMessage): Invalid {
  return invalid(joinMessages(userMessage('brand-wrong', { file }), messageOf(error)));
}

function invalid(what: UserMessage): Invalid {
  return { kind: 'invalid', what };
}
