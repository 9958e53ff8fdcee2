import { foldWord, type AnswerRules } from '../../contract/answer-rules.ts';
import type { ServiceApi } from '../../contract/service-profile.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import type { Link } from '../link.ts';
import type { RemoteState } from '../../contract/job.ts';
import type { RemoteStatus } from './outcomes.ts';
import { sanitizeRemoteText } from '../sanitize-remote-text.ts';

/** Longer identifiers are invalid: identifiers become part of a path (service-api.md §2.2). */
const MAX_ID = 200;
const MAX_WORD = 100;
const MAX_URL = 8192;

/** What an error body (service-api.md §2.4) or a failed video says. */
export interface RemoteError {
  readonly text: string | null;
  readonly code: string | null;
  /** Wall-clock milliseconds of `details.resetAt`, which rate limiting and quotas may give. */
  readonly resetAt: number | null;
}

/** The identifier in the response to a generate request; `null` when there is no usable one. */
export function readRemoteId(json: unknown, rules: AnswerRules): string | null {
  for (const value of candidates(json, rules.under, rules.id)) {
    const id = idFrom(value);
    if (id !== null) return id;
  }
  return null;
}

/** Names that no identifier has but a video's own. */
const OWN_NAMES = ['id', 'videoId', 'video_id'];

/**
 * Whether a status is about another video than the one that was asked for, as from a cache. A name
 * that usually means something else, such as `project`, counts only if it is the profile's first.
 */
export function isAboutAnother(json: unknown, remoteId: string, rules: AnswerRules): boolean {
  const own = [leafOf(rules.id[0] ?? ''), ...OWN_NAMES];
  const names = rules.id.filter((name) => own.includes(leafOf(name)));
  const ids = [...candidates(json, rules.under, names)].flatMap((value) => idFrom(value) ?? []);
  const isSame = (id: string): boolean => id.toLowerCase() === remoteId.toLowerCase();
  return ids.length > 0 && !ids.some(isSame);
}

/** The last name of a path. */
function leafOf(path: string): string {
  return path.split('.').at(-1) ?? '';
}

const MAX_WARNINGS = 10;
const MAX_WARNING = 300;

/** What the answer to an accepted request warns of; `null` without a warning. */
export function readWarnings(json: unknown, { under, warnings = [] }: AnswerRules): string | null {
  const found = [...candidates(json, under, warnings)]
    .flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .slice(0, MAX_WARNINGS)
    .map((value) => (typeof value === 'string' ? value : firstText(value, MESSAGE_NAMES)))
    .map((value) => sanitizeRemoteText(value ?? '', MAX_WARNING))
    .filter((text) => text !== '');
  return found.length === 0 ? null : found.join(' ');
}

/** The state of a video. Never fails: `state` is `null` if the word is unknown. */
export function readStatus(json: unknown, rules: AnswerRules): RemoteStatus {
  const word = readWord(json, rules);
  const state = hasValue(json, rules, rules.failedBy)
    ? 'failed'
    : word === null
      ? (rules.withoutWord ?? null)
      : stateOf(word, rules);
  return {
    state,
    word,
    ...(state === 'done' && hasValue(json, rules, rules.removedBy) && { isRemoved: true }),
    progress: readProgress(json, rules),
    error: isBadEnd(state) ? sentence(readRemoteError(json, rules)) : null,
  };
}

/** What a word means, or `null` when the rules do not contain it. */
export function stateOf(word: string, rules: AnswerRules): RemoteState | null {
  const folded = foldWord(word);
  return Object.hasOwn(rules.words, folded) ? (rules.words[folded] ?? null) : null;
}

/** The response of the download endpoint (service-api.md §2.3), as far as it could be read. */
export type LinkReading =
  | { readonly kind: 'link'; readonly link: Link }
  /** The response is about an unfinished video, or says outright that there is no link yet. */
  | { readonly kind: 'not-ready' }
  | { readonly kind: 'unreadable'; readonly why: UserMessage };

