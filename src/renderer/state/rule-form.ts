import type { AnswerRules } from '../../contract/answer-rules.ts';
import type { RemoteState } from '../../contract/job.ts';

/** What a status word can mean, in the order of a video's states. */
export const MEANINGS = ['queued', 'working', 'done', 'failed', 'rejected', 'cancelled'] as const;

/** The rules that are lists: their fields in the form, and their paths in the profile. */
export const LIST_FIELDS = {
  under: 'under',
  id: 'id',
  status: 'status',
  progress: 'progress.paths',
  errorText: 'error.text',
  errorCode: 'error.code',
  linkUrl: 'link.url',
  linkExpiresAt: 'link.expiresAt',
  statuses: 'quotaRefusal.statuses',
  spokenStatuses: 'quotaRefusal.spokenStatuses',
  codes: 'quotaRefusal.codes',
  speaksOf: 'quotaRefusal.speaksOf',
} as const;

export type ListField = keyof typeof LIST_FIELDS;

type FormRule =
  | ('under' | 'id' | 'status' | 'words')
  | ('progress' | 'error' | 'link' | 'quotaRefusal');

/** Rules as they are edited: every list is a line of text, which may be invalid. */
export type RuleForm = Readonly<Record<ListField, string>> & {
  readonly words: Readonly<Record<RemoteState, string>>;
  readonly scale: 'fraction' | 'percent';
  /** Rules that have no field in the form. */
  readonly more: Omit<AnswerRules, FormRule>;
};

/** Stands for the empty path, the answer itself. No real path looks like this. */
const ROOT = '.';

export function formOfRules(rules: AnswerRules): RuleForm {
  const { under, id, status, words, progress, error, link, quotaRefusal, ...more } = rules;
  const wordsFor = (means: RemoteState): string =>
    lineOf(Object.keys(words).filter((word) => words[word] === means));
  return {
    under: lineOf(under.map((path) => (path === '' ? ROOT : path))),
    id: lineOf(id),
    status: lineOf(status),
    progress: lineOf(progress?.paths ?? []),
    scale: progress?.scale ?? 'fraction',
    errorText: lineOf(error.text),
    errorCode: lineOf(error.code),
    linkUrl: lineOf(link.url),
    linkExpiresAt: lineOf(link.expiresAt),
    statuses: quotaRefusal.statuses.join(', '),
    spokenStatuses: quotaRefusal.spokenStatuses.join(', '),
    codes: lineOf(quotaRefusal.codes),
    speaksOf: lineOf(quotaRefusal.speaksOf),
    words: {
      queued: wordsFor('queued'),
      working: wordsFor('working'),
      done: wordsFor('done'),
      failed: wordsFor('failed'),
      rejected: wordsFor('rejected'),
      cancelled: wordsFor('cancelled'),
    },
    more,
  };
}

/** The form's rules for the engine to check: paths may be invalid, numbers may be text. */
export function rulesOfForm(form: RuleForm): Readonly<Record<string, unknown>> {
  const progress = listIn(form.progress);
  return {
    ...form.more,
    under: listIn(form.under).map((path) => (path === ROOT ? '' : path)),
    id: listIn(form.id),
    status: listIn(form.status),
    words: Object.fromEntries(
      MEANINGS.flatMap((means) => listIn(form.words[means]).map((word) => [word, means])),
    ),
    progress: progress.length === 0 ? null : { paths: progress, scale: form.scale },
    error: { text: listIn(form.errorText), code: listIn(form.errorCode) },
    link: { url: listIn(form.linkUrl), expiresAt: listIn(form.linkExpiresAt) },
    quotaRefusal: {
      statuses: listIn(form.statuses).map(numberIn),
      spokenStatuses: listIn(form.spokenStatuses).map(numberIn),
      codes: listIn(form.codes),
      speaksOf: listIn(form.speaksOf),
    },
  };
}

/** Whether two forms have the same text in every field, and the same rules without a field. */
export function isSameRules(one: RuleForm, other: RuleForm): boolean {
  const fields = Object.keys(LIST_FIELDS) as ListField[];
  return (
    fields.every((field) => one[field] === other[field]) &&
    MEANINGS.every((means) => one.words[means] === other.words[means]) &&
    one.scale === other.scale &&
    JSON.stringify(one.more) === JSON.stringify(other.more)
  );
}

/** Words with more than one meaning, in lower case. */
export function ambiguousWords({ words }: RuleForm): readonly string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const means of MEANINGS) {
    for (const word of new Set(listIn(words[means]).map((each) => each.toLowerCase()))) {
      (seen.has(word) ? twice : seen).add(word);
    }
  }
  return [...twice];
}

/** The form with a word's meaning, in place of any other meaning of it. */
export function withWord(form: RuleForm, word: string, means: RemoteState): RuleForm {
  const without = (text: string): string[] =>
    listIn(text).filter((known) => known.toLowerCase() !== word.toLowerCase());
  const words = { ...form.words };
  for (const each of MEANINGS) words[each] = lineOf(without(words[each]));
  words[means] = lineOf([...without(words[means]), word]);
  return { ...form, words };
}

/** An entry in quotes, in which a quote is written as two, or the text up to the next comma. */
const ENTRY = /[^\S\n]*"((?:[^"]|"")*)"[^\S\n]*(?=[,\n]|$)|[^,\n]+/g;

/** The entries of a line: separated by commas, and in quotes where they would not be read back. */
function listIn(text: string): string[] {
  return [...text.matchAll(ENTRY)]
    .map(([entry, inQuotes]) => inQuotes?.replaceAll('""', '"') ?? entry.trim())
    .filter((entry) => entry !== '');
}

function lineOf(entries: readonly string[]): string {
  return entries.map((entry) => (needsQuotes(entry) ? quoted(entry) : entry)).join(', ');
}

function needsQuotes(entry: string): boolean {
  return /[,\n]/.test(entry) || entry.startsWith('"') || entry !== entry.trim();
}

function quoted(entry: string): string {
  return `"${entry.replaceAll('"', '""')}"`;
}

/** Other text stays text, so that the engine's check reports it. */
function numberIn(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text;
}
