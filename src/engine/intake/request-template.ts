import { z } from 'zod';
import { numberInPlaceholder } from '../../contract/json-text.ts';
import { jsonSchema } from '../../contract/json.ts';
import {
  issueOf,
  userMessage,
  joinMessages,
  type UserMessage,
} from '../../contract/user-message.ts';
import { readCell } from './cell.ts';
import { cellLimitSchema } from './cell-limits.ts';
import { columnNameSchema, columnSchema, type Column } from './column.ts';

/**
 * How a row becomes a request body, whose fields the API leaves open (service-api.md §4.1).
 *
 * In `body`, a string that is exactly `{{column}}` becomes that column's value with its type, and
 * `some {{column}} text` becomes text. Missing values are left out: a property or list element
 * whose placeholders are all empty, and every object or list that becomes empty. An object with
 * `"$if": "column"` is left out as a whole when that column is empty, or one of several in a list;
 * with `"$unless": "column"`, when it has a value. `"$else"` is what takes its place then.
 *
 * `"$columns": {"except": ["column"]}` in an object adds every column of the file as a property of
 * its own name, except those that fill these fields. `"$each"`, with the same value in an element of
 * a list, makes an element for each column, with its name for `{{$name}}` and its value for
 * `{{$value}}`. None of these is sent.
 */
export const requestTemplateSchema = z
  .strictObject({
    /** Columns whose names are whole numbers come first: objects order their keys so. */
    columns: z.record(columnNameSchema, columnSchema),
    /** The column with a video's title. */
    title: columnNameSchema,
    body: z.record(z.string(), jsonSchema),
    /**
     * The columns that the time to render depends on: videos with equal values in them share what
     * was learned about it. A number is rounded down to a step, so that 7 and 8 seconds may be one
     * preset; of a file it matters only whether there is one.
     */
    preset: z.array(
      z.strictObject({ column: columnNameSchema, step: z.number().positive().optional() }),
    ),
    /** What a column may contain, depending on other columns. */
    limits: z.array(cellLimitSchema).max(100).optional(),
    /** The service refuses a `duration` that leaves less to one of the `scenes`, or to a picture. */
    sceneSeconds: z.number().positive().optional(),
  })
  .superRefine((template, context) => {
    const known = new Set(Object.keys(template.columns));
    const named = [
      template.title,
      ...template.preset.map(({ column }) => column),
      ...(template.limits ?? []).flatMap(({ column, when }) => [
        column,
        ...when.map((condition) => condition.column),
      ]),
      ...placeholdersIn(template.body),
    ];
    for (const name of new Set(named)) {
      if (!known.has(name)) {
        context.addIssue(customIssue(userMessage('no-such-column', { name })));
      }
    }
    for (const [name, column] of Object.entries(template.columns)) {
      const what = defaultError(column);
      if (what !== null) {
        context.addIssue(
          customIssue(joinMessages(userMessage('at-default', { column: name }), what)),
        );
      }
    }
  });

export type RequestTemplate = z.infer<typeof requestTemplateSchema>;

/** Matches one placeholder; the group is the column's name and the spaces around it. */
export const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

/** The columns that a part of a body names, conditions included. */
export function placeholdersIn(json: z.core.util.JSONType): string[] {
  if (typeof json === 'string') {
    const names = [...json.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());
    return names.filter(
      (name) => name !== '$name' && name !== '$value' && numberInPlaceholder(name) === null,
    );
  }
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap(placeholdersIn);
  const { $if, $unless, ...rest } = json;
  const conditions = [$if, $unless].flat().filter((name) => typeof name === 'string');
  return [...conditions, ...Object.values(rest).flatMap(placeholdersIn)];
}

/** The columns that are a whole value of a body, and not part of a text. */
export function wholeValuesIn(json: z.core.util.JSONType): string[] {
  if (typeof json === 'string') {
    const [first] = json.matchAll(PLACEHOLDER);
    return first?.[0] === json ? [(first[1] ?? '').trim()] : [];
  }
  return typeof json === 'object' && json !== null
    ? Object.values(json).flatMap(wholeValuesIn)
    : [];
}

/** A default is sent as it is, so it has to be written as a request has it. */
function defaultError(column: Column): UserMessage | null {
  if (column.default === undefined) return null;
  const reading = readCell(column.default, column);
  if (reading.kind === 'invalid') return reading.what;
  if (reading.kind === 'empty' || reading.value === column.default) return null;
  const text = String(column.default);
  switch (column.type) {
    case 'colour':
      return userMessage('cell-not-colour', { text });
    case 'choice':
      return userMessage('cell-not-one-of', { text, options: column.options.join(', ') });
    default:
      return null;
  }
}

function customIssue(message: UserMessage): {
  code: 'custom';
  message: string;
  params: UserMessage;
} {
  const { error, params } = issueOf(message);
  return { code: 'custom', message: error, params };
}
