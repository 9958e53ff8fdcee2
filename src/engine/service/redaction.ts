import type { HttpResponse } from './outcomes.ts';

const HIDDEN = '[API key]';

/**
 * Fewer characters at the end of a response can be another word, and reveal too little of the key.
 */
const MIN_CUT_KEY = 4;
/** The longest form of a character in a response: an escape of JSON in a string of JSON. */
const MAX_ESCAPE = 8;
const CUT_ESCAPE = /(?:\\{1,3}(?:u[\da-f]{0,3})?|%[\da-f]?)$/i;

/** Removes the key from a response, in case the service has echoed it. */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
  const hide = (text: string): string => withoutSecret(text, key);
  return {
    ...response,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, hide(value)]),
    ),
    body: withoutCutKey(hide(response.body), key),
  };
}

/** Removes the beginning of the key at the end of a body, which a connection may have cut there. */
function withoutCutKey(body: string, key: string): string {
  const from = Math.max(0, body.length - key.length * MAX_ESCAPE);
  const { text, starts } = unescaped(body.slice(from).replace(CUT_ESCAPE, ''));
  for (let length = key.length - 1; length >= MIN_CUT_KEY; length -= 1) {
    if (!text.endsWith(key.slice(0, length))) continue;
    return body.slice(0, from + (starts[text.length - length] ?? 0)) + HIDDEN;
  }
  return body;
}

/**
 * Removes a secret from a text, also from what JSON or an address in it decodes to. JSON stays
 * valid. Takes linear time for any text.
 */
export function withoutSecret(text: string, secret: string): string {
  const plain = text.replaceAll(secret, HIDDEN);
  return /[\\%]/.test(plain) ? withoutEscapedSecret(plain, secret) : plain;
}

/** Escapes of JSON, also of JSON in a string of JSON, and of addresses. */
const ESCAPE = /\\+(?:u([\da-f]{4}))?|%([\da-f]{2})/gi;

/** A text without its escapes; unit `n` of it is `starts[n]` to `ends[n]` of the source. */
interface Unescaped {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

function unescaped(source: string): Unescaped {
  const [starts, ends, parts]: [number[], number[], string[]] = [[], [], []];
  /** Backslashes belong to the unit that they escape: one left behind would escape another. */
  let begin: number | null = null;
  let at = 0;
  const take = (text: string, start: number, end: number): void => {
    starts.push(begin ?? start);
    ends.push(end);
    parts.push(text);
    begin = null;
  };
  const takeTo = (end: number): void => {
    for (; at < end; at++) take(source.charAt(at), at, at + 1);
  };
  for (const match of source.matchAll(ESCAPE)) {
    const end = match.index + match[0].length;
    takeTo(match.index);
    const code = match[1] ?? match[2];
    if (code === undefined) begin = match.index;
    else take(String.fromCharCode(Number.parseInt(code, 16)), match.index, end);
    at = end;
  }
  takeTo(source.length);
  return { text: parts.join(''), starts, ends };
}

function withoutEscapedSecret(source: string, secret: string): string {
  const wanted = unescaped(secret).text;
  const { text, starts, ends } = unescaped(source);
  if (wanted === '') return source;
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    kept += source.slice(from, starts[at]) + HIDDEN;
    from = ends[at + wanted.length - 1] ?? source.length;
  }
  return kept + source.slice(from);
}

/** JSON ends an address with a quotation mark; any other character may be part of its query. */
const ADDRESS_IN_BODY = /https?:(?:\\?\/){2}[^\s"]*/gi;
const QUERY = /\?|\\u003f/i;

/** Removes the queries of addresses in a body, which contain a link's signature (§2.3). */
export function withoutLinkSecrets(body: string): string {
  return withoutQueries(body, ADDRESS_IN_BODY);
}

/**
 * Cuts each address where its query begins; JSON stays valid. Takes linear time for any text.
 *
 * @param addresses matches an address with all that follows until a character that ends it
 */
export function withoutQueries(text: string, addresses: RegExp): string {
  return text.replace(addresses, (address) => {
    const query = address.search(QUERY);
    return query === -1 ? address : `${address.slice(0, query)}?…${escapeAtEnd(address)}`;
  });
}

/** The backslashes that escape the character after it, if JSON is a string within JSON. */
function escapeAtEnd(address: string): string {
  let end = address.length;
  while (address[end - 1] === '\\') end -= 1;
  return address.slice(end);
}
