import type { ExampleRequest, Json } from './example-body.ts';
import { MAX_EXAMPLE, readExampleRequest } from './example-request.ts';

/** What a removed key is replaced by. */
const REPLACEMENT = 'YOUR_API_KEY';

/** Shorter values are placeholders, or part of other words. */
const MIN_SECRET = 6;

const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  ...['apikey', 'auth', 'authorization', 'bearer', 'cookie', 'credential', 'credentials', 'jwt'],
  ...['key', 'passwd', 'password', 'secret', 'session', 'sig', 'signature', 'token'],
]);

/** Forms that keys of services have, wherever they are. A name of a field has no digit. */
const KEY_FORMS = [
  /\b(?:sk|pk|rk|key|tok|svc_live|svc_test)[-_](?=[\w-]{0,80}\d)[\w-]{16,}/g,
  /\b(?:r8|hf)_\w{20,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}:[\da-f]{16,}/g,
];

/** JSON Web Tokens, which are keys of some services and in the signed links of others. */
const WEB_TOKEN = /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g;

/** Whether a name of a header, parameter or field says that its value is secret. */
export function isCredentialName(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return words.some((word) => CREDENTIAL_WORDS.has(word)) && !words.includes('idempotency');
}

/** Whether a value only shows where one goes: `$API_KEY`, `<token>`, `YOUR_API_KEY`, `sk-…`. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim().replace(/^(["'])(.*)\1$/s, '$2');
  return (
    text === '' ||
    /^(?:\$|%\w+%$)|[<>{}[\]*]|\.{3}|…|x{4,}|\byour|your[-_ ]|\bmy[-_ ]/i.test(text) ||
    /^(?:[A-Z]+_)*(?:APIKEY|KEY|TOKEN|SECRET|PASSWORD|ID)(?:_[A-Z]+)*$/.test(text) ||
    /^(?:(?:api|access|secret)[-_ ]?)*(?:key|token|secret)(?:[-_ ]here)?$/i.test(text)
  );
}

/** Whether a text has something in it that looks like a key. */
export function hasKey(text: string): boolean {
  return [...KEY_FORMS, WEB_TOKEN].some((form) => text.search(form) !== -1);
}

/** A header's value as its scheme, empty without one, and what follows. */
export function schemeOf(value: string): readonly [scheme: string, credential: string] {
  const [, scheme = '', credential = ''] = /^([A-Za-z][\w-]*)[ \t]+(\S.*)$/s.exec(value) ?? [];
  return scheme === '' ? ['', value] : [scheme, credential];
}

/** Values in a request that are secret, and no placeholders. */
export function secretsIn({ url, headers, body }: ExampleRequest): string[] {
  const ofHeaders = headers
    .filter(([name]) => isCredentialName(name))
    .map(([name, value]) => (name === 'cookie' ? value : schemeOf(value)[1]))
    // A name and a password, an identifier and a secret, the value of a cookie.
    .flatMap((value) => [value, ...value.split(/[:=;]/)]);
  const ofUrl = [
    ...(/^https?:\/\/([^/?#@\s]+)@/i.exec(url)?.[1]?.split(':') ?? []),
    ...pairsOf(url).flatMap(([name, value]) => (isCredentialName(name) ? [value] : [])),
  ];
  const ofBody =
    body.kind === 'json'
      ? secretsInJson(body.value)
      : body.kind === 'form'
        ? body.fields.flatMap(([name, value]) => (isCredentialName(name) ? [value] : []))
        : [];
  return [...ofHeaders, ...ofUrl, ...ofBody].filter(
    (value) => value.length >= MIN_SECRET && !isPlaceholder(value),
  );
}

/** Names and values of a query. */
export function pairsOf(url: string): (readonly [name: string, value: string])[] {
  const query = url.split('#')[0]?.split('?').slice(1).join('?') ?? '';
  return query === ''
    ? []
    : query.split('&').map((pair) => {
        const at = pair.indexOf('=');
        return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      });
}

function secretsInJson(json: Json, name = ''): string[] {
  if (typeof json === 'string') return isCredentialName(name) ? [json] : [];
  if (typeof json !== 'object' || json === null) return [];
  return Array.isArray(json)
    ? json.flatMap((item) => secretsInJson(item, name))
    : Object.entries(json).flatMap(([inner, value]) => secretsInJson(value, inner));
}

/** Examples without the keys that are in any of them. */
export interface Cleaned<Request extends string, Answer extends string> {
  readonly requests: Readonly<Record<Request, string>>;
  readonly answers: Readonly<Record<Answer, string>>;
  /** Whether there was a key. */
  readonly hadKey: boolean;
}

/** More than any request has. A text with more comes back empty. */
const MAX_SECRETS = 50;

/**
 * Removes keys from examples before anything is made of them. A request from which one cannot be
 * removed, because it is written in another way than it is meant, comes back empty.
 */
export function withoutKeys<Request extends string, Answer extends string>(
  requests: Readonly<Record<Request, string>>,
  answers: Readonly<Record<Answer, string>>,
): Cleaned<Request, Answer> {
  const found = Object.values<string>(requests).flatMap(secretsOfText);
  const secrets = [...new Set(found)]
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_SECRETS);
  let hadKey = found.length > 0;
  const clean = (text: string): string => {
    const pasted = text.slice(0, MAX_EXAMPLE);
    const replaced = secrets.reduce((each, key) => each.replaceAll(key, REPLACEMENT), pasted);
    const cleaned = KEY_FORMS.reduce((each, form) => each.replace(form, REPLACEMENT), replaced);
    hadKey ||= cleaned !== pasted;
    // One in a signed link is no key of the user's.
    return cleaned.replace(WEB_TOKEN, REPLACEMENT);
  };
  const cleanRequests = mapped(requests, (text) => {
    const cleaned = clean(text);
    return secretsOfText(cleaned).length > 0 ? '' : cleaned;
  });
  const cleanAnswers = mapped(answers, clean);
  return { requests: cleanRequests, answers: cleanAnswers, hadKey };
}

function mapped<Name extends string>(
  texts: Readonly<Record<Name, string>>,
  change: (text: string) => string,
): Record<Name, string> {
  const names = Object.keys(texts) as Name[];
  return Object.fromEntries(names.map((name) => [name, change(texts[name])])) as Record<
    Name,
    string
  >;
}

function secretsOfText(text: string): string[] {
  const request = readExampleRequest(text);
  return request === null ? [] : secretsIn(request);
}
