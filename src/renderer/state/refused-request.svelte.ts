import type { RefusedField } from '../../contract/failure.ts';
import type { JobDetails } from '../../contract/job.ts';
import { fieldOf, valueOf, type RequestField } from './request-fields.ts';

type Json = JobDetails['request'];

interface OpenField {
  /** Its name is its path in the request. */
  readonly field: RequestField;
  /** What the service says about it. */
  readonly detail: string | null;
}

/** The form of a refused request: those of its fields that the service names. */
export class RefusedRequest {
  readonly fields: readonly OpenField[];
  readonly #request: Json;
  /** Errors are shown after the first attempt to send. */
  #submitted = $state(false);

  constructor(request: Json, refused: readonly RefusedField[]) {
    this.#request = request;
    const fields = $state(
      refused.flatMap(({ path, detail }, index): OpenField[] => {
        if (refused.findIndex((other) => other.path === path) !== index) return [];
        const value = valueAt(request, stepsOf(path));
        return value === undefined ? [] : [{ field: fieldOf(path, value), detail }];
      }),
    );
    this.fields = fields;
  }

  isFaulty(field: RequestField): boolean {
    return this.#submitted && valueOf(field) === undefined;
  }

  /** The request with the fields' values; `null` when one is invalid, which is shown from then on. */
  submit(): Record<string, Json> | null {
    this.#submitted = true;
    let request = this.#request;
    for (const { field } of this.fields) {
      const value = valueOf(field);
      if (value === undefined) return null;
      request = withValueAt(request, stepsOf(field.name), value);
    }
    return isObject(request) ? request : null;
  }
}

/** The steps of a path such as `scenes[0].text`. */
export function stepsOf(path: string): readonly string[] {
  return path.match(/[^.[\]]+/g) ?? [];
}

/** The value at a path; an empty text where only the last step is missing; else `undefined`. */
function valueAt(json: Json, [step, ...rest]: readonly string[]): Json | undefined {
  if (step === undefined) return json;
  if (Array.isArray(json)) {
    const item = json[Number(step)];
    return item === undefined ? undefined : valueAt(item, rest);
  }
  if (!isObject(json)) return undefined;
  const value = Object.hasOwn(json, step) ? json[step] : undefined;
  if (value === undefined) return rest.length === 0 ? '' : undefined;
  return valueAt(value, rest);
}

function withValueAt(json: Json, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  if (Array.isArray(json))
    return json.with(Number(step), withValueAt(json[Number(step)] ?? null, rest, value));
  if (!isObject(json)) return json;
  return { ...json, [step]: withValueAt(json[step] ?? null, rest, value) };
}

function isObject(json: Json): json is Record<string, Json> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
