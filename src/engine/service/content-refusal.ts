import { foldWord, type AnswerRules } from '../../contract/answer-rules.ts';
import type { Refusal, RefusedField } from '../../contract/failure.ts';
import { readRefusedFields } from './refused-fields.ts';
import { codesIn, readRemoteError, textFrom, valueAt } from './response-reader.ts';

/** A refusal because of what the request contains or the video shows. */
export interface ContentRefusal extends Refusal {
  /** The fields of the request that it is about, as far as the answer or the profile says. */
  readonly fields: readonly RefusedField[];
}

type Rule = NonNullable<AnswerRules['contentRefusals']>[number];

/** `null` for an answer that says no such thing, by the rules of the profile. */
export function readContentRefusal(json: unknown, rules: AnswerRules): ContentRefusal | null {
  const named = readRefusedFields(json, rules);
  const codes = codesIn(json, rules);
  const { text } = readRemoteError(json, rules);
  const message = textFrom(valueAt(json, 'message'));
  const said = foldWord([text, message, ...named.map(({ detail }) => detail)].join(' '));
  for (const rule of rules.contentRefusals ?? []) {
    const byCode = named.filter(({ code }) => code !== null && hasCode(rule, code));
    const applies =
      byCode.length > 0 ||
      codes.some((code) => hasCode(rule, code)) ||
      (rule.paths ?? []).some((path) => isSaid(valueAt(json, path))) ||
      (rule.phrases ?? []).some((phrase) => said.includes(foldWord(phrase)));
    if (!applies) continue;
    const about = byCode.length > 0 ? byCode : named;
    const fields = about.map(({ path, detail }) => ({ path, detail }));
    const { field, when, paid } = rule;
    return {
      when,
      paid,
      fields: fields.length > 0 || field === undefined ? fields : [{ path: field, detail: null }],
    };
  }
  return null;
}

/** What a refusal costs that none of the rules describes: what all of them say. */
export function usualCost({ contentRefusals = [] }: AnswerRules): Refusal['paid'] {
  const [cost, ...others] = new Set(contentRefusals.map(({ paid }) => paid));
  return cost === undefined || others.length > 0 ? 'unknown' : cost;
}

function hasCode({ codes = [] }: Rule, code: string): boolean {
  const folded = foldWord(code);
  return codes
    .map(foldWord)
    .some((known) =>
      known.endsWith('*') ? folded.startsWith(known.slice(0, -1)) : folded === known,
    );
}

/** Whether a value says something: a list of reasons may be empty, a number of them 0. */
function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}
