/** Finds and removes keys from pasted examples, before anything else reads or keeps them. */
import type { ExampleBody, ExampleRequest, Json } from './example-body.ts';
import type { ServiceFields } from '../service-examples.ts';
import {
  assignedSecretsIn,
  hasKey,
  isCredentialName,
  isPlaceholder,
  looksRandom,
  namedSecretsIn,
  pairedSecretsIn,
  withoutKeyForms,
} from './credential-forms.ts';
import { secretOptionsOf } from './curl-command.ts';
import { MAX_EXAMPLE, readExampleRequest } from './example-request.ts';
import { withoutKeysInPlaces } from './key-places.ts';
import { pastedCommand } from './pasted-command.ts';
import { cleanPasted } from './pasted-text.ts';

/** Replaces a removed key. */
const REPLACEMENT = 'YOUR_API_KEY';

/** Shorter values in a body or a cookie are placeholders, or part of other words. */
const MIN_SECRET = 6;

/** A shorter key does not exist; one of up to {@link MIN_SECRET} is removed as a whole word only. */
const MIN_KEY = 3;

/** Splits a header's value into its scheme, empty without one, and the rest. */
export function schemeOf(value: string): readonly [scheme: string, credential: string] {
  const [, scheme = '', credential = ''] = /^([A-Za-z][\w-]*)[ \t]+(\S.*)$/s.exec(value) ?? [];
  return scheme === '' ? ['', value] : [scheme, credential];
}

