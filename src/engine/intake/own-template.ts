import type { ColumnChoice, OwnTemplate } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { userMessageOf } from '../../contract/message-schema.ts';
import { userMessage, joinMessages } from '../../contract/user-message.ts';
import { textOf } from './cell.ts';
import { columnNameSchema, type Column } from './column.ts';
import { foldHeader, spellings } from './match-columns.ts';
import type { Records } from './records.ts';
import { requestTemplateSchema, wholeValuesIn, type RequestTemplate } from './request-template.ts';

/** The template of a batch, and the columns that it was made for. */
export interface MadeTemplate {
  readonly template: RequestTemplate;
  readonly choice: ColumnChoice;
  /** Errors in the user's request; the template is the profile's then. */
  readonly faults: readonly Failure[];
}

/**
 * A template over a file's own columns, for a request that the user wrote. Columns of the profile
 * keep its settings, except that none is required: this request may do without them.
 */
export function ownTemplate(
  { body, title }: OwnTemplate,
  records: Records,
  profile: RequestTemplate,
): MadeTemplate {
  const columns = new Map<string, Column>();
  for (const [name, column] of Object.entries(profile.columns)) {
    columns.set(name, { ...column, required: false });
  }
  const known = spellings(profile.columns);
  const whole = new Set(wholeValuesIn(body));
  const choice = new Map<string, string>();
  for (const given of records.columns) {
    if (!columnNameSchema.safeParse(given).success) continue;
    const name = known.get(foldHeader(given));
    const column = name === undefined ? undefined : columns.get(name);
    if (name === undefined || column === undefined) {
      // In a text, a number stays as the file has it: “19.90” does not become “19.9”.
      const isNumber = whole.has(given) && isNumeric(records, given);
      columns.set(given, isNumber ? { type: 'number', asWritten: true } : { type: 'text' });
    } else if (name !== given) {
      // The request may use the file's name or the profile's.
      columns.set(given, { ...column, aliases: [] });
      choice.set(name, given).set(given, given);
    }
  }
  const made = requestTemplateSchema.safeParse({
    columns: Object.fromEntries(columns),
    title: title ?? profile.title,
    body,
    preset: profile.preset,
  });
  if (made.success) {
    return { template: made.data, choice: Object.fromEntries(choice), faults: [] };
  }
  const faults = made.error.issues.map((issue): Failure => ({
    code: 'template-faulty',
    ...joinMessages(
      userMessage('template-unfillable'),
      userMessageOf(issue) ?? userMessage('value-unfit'),
    ),
  }));
  return { template: profile, choice: {}, faults };
}

/** Whether a column contains only numbers, so that the request has numbers too. */
export function isNumeric({ rows }: Records, name: string): boolean {
  const texts = rows.map(({ cells }) => textOf(cells[name] ?? '').trim());
  const given = texts.filter((text) => text !== '');
  return given.length > 0 && given.every((text) => /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text));
}
