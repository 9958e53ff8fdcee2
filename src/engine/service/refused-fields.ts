import type { AnswerRules } from '../../contract/answer-rules.ts';
import { MAX_REFUSED_FIELDS, type RefusedField } from '../../contract/failure.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';
import { textFrom, valueAt } from './response-reader.ts';

const MAX_DETAIL = 500;

/** A field that an answer names, and its code for what is wrong with it. */
export interface NamedField extends RefusedField {
  readonly code: string | null;
}

/** The fields of a request that an error body names, by the rules of the profile. */
export function readRefusedFields(json: unknown, rules: AnswerRules): readonly NamedField[] {
  const found = (rules.refusedFields ?? []).flatMap(({ list, path, detail, code }) => {
    const value = valueAt(json, list);
    const entries: unknown[] = Array.isArray(value) ? value : [value];
    return entries.slice(0, MAX_REFUSED_FIELDS).flatMap((entry): NamedField[] => {
      const named = pathFrom(valueAt(entry, path));
      if (named === null) return [];
      const text = textFrom(valueAt(entry, detail));
      return [
        {
          path: named,
          detail: text === null ? null : sanitizeRemoteText(text, MAX_DETAIL),
          code: code === undefined ? null : textFrom(valueAt(entry, code)),
        },
      ];
    });
  });
  return found.slice(0, MAX_REFUSED_FIELDS);
}

/** Longer paths name no field of a request. */
const MAX_STEPS = 20;
const MAX_LENGTH = 200;

/**
 * A path in the notation of `contract/answer-rules.ts`, from `scenes[0].text`, `/scenes/0/text`,
 * `body.scenes.0.text` or a list of steps; `null` for anything else.
 */
function pathFrom(value: unknown): string | null {
  const steps = Array.isArray(value)
    ? value.slice(0, MAX_STEPS + 1).map(stepFrom)
    : typeof value === 'string' && value.length <= MAX_LENGTH
      ? stepsIn(value)
      : [];
  // Some frameworks name the part of the request first.
  const own = steps[0] === 'body' && steps.length > 1 ? steps.slice(1) : steps;
  if (own.length === 0 || own.length > MAX_STEPS || own.includes('')) return null;
  const path = own.reduce<string>(
    (before, step) =>
      /^\d{1,4}$/.test(step) ? `${before}[${step}]` : before === '' ? step : `${before}.${step}`,
    '',
  );
  return path.length <= MAX_LENGTH ? path : null;
}

/** A JSON Pointer begins with a slash (RFC 6901). */
function stepsIn(text: string): string[] {
  if (!text.startsWith('/')) return (text.match(/[^.[\]]+/g) ?? []).map(stepFrom);
  const steps = text.slice(1).split('/');
  return steps.map((step) => stepFrom(step.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** Empty for what cannot be a step of a path. */
function stepFrom(step: unknown): string {
  const text = typeof step === 'number' || typeof step === 'string' ? String(step) : '';
  const plain = sanitizeRemoteText(text, MAX_LENGTH + 1);
  return /[.[\]\s]/.test(plain) ? '' : plain;
}