export function readLink(json: unknown, rules: AnswerRules): LinkReading {
  const word = readWord(json, rules);
  const state = word === null ? null : stateOf(word, rules);
  // Some services send an address before the file exists.
  if (state === 'queued' || state === 'working') return { kind: 'not-ready' };
  const found = [...candidates(json, rules.under, rules.link.url)];
  const text = found.find((value) => typeof value === 'string' && value !== '');
  if (typeof text !== 'string') {
    return found.includes(null)
      ? { kind: 'not-ready' }
      : { kind: 'unreadable', why: userMessage('answer-without-link') };
  }
  const url = text.length <= MAX_URL && URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    return { kind: 'unreadable', why: userMessage('answer-link-not-https') };
  }
  const [expiresAt] = candidates(json, rules.under, rules.link.expiresAt);
  return { kind: 'link', link: { url: url.href, expiresAt: instantFrom(expiresAt) } };
}

/** Where an error that is an object has its code, the narrowest first. */
const ERROR_CODES = ['code', 'type', 'name'] as const;

const MESSAGE_NAMES = ['message', 'detail', 'description', 'reason', 'text'] as const;

/** An error's text and code, as a string, an object or separate fields. */
export function readRemoteError(json: unknown, rules: AnswerRules): RemoteError {
  let text: string | null = null;
  let code: string | null = null;
  for (const value of candidates(json, rules.under, rules.error.text)) {
    if (typeof value === 'object' && value !== null) {
      text ??= firstText(value, MESSAGE_NAMES);
      code ??= firstText(value, ERROR_CODES);
    } else {
      text ??= textFrom(value);
    }
  }
  for (const value of candidates(json, rules.under, rules.error.code)) code ??= textFrom(value);
  return { text, code, resetAt: instantFrom(valueAt(json, 'details.resetAt')) };
}

/** Both as one text to show; `null` when there is nothing. */
export function sentence({ text, code }: RemoteError): string | null {
  if (text === null) return code;
  return code === null || text.includes(code) ? text : sanitizeRemoteText(`${text} (${code})`);
}

/** The code of an error body (service-api.md §2.4), or the one that the profile's rules find. */
export function readErrorCode(json: unknown, rules: AnswerRules): string | null {
  return textFrom(valueAt(json, 'code')) ?? readRemoteError(json, rules).code;
}

/**
 * True for a refusal (4xx) that says the monthly quota is used up, by the profile's rules. One with
 * the documented code of a rate limit (§7) never does, whatever plans its message may recommend.
 */
export function isQuotaRefusal(status: number, json: unknown, rules: AnswerRules): boolean {
  const { statuses, spokenStatuses, codes, speaksOf } = rules.quotaRefusal;
  if (statuses.includes(status)) return true;
  const code = readErrorCode(json, rules) ?? '';
  if (code === 'RATE_LIMITED') return false;
  const said = codesIn(json, rules).map(foldWord);
  if (codes.some((known) => said.includes(foldWord(known)))) return true;
  if (!spokenStatuses.includes(status)) return false;
  const message = textFrom(valueAt(json, 'message')) ?? '';
  const { text } = readRemoteError(json, rules);
  const spoken = foldWord(`${code} ${message} ${text ?? ''}`).split(/[^\p{L}\p{N}]+/u);
  return speaksOf.some((word) => spoken.includes(foldWord(word)));
}

/** All codes of an error: some services send a narrow one beside a broad one. */
export function codesIn(json: unknown, rules: AnswerRules): string[] {
  const errors = [...candidates(json, rules.under, rules.error.text)];
  const found = [
    valueAt(json, 'code'),
    ...candidates(json, rules.under, rules.error.code),
    ...errors.flatMap((error) => ERROR_CODES.map((name) => valueAt(error, name))),
  ];
  return found.flatMap((value) => textFrom(value) ?? []);
}

/** True for a refusal of the key with another status than 401, by the profile's rules. */
export function isKeyRefusal(status: number, json: unknown, rules: AnswerRules): boolean {
  if (!rules.keyRefusal?.statuses.includes(status)) return false;
  const message = textFrom(valueAt(json, 'message')) ?? '';
  const { text } = readRemoteError(json, rules);
  const said = foldWord(`${message} ${text ?? ''}`);
  return rules.keyRefusal.phrases.some((phrase) => said.includes(foldWord(phrase)));
}

