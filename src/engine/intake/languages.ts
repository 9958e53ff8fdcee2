/**
 * Columns for one language each, `title[de]` and `title[en]`: every row makes a video in each. Other
 * spellings, such as `title_de`, count where a second column shows that a language is meant.
 */
import type { ColumnChoice } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessage } from '../../contract/user-message.ts';
import { textOf } from './cell.ts';
import { knownLanguage } from './known-languages.ts';
import { foldHeader, matchColumns, spellings, type MatchedColumns } from './match-columns.ts';
import { isSpreadsheet, unreadable, type SourceRow } from './records.ts';
import type { JoinedRecords } from './join-files.ts';
import type { RequestTemplate } from './request-template.ts';

/** The columns of a video in one language. */
export interface LanguageColumns {
  /** As in the headers, in lower case: `de`, `pt-br`. `''` for a file without languages. */
  readonly language: string;
  readonly columns: MatchedColumns;
  /** By the template's name of a column. */
  readonly translated: ReadonlyMap<string, TranslatedColumn>;
}

export interface TranslatedColumn {
  /** The name of the field: `title[de]`. */
  readonly name: string;
  /** The file's column; `undefined` if there is none for this language. */
  readonly given: string | undefined;
  /** The file's columns for other languages, in its order. */
  readonly others: readonly string[];
}

/** In names of fields, what its users call the column without a language. */
const ORIGINAL = '';

/** BCP 47 (RFC 5646 §2.1): a language, perhaps with a script and a region. */
const HEADER = /^(.+?)\s*\[\s*([a-z]{2,3}(?:[-_][a-z\d]{2,8}){0,2})\s*\]$/i;
/** Between the words of a header, and around its language. */
const SEPARATORS = /[\s_.:/@()[\]{}【】-]+/;

/**
 * Matches the columns for each language of a file. A plain column beside translated ones is the
 * original, which makes a video without a language.
 * @param chosen by the template's names, or by those of translated fields
 */
export function languageColumns(
  records: JoinedRecords,
  template: RequestTemplate,
  chosen: ColumnChoice,
): readonly LanguageColumns[] {
  const byField = translatedFields(records.columns, template, chosen);
  if (byField.size === 0) {
    const columns = matchColumns(records, template, chosen);
    return [{ language: ORIGINAL, columns, translated: new Map() }];
  }
  const translated = new Set(Array.from(byField.values(), (each) => [...each.values()]).flat());
  const languages = new Set(Array.from(byField.values(), (each) => [...each.keys()]).flat());
  const alike = alikeColumns(records, template, chosen);
  return Array.from(languages, (language) => {
    const choice: Record<string, string | null> = {};
    for (const [name, given] of Object.entries(chosen)) {
      if (Object.hasOwn(template.columns, name) && !byField.has(name)) choice[name] = given;
    }
    const own = new Map<string, TranslatedColumn>();
    const errors: Failure[] = [];
    for (const [name, givens] of byField) {
      const given = givens.get(language);
      const field = fieldInLanguage(name, language);
      errors.push(...(alike.get(field) ?? []));
      const others = [...givens.values()].filter((other) => other !== given);
      own.set(name, { name: field, given, others });
      choice[name] = given ?? null;
      if (given === undefined) errors.push(missingColumn(name, language));
    }
    const kept = new Set(Array.from(own.values(), ({ given }) => given));
    const columns = matchColumns(
      {
        ...records,
        columns: records.columns.filter((given) => kept.has(given) || !translated.has(given)),
      },
      template,
      choice,
    );
    // A missing column is said once.
    const others = columns.errors.filter(({ column }) => !own.has(column ?? ''));
    return {
      language,
      columns: { ...columns, errors: [...errors, ...others] },
      translated: own,
    };
  });
}

/** The name of a field in one language, as users see it: `title[de]`. */
export function fieldInLanguage(name: string, language: string): string {
  return language === ORIGINAL ? name : `${name}[${language}]`;
}

/** Of which of several columns for one language the user has not chosen one, by the field's name. */
function alikeColumns(
  { columns, unit }: JoinedRecords,
  template: RequestTemplate,
  chosen: ColumnChoice,
): ReadonlyMap<string, readonly Failure[]> {
  if (!isSpreadsheet(unit)) return new Map();
  const found = translationsIn(columns, spellings(template.columns));
  const byField = Map.groupBy(found, ({ name, language }) => fieldInLanguage(name, language));
  const alike = [...byField].filter(([field]) => !Object.hasOwn(chosen, field));
  return new Map(
    alike.map(([column, [first, ...others]]) => [
      column,
      others.map(({ given }) => ({
        ...unreadable(userMessage('columns-alike', { one: first?.given ?? '', other: given })),
        column,
      })),
    ]),
  );
}

/** A column of the file that its header says is for one language. */
interface Translation {
  readonly given: string;
  /** The template's name of the column. */
  readonly name: string;
  readonly language: string;
  readonly isCertain: boolean;
}