/** Values in a request that are secret and not placeholders. */
function secretsIn({ url, headers, body }: ExampleRequest): string[] {
  const ofHeaders = headers
    .filter(([name, value]) => isCredentialName(name) || isSecretByLooks(name, value))
    .map(([name, value]) => (name === 'cookie' ? value : schemeOf(value)[1]));
  const logins = [
    ...ofHeaders.flatMap((value) => basicOf(value)),
    ...ofHeaders.filter((value) => value.includes(':')),
    /^(?:https?:\/\/)?([^/?#\s]+)@/i.exec(url)?.[1] ?? '',
  ];
  const keys = [
    ...ofHeaders,
    ...logins,
    // A password; without one the name is the key, as in `-u KEY:`.
    ...logins.map((login) => {
      const [name = '', ...password] = login.split(':');
      return password.join(':') || name;
    }),
    ...pairsOf(url).flatMap(([name, value]) =>
      isCredentialName(name) ? [value, decoded(value)] : [],
    ),
  ];
  // An identifier and a secret, or the value of a cookie.
  const parts = [...ofHeaders, ...logins].flatMap((value) => value.split(/[:=;]/));
  return [
    ...keys.filter(isKeySized),
    ...[...parts, ...secretsInBody(body)].filter((value) => value.length >= MIN_SECRET),
  ].filter((value) => !isPlaceholder(value));
}

/** Texts that a request has where keys are, also names of variables. */
function usedAsKeys({ url, headers, body }: ExampleRequest): string[] {
  const named = [...headers, ...pairsOf(url)].filter(([name]) => isCredentialName(name));
  return [...named.map(([, value]) => value), ...secretsInBody(body)];
}

/** Digits alone are a number of the request rather than a key. */
function isKeySized(value: string): boolean {
  return value.length >= MIN_SECRET || (value.length >= MIN_KEY && !/^\d+$/.test(value));
}

function secretsInBody(body: ExampleBody): string[] {
  switch (body.kind) {
    case 'json':
      return secretsInJson(body.value);
    case 'form':
      return body.fields.flatMap(([name, value]) => (isCredentialName(name) ? [value] : []));
    case 'other':
      // URL-encoded. A part that is not the name of a field is some other text.
      return pairsOf(`?${body.text}`).flatMap(([name, value]) =>
        /^[\w.[\]-]+$/.test(name) && isCredentialName(name) ? [value, decoded(value)] : [],
      );
    case 'none':
      return [];
  }
}

/** For a header of an unknown name. Identifiers look random too; their names end in `id`. */
function isSecretByLooks(name: string, value: string): boolean {
  return looksRandom(schemeOf(value)[1]) && !/(?:^|-)(?:\w*id|idempotency-key)$/.test(name);
}

/** Both Node and browsers have it, but this layer has the types of neither. */
declare const atob: (text: string) => string;
declare const btoa: (text: string) => string;

/** Converts a name and a password for basic authentication to or from base64. */
function basicOf(credential: string): string[] {
  try {
    if (credential.includes(':')) return [btoa(credential)];
    const pair = atob(credential);
    return /^[\x21-\x7e]*:[\x21-\x7e]*$/.test(pair) ? [pair] : [];
  } catch {
    return [];
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
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

/** Examples without the keys that any of them contained. */
export interface Cleaned<Request extends string, Answer extends string> {
  readonly requests: Readonly<Record<Request, string>>;
  readonly answers: Readonly<Record<Answer, string>>;
  /** Whether there was a key. */
  readonly hadKey: boolean;
  /** Whether a text contains one of the keys. */
  readonly hasSecret: (text: string) => boolean;
}

/** More than any request has. A text with more is returned empty. */
const MAX_SECRETS = 50;

/** One for a key whose removal leaves something that reads like another one; more are not real. */
const MAX_PASSES = 3;

/**
 * Removes keys from examples before they are used. A request from which one cannot be removed,
 * because it is written in an unknown form, is returned empty.
 */
export function withoutKeys<Request extends string, Answer extends string>(
  requests: Readonly<Record<Request, string>>,
  answers: Readonly<Record<Answer, string>>,
): Cleaned<Request, Answer> {
  const first = withoutFoundKeys(requests, answers);
  let last = first;
  for (let pass = 0; pass < MAX_PASSES && last.hadKey; pass += 1) {
    last = withoutFoundKeys(last.requests, last.answers);
  }
  if (!last.hadKey) return { ...last, hadKey: first.hadKey, hasSecret: first.hasSecret };
  const none = (): string => '';
  return { ...first, requests: mapped(requests, none), answers: mapped(answers, none) };
}

/** One pass of {@link withoutKeys}. */
function withoutFoundKeys<Request extends string, Answer extends string>(
  requests: Readonly<Record<Request, string>>,
  answers: Readonly<Record<Answer, string>>,
): Cleaned<Request, Answer> {
  const found = [
    ...Object.values<string>(requests).flatMap(secretsOfText),
    // A token in a signed link is not the user's key.
    ...Object.values<string>(answers).flatMap((text) =>
      namedSecretsIn(text.slice(0, MAX_EXAMPLE), 'without-links'),
    ),
  ];
  const all = [...new Set(found)].sort((one, other) => other.length - one.length);
  const secrets = all.slice(0, MAX_SECRETS);
  let hadKey = found.length > 0;
  const clean = (text: string): string => {
    const pasted = text.slice(0, MAX_EXAMPLE);
    const replaced = secrets.reduce(withoutSecret, pasted);
    const { cleaned, hadKey: hadForm } = withoutKeyForms(replaced, REPLACEMENT);
    hadKey ||= hadForm || replaced !== pasted;
    return cleaned;
  };
  const cleanRequests = mapped(requests, (text) => {
    const known = clean(text);
    const cleaned = withoutKeysInPlaces(known, REPLACEMENT);
    hadKey ||= cleaned !== known;
    return secretsOfText(known).length > 0 ? '' : cleaned;
  });
  const cleanAnswers = mapped(answers, (text) => {
    const cleaned = clean(text);
    // Of more keys than are removed, one remains.
    return namedSecretsIn(cleaned, 'without-links').length > 0 ? '' : cleaned;
  });
  return {
    requests: cleanRequests,
    answers: cleanAnswers,
    hadKey,
    hasSecret: (text) => all.some((secret) => text.includes(secret)),
  };
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

function withoutSecret(text: string, secret: string): string {
  return secret.length >= MIN_SECRET
    ? text.replaceAll(secret, REPLACEMENT)
    : text.replace(new RegExp(`(?<![\\w-])${escaped(secret)}(?![\\w-])`, 'g'), REPLACEMENT);
}

/** A text in which no character has a meaning in a regular expression. */
function escaped(text: string): string {
  return text.replace(/[^\w\s]/gu, '\\$&');
}

function secretsOfText(whole: string): string[] {
  const text = whole.slice(0, MAX_EXAMPLE);
  const request = readExampleRequest(text);
  const command = pastedCommand(cleanPasted(text));
  const found = [
    ...(command === null ? [] : secretOptionsOf(command)),
    ...assignedSecretsIn(text, request === null ? [] : usedAsKeys(request)),
    ...(request === null ? pairedSecretsIn(text) : []),
  ];
  return [
    ...(request === null ? [] : secretsIn(request)),
    ...found.filter((value) => isKeySized(value) && !isPlaceholder(value)),
    // Finds secrets in code that is not parsed here, such as a second command or a variable.
    ...namedSecretsIn(text, 'with-links'),
  ];
}

/** The user's entries in the form, without fields that contain a key. */
export function fieldsWithoutKeys(
  corrected: { readonly [Name in keyof ServiceFields]?: ServiceFields[Name] | undefined },
  hasSecret: (text: string) => boolean,
): { readonly entered: Partial<ServiceFields>; readonly hadKey: boolean } {
  const given = Object.entries(corrected).filter(([, text]) => text !== undefined);
  const kept = given.filter(([name, text = '']) => {
    const isOfHeader = name === 'authHeader' || name === 'authScheme';
    return !hasSecret(text) && !hasKeyInField(text) && !(isOfHeader && hasRandomWord(text));
  });
  return { entered: Object.fromEntries(kept), hadKey: kept.length < given.length };
}

/** In a known format, before the `@` of an address, or in a query. */
function hasKeyInField(text: string): boolean {
  const ofUrl = { method: 'GET', url: text.trim(), headers: [], body: { kind: 'none' } } as const;
  return hasKey(text) || secretsIn(ofUrl).length > 0;
}

function hasRandomWord(text: string): boolean {
  return text.split(/[\s:]+/).some(looksRandom);
}
