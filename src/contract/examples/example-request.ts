/** Reads a request as documentation shows it: a curl command, HTTP, or an address with JSON. */
import { readCurl } from './curl-command.ts';
import {
  endOfStructure,
  readJsonBody,
  type ExampleBody,
  type ExampleRequest,
} from './example-body.ts';
import { pastedCommand } from './pasted-command.ts';
import { cleanPasted } from './pasted-text.ts';
import { unreadKindOf, type UnreadKind } from './unread-notation.ts';

/** Characters; longer texts are cut. */
export const MAX_EXAMPLE = 128 * 1024;

const NO_BODY = { kind: 'none' } as const;
const METHODS = 'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS';

/**
 * Reads a request that the user copied. `null`: the text contains none in a notation that is read;
 * {@link unreadKind} names its notation.
 */
export function readExampleRequest(pasted: string): ExampleRequest | null {
  const text = cleanPasted(pasted.slice(0, MAX_EXAMPLE));
  const command = pastedCommand(text);
  if (command !== null) return readCurl(command);
  return unreadKindOf(text) === 'none' ? readHttp(text) : null;
}

/** The notation of a text from which {@link readExampleRequest} read nothing. */
export function unreadKind(pasted: string): UnreadKind {
  return unreadKindOf(cleanPasted(pasted.slice(0, MAX_EXAMPLE)));
}

/** `POST /v1/videos HTTP/1.1` with headers and a body; the first line may be just the address. */
function readHttp(text: string): ExampleRequest | null {
  const line = new RegExp(
    `(?:^|\\n)[ \\t]*(?:(${METHODS})[ \\t]+)?((?:https?://|/(?!/))[^\\s"']*)(?:[ \\t]+HTTP/[\\d.]+)?`,
    'i',
  ).exec(text);
  const rest = line === null ? text : text.slice(line.index + line[0].length);
  const bodyAt = rest.search(/(?:^|\n)[ \t]*\{/);
  const body = bodyAt === -1 ? NO_BODY : readBody(rest.slice(bodyAt));
  const [, method, url = ''] = line ?? [];
  if (url === '' && body.kind !== 'json') return null;
  const head = bodyAt === -1 ? rest : rest.slice(0, bodyAt);
  const headers = headersIn(head);
  const host = headers.find(([name]) => name === 'host')?.[1];
  const isForm = headers.some(
    ([name, value]) => name === 'content-type' && /urlencoded/i.test(value),
  );
  return {
    method: (method ?? (body.kind === 'none' ? 'GET' : 'POST')).toUpperCase(),
    url: url.startsWith('/') && host !== undefined ? `https://${host}${url}` : url,
    headers: headers.filter(([name]) => name !== 'host'),
    body: isForm ? { kind: 'other', text: rest.replace(/^[^]*?\n[ \t]*\n/, '').trim() } : body,
  };
}

/** Another text may follow the JSON, such as its response or a second request. */
function readBody(text: string): ExampleBody {
  const whole = readJsonBody(text);
  const end = whole.kind === 'json' ? null : endOfStructure(text, text.indexOf('{'));
  const first = end === null ? whole : readJsonBody(text.slice(0, end));
  return first.kind === 'json' ? first : whole;
}

/** A line that begins with a space continues the header before it (RFC 9112 §5.2). */
function headersIn(head: string): (readonly [name: string, value: string])[] {
  const unfolded = head.replace(
    /(:[^\n:]*(?::[^\n:]*){0,20})\n[ \t]+(?![\w!#$%&'*+.^`|~-]+[ \t]*:)(?=\S)/g,
    '$1 ',
  );
  return [...unfolded.matchAll(/^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*(.*)$/gm)].map(
    ([, name = '', value = '']) => [name.toLowerCase(), value.trim()] as const,
  );
}