/** A larger amount is not credible. */
const MAX_AMOUNT = 1e12;

/** Further decimals come from the multiplication. */
const AMOUNT_DECIMALS = 1e6;

/**
 * An amount in the unit of the profile, such as the account's balance; `null` for anything else. A
 * negative number may be a debt or stand for “no limit”; the response does not say which.
 */
export function readAmount(
  json: unknown,
  { at, factor, where }: NonNullable<ServiceApi['cost']['actual']>,
): number | null {
  if (where !== null && valueAt(json, where.at) !== where.is) return null;
  const value = valueAt(json, at);
  if (typeof value !== 'number' || !(value >= 0)) return null;
  // The absolute value of -0, which would be shown with its sign.
  const amount = Math.round(Math.abs(value) * factor * AMOUNT_DECIMALS) / AMOUNT_DECIMALS;
  return amount <= MAX_AMOUNT ? amount : null;
}

/** An ISO 8601 moment in epoch milliseconds; without a time zone it is read as UTC. */
export function instantFrom(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 64 || !/^\d{4}-\d\d-\d\dT/.test(value))
    return null;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`;
  const instant = Date.parse(zoned);
  return Number.isFinite(instant) ? instant : null;
}

/** All values with the given names, place by place, in the order of the rules. */
function* candidates(json: unknown, under: readonly string[], names: readonly string[]): Generator {
  for (const place of under) {
    const root = valueAt(json, place);
    if (typeof root !== 'object' || root === null) continue;
    for (const name of names) {
      const value = valueAt(root, name);
      if (value !== undefined) yield value;
    }
  }
}

/**
 * The first known word, or else the first word: an envelope's `status: "success"` is not the
 * video's, and must not hide it.
 */
function readWord(json: unknown, rules: AnswerRules): string | null {
  const words = [...candidates(json, rules.under, rules.status)]
    .filter((value) => typeof value === 'string' || isKnownBoolean(value, rules))
    .map((value) => sanitizeRemoteText(String(value), MAX_WORD))
    .filter((word) => word !== '');
  return words.find((word) => stateOf(word, rules) !== null) ?? words[0] ?? null;
}

/** `true` and `false` are words of services whose rules say so; in envelopes they mean no video. */
function isKnownBoolean(value: unknown, rules: AnswerRules): boolean {
  return typeof value === 'boolean' && stateOf(String(value), rules) !== null;
}

function hasValue(json: unknown, { under }: AnswerRules, paths: readonly string[] = []): boolean {
  const found = candidates(json, under, paths);
  return [...found].some((value) => value !== null && value !== '' && value !== false);
}

function readProgress(json: unknown, rules: AnswerRules): number | null {
  if (rules.progress === null) return null;
  for (const value of candidates(json, rules.under, rules.progress.paths)) {
    const number = typeof value === 'string' ? Number.parseFloat(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) continue;
    const fraction = rules.progress.scale === 'percent' ? number / 100 : number;
    return Math.min(1, Math.max(0, fraction));
  }
  return null;
}

function isBadEnd(state: RemoteState | null): boolean {
  return state === 'failed' || state === 'rejected' || state === 'cancelled';
}

/** An identifier, as text. */
export function idFrom(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
  if (typeof value !== 'string') return null;
  const id = value.trim();
  const usable =
    id.length > 0 &&
    id.length <= MAX_ID &&
    id !== '.' &&
    id !== '..' &&
    id.isWellFormed() &&
    !/\p{Cc}/u.test(id);
  return usable ? id : null;
}

function firstText(value: unknown, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textFrom(valueAt(value, name));
    if (text !== null) return text;
  }
  return null;
}

/** A text or number of an answer, as text to show; `null` for anything else. */
export function textFrom(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value !== 'string') return null;
  return sanitizeRemoteText(value) || null;
}

/** The value at a path of an `AnswerRules`; `undefined` when there is none. Own properties only. */
export function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const step of path.match(/[^.[\]]+/g) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}
