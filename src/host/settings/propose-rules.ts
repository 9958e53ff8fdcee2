import { foldWord, MAX_PATH, type AnswerRules } from '../../contract/answer-rules.ts';
import { readStatus, stateOf } from '../../engine/service/response-reader.ts';
import type { RemoteState } from '../../contract/job.ts';
import { defineStatusWord, usualRules } from '../../engine/service/vocabularies.ts';

/** Parsed responses of a service, as copied from its documentation or a log. */
export interface ExampleAnswers {
  readonly generate?: unknown;
  /** One or more, ideally one of each word. */
  readonly statuses?: readonly unknown[];
  readonly download?: unknown;
  /** Parts of the addresses at which the video was requested. */
  readonly inAddresses?: readonly string[];
}

export interface ProposedRules {
  /** Paths found in the examples first, then the usual ones. */
  readonly rules: AnswerRules;
  /** Every status word of the examples; `means` is a guess that the user confirms or corrects. */
  readonly words: readonly { readonly word: string; readonly means: RemoteState | null }[];
  /** What an example should contain and does not. */
  readonly notFound: readonly ('id' | 'status' | 'link')[];
}

/**
 * Searches example responses for everything that the engine needs; guesses, and reports the
 * guesses.
 */
export function proposeRules({
  generate,
  statuses = [],
  download,
  inAddresses = [],
}: ExampleAnswers): ProposedRules {
  const progress = best(statuses, progressScore);
  const status = best(statuses, statusScore);
  const error = { text: best(statuses, errorTextScore), code: best(statuses, errorCodeScore) };
  const id = best(generate === undefined ? [] : [generate], idScore(statuses, inAddresses));
  const answers = download === undefined ? [] : [download];
  const link = { url: best(answers, urlScore), expiresAt: best(answers, expiryScore) };

  const words = [...new Set(status.map(({ value }) => String(value)))].map((word) => ({
    word,
    means: guess(word),
  }));
  const rules: AnswerRules = {
    ...usualRules,
    id: first(id, usualRules.id),
    status: first(status, usualRules.status),
    progress: progressRule(progress),
    error: {
      text: first(error.text, usualRules.error.text),
      code: first(error.code, usualRules.error.code),
    },
    link: {
      url: first(link.url, usualRules.link.url),
      expiresAt: first(link.expiresAt, usualRules.link.expiresAt),
    },
  };
  const notFound: ProposedRules['notFound'][number][] = [];
  if (generate !== undefined && id.length === 0) notFound.push('id');
  if (statuses.length > 0 && status.length === 0) notFound.push('status');
  if (download !== undefined && link.url.length === 0) notFound.push('link');
  const withWords = words.reduce(
    (known, { word, means }) => (means === null ? known : defineStatusWord(known, word, means)),
    rules,
  );
  const failedBy = errorsOfFinished(statuses, withWords);
  return {
    rules: failedBy.length === 0 ? withWords : { ...withWords, failedBy },
    words,
    notFound,
  };
}

/** Paths of errors in responses whose word says that the video is finished. */
function errorsOfFinished(statuses: readonly unknown[], rules: AnswerRules): string[] {
  const paths = statuses
    .filter((answer) => readStatus(answer, rules).state === 'done')
    .flatMap((answer) => leavesOf(answer).filter((leaf) => errorTextScore(leaf) > 0))
    .filter(({ path, name }) => /error|failure/i.test(path) && name !== 'errorcode')
    .map(({ path }) => path);
  return [...new Set(paths)].slice(0, 5);
}

/** How well a leaf fits; 0 is not at all. */
type Score = (leaf: Leaf) => number;

/** The leaves at the one path that fits best, one for each example that has it. */
function best(examples: readonly unknown[], score: Score): Leaf[] {
  const byPath = new Map<string, { leaves: Leaf[]; score: number }>();
  for (const example of examples) {
    for (const leaf of leavesOf(example)) {
      const fit = score(leaf);
      if (fit === 0) continue;
      const found = byPath.get(leaf.path) ?? { leaves: [], score: 0 };
      found.score = Math.max(found.score, fit);
      found.leaves.push(leaf);
      byPath.set(leaf.path, found);
    }
  }
  // Leaves are listed from the root on: of equally good ones, the first is closest to the root.
  const [winner] = [...byPath.values()].sort((one, other) => other.score - one.score);
  return winner?.leaves ?? [];
}

/** Scores a leaf by the position of its name in `names`: the first fits best. */
function named(leaf: Leaf, names: readonly string[]): number {
  const at = names.indexOf(leaf.name);
  return at === -1 ? 0 : 1 + (names.length - at) / names.length;
}

function idScore(statuses: readonly unknown[], inAddresses: readonly string[]): Score {
  const seenAgain = new Set(statuses.flatMap((json) => leavesOf(json).map(({ value }) => value)));
  const names = ['videoid', 'id', 'projectid', 'project', 'jobid', 'taskid', 'renderid', 'uuid'];
  return (leaf) => {
    const isText = typeof leaf.value === 'string' && /^[^\s/]{1,200}$/.test(leaf.value);
    if (!isText && !Number.isSafeInteger(leaf.value)) return 0;
    const fit = named(leaf, names) || (leaf.name.endsWith('id') ? 0.5 : 0);
    // A word such as `video` may be in an address as well.
    const isGenerated = /\d/.test(String(leaf.value));
    if ((fit > 0 || isGenerated) && inAddresses.includes(String(leaf.value))) return fit + 4;
    // A value that the status response repeats is the one that the status was requested by.
    return fit > 0 && seenAgain.has(leaf.value) ? fit + 2 : fit;
  };
}