/** `title[de]`; any language is possible. */
function translationIn(given: string, known: ReadonlyMap<string, string>): Translation | undefined {
  const [, base = '', tag = ''] = HEADER.exec(given.trim()) ?? [];
  const name = known.get(foldHeader(base));
  if (name === undefined) return undefined;
  return { given, name, language: tag.toLowerCase().replaceAll('_', '-'), isCertain: true };
}

/** `title_de`, `Title (DE)`, `Titel deutsch`, `title_pt_BR`; only what is no other word. */
function likelyTranslationIn(
  given: string,
  known: ReadonlyMap<string, string>,
): Translation | undefined {
  const parts = given
    .normalize('NFKC')
    .split(SEPARATORS)
    .filter((part) => part !== '');
  for (const length of [1, 2]) {
    const language = knownLanguage(parts.slice(-length).join('-'));
    if (language === undefined) continue;
    const name = known.get(foldHeader(parts.slice(0, -length).join(' ')));
    if (name !== undefined) return { given, name, language, isCertain: false };
  }
  return undefined;
}

/** Whether a header may be one of a language: `title_de`. */
export function mayBeTranslation({ columns }: RequestTemplate): (header: string) => boolean {
  const known = spellings(columns);
  return (header) =>
    (translationIn(header, known) ?? likelyTranslationIn(header, known)) !== undefined;
}

/**
 * The columns for one language each. A likely one counts if its field has another column, too, or if
 * the file has the language for another field.
 */
function translationsIn(
  givens: readonly string[],
  known: ReadonlyMap<string, string>,
): readonly Translation[] {
  // A column of this very name is no translation.
  const others = givens.filter((given) => !known.has(foldHeader(given)));
  const found = others.flatMap(
    (given) => translationIn(given, known) ?? likelyTranslationIn(given, known) ?? [],
  );
  const plain = givens.flatMap((given) => known.get(foldHeader(given)) ?? []);
  const byField = Map.groupBy([...plain, ...found.map(({ name }) => name)], (name) => name);
  const languages = new Set(
    found
      .filter(({ name, isCertain }) => isCertain || (byField.get(name)?.length ?? 0) > 1)
      .map(({ language }) => language),
  );
  return found.filter(({ language }) => languages.has(language));
}

/** The file's columns by language, for each of the template's columns that has several. */
function translatedFields(
  givens: readonly string[],
  { columns }: RequestTemplate,
  chosen: ColumnChoice,
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const known = spellings(columns);
  const byField = new Map<string, Map<string, string>>();
  for (const { given, name, language } of translationsIn(givens, known)) {
    if (Object.hasOwn(chosen, name)) continue;
    const byLanguage = byField.get(name) ?? new Map<string, string>();
    if (!byLanguage.has(language)) byLanguage.set(language, given);
    byField.set(name, byLanguage);
  }
  for (const given of givens) {
    const name = known.get(foldHeader(given)) ?? '';
    const byLanguage = byField.get(name);
    if (byLanguage !== undefined && !byLanguage.has(ORIGINAL)) {
      byField.set(name, new Map([[ORIGINAL, given], ...byLanguage]));
    }
  }
  for (const [name, byLanguage] of byField) {
    for (const language of byLanguage.keys()) {
      const other = chosen[fieldInLanguage(name, language)];
      if (other === null) byLanguage.delete(language);
      else if (other !== undefined && givens.includes(other)) byLanguage.set(language, other);
    }
  }
  return byField;
}

function missingColumn(name: string, language: string): Failure {
  const message =
    language === ORIGINAL
      ? userMessage('original-column-missing', { name })
      : userMessage('translation-column-missing', { name, language });
  return { ...unreadable(message), column: name };
}

/** What another language has in the place of an empty cell; `undefined` if none has anything. */
export function textInOtherLanguage(
  { given, others }: TranslatedColumn,
  { cells }: SourceRow,
): string | undefined {
  const textIn = (column: string): string =>
    Object.hasOwn(cells, column) ? textOf(cells[column] ?? '').trim() : '';
  if (given === undefined || textIn(given) !== '') return undefined;
  return others.map(textIn).find((text) => text !== '');
}

/** The columns of all languages as one match, for what concerns the whole file. */
export function allLanguages(languages: readonly LanguageColumns[]): MatchedColumns {
  const [first, ...others] = languages.map(({ columns }) => columns);
  if (first === undefined) throw new Error('A file has at least one language.');
  const byName = new Map<string, readonly string[]>();
  for (const columns of [first, ...others]) {
    for (const [given, names] of columns.byName) {
      byName.set(given, [...new Set([...(byName.get(given) ?? []), ...names])]);
    }
  }
  const errors = new Map(
    languages.flatMap(({ columns }) => columns.errors).map((error) => [error.message, error]),
  );
  return {
    names: [...new Set([first, ...others].flatMap(({ names }) => names))],
    byName,
    sources: first.sources,
    errors: [...errors.values()],
  };
}