/** One line, no longer than the words of a profile. */
function isStatusWord(text: string): boolean {
  return text.trim() !== '' && text.length <= 100 && !text.includes('\n');
}

function statusScore(leaf: Leaf): number {
  if (typeof leaf.value !== 'string' || !isStatusWord(leaf.value)) return 0;
  const fit =
    named(leaf, ['status', 'state', 'phase', 'stage']) ||
    // `task_status`, `renderState`; `status_msg` is no status.
    (/(?:status|state)$/.test(leaf.name) ? 0.5 : 0);
  return fit > 0 && guess(leaf.value) !== null ? fit + 2 : fit;
}

function progressScore(leaf: Leaf): number {
  const number = typeof leaf.value === 'string' ? Number.parseFloat(leaf.value) : leaf.value;
  if (typeof number !== 'number' || !(number >= 0 && number <= 100)) return 0;
  return named(leaf, ['progress', 'percent', 'percentage', 'progresspercent', 'completion']);
}

function errorTextScore(leaf: Leaf): number {
  if (typeof leaf.value !== 'string' || leaf.value === '') return 0;
  const inError = /(?:^|\.)errors?(?:\.|\[|$)/i.test(leaf.path);
  const names = ['error', 'errormessage', 'failurereason', 'failuremessage', 'failure', 'reason'];
  return named(leaf, inError ? [...names, 'message', 'detail', 'description'] : names);
}

function errorCodeScore(leaf: Leaf): number {
  const names = ['errorcode', 'failurecode'];
  const inError = /(?:^|\.)errors?\./i.test(leaf.path);
  return named(leaf, inError ? [...names, 'code'] : names);
}

function urlScore(leaf: Leaf): number {
  if (typeof leaf.value !== 'string' || !/^https:\/\/\S+$/.test(leaf.value)) return 0;
  const names = [
    'downloadurl',
    'videourl',
    'resulturl',
    'download',
    'url',
    'video',
    'output',
    'href',
    'link',
  ];
  const isVideo = /^[^?#]*\.(?:mp4|mov|webm)(?:[?#]|$)/i.test(leaf.value);
  // The address of a video file under any name, such as `result`; one of a picture is none.
  const isPicture = /^[^?#]*\.(?:jpe?g|png|gif|webp)(?:[?#]|$)/i.test(leaf.value);
  return isPicture ? 0 : named(leaf, names) + (isVideo ? 0.9 : 0);
}

function expiryScore(leaf: Leaf): number {
  if (typeof leaf.value !== 'string' || Number.isNaN(Date.parse(leaf.value))) return 0;
  return named(leaf, ['expiresat', 'expires', 'expiry', 'validuntil', 'expiration']);
}

function first(found: readonly Leaf[], usual: readonly string[]): string[] {
  return [...new Set([...found.slice(0, 1).map(({ path }) => path), ...usual])];
}

function progressRule(found: readonly Leaf[]): AnswerRules['progress'] {
  const [leaf] = found;
  if (leaf === undefined) return usualRules.progress;
  const numbers = found.map(({ value }) => Number.parseFloat(String(value)));
  const isPercent = leaf.name.includes('percent') || numbers.some((number) => number > 1);
  return { paths: first(found, ['progress']), scale: isPercent ? 'percent' : 'fraction' };
}

/** Parts of words with their usual meanings; the first that fits decides. */
const HINTS: readonly (readonly [RegExp, RemoteState])[] = [
  [/cancel|abort|withdrawn/, 'cancelled'],
  [/reject|moderat|block|denied|refus/, 'rejected'],
  [/fail|error|timeout|timedout|crash|broken|expired/, 'failed'],
  [/queue|wait|pend|plan|schedul|throttl|accepted|submitted/, 'queued'],
  [/ing$|inprogress|started|active/, 'working'],
  [/done|complete|succe|finish|ready|available|published/, 'done'],
];

function guess(word: string): RemoteState | null {
  const known = stateOf(word, usualRules);
  if (known !== null) return known;
  const plain = foldWord(word).replace(/[\s_-]/g, '');
  return HINTS.find(([part]) => part.test(plain))?.[1] ?? null;
}

/** A value in a response that contains no other values, and its path. */
export interface Leaf {
  /** In the notation of `AnswerRules`. */
  readonly path: string;
  /** The last name on the path, without its case and without `_` and `-`: `videourl`. */
  readonly name: string;
  readonly value: string | number | boolean | null;
}

/** More than any response has; a pasted page of data must not block the page. */
const MAX_LEAVES = 2000;

/** All leaves of a response, outer ones first, in the order of the response. */
export function leavesOf(json: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  let level: { readonly path: string; readonly name: string; readonly value: unknown }[] = [
    { path: '', name: '', value: json },
  ];
  while (level.length > 0 && leaves.length < MAX_LEAVES) {
    const next: typeof level = [];
    for (const { path, name, value } of level) {
      if (Array.isArray(value)) {
        // One element represents all of them.
        if (value.length > 0) next.push({ path: `${path}[0]`, name, value: value[0] });
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, child] of Object.entries(value as Record<string, unknown>)) {
          const childPath = path === '' ? key : `${path}.${key}`;
          // Names that a path cannot contain cannot be used by a rule.
          if (!/^[^.[\]\s]+$/.test(key) || childPath.length > MAX_PATH) continue;
          next.push({
            path: childPath,
            name: key.toLowerCase().replace(/[_-]/g, ''),
            value: child,
          });
        }
      } else if (path !== '' && isScalar(value)) {
        leaves.push({ path, name, value });
      }
    }
    level = next;
  }
  return leaves;
}

function isScalar(value: unknown): value is Leaf['value'] {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
