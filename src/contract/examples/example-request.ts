import { readCurl } from './curl-command.ts';
import { readJsonBody, type ExampleRequest } from './example-body.ts';
import { readPythonCall } from './python-call.ts';
import { firstCommandIn } from './shell-words.ts';

/** Characters; longer texts are cut. */
export const MAX_EXAMPLE = 128 * 1024;

const NO_BODY = { kind: 'none' } as const;
const METHODS = 'GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS';

/**
 * Reads a request that the user copied: a curl command, a Python call, an HTTP request, or an
 * address with a JSON body. `null`: it is none of them.
 */
export function readExampleRequest(pasted: string): ExampleRequest | null {
  const text = pasted.slice(0, MAX_EXAMPLE).trim();
  const command = /(?:^|\n)[ \t]*(?:[$>%] ?)?curl(?:\.exe)?(?=[ \t\n\\^`])/.exec(text);
  if (command !== null) {
    const start = command.index + command[0].lastIndexOf('curl');
    return readCurl(firstCommandIn(text.slice(start)));
  }
  return readPythonCall(text) ?? readHttp(text);
}

/** `POST /v1/videos HTTP/1.1` with headers and a body; the first line may be just the address. */
function readHttp(text: string): ExampleRequest | null {
  const line = new RegExp(
    `(?:^|\\n)[ \\t]*(?:(${METHODS})[ \\t]+)?((?:https?://|/(?!/))[^\\s"']*)(?:[ \\t]+HTTP/[\\d.]+)?`,
    'i',
  ).exec(text);
  const rest = line === null ? text : text.slice(line.index + line[0].length);
  const bodyAt = rest.search(/(?:^|\n)[ \t]*\{/);
  const body = bodyAt === -1 ? NO_BODY : readJsonBody(rest.slice(bodyAt));
  const [, method, url = ''] = line ?? [];
  if (url === '' && body.kind !== 'json') return null;
  const head = bodyAt === -1 ? rest : rest.slice(0, bodyAt);
  const headers = [...head.matchAll(/^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*(.*)$/gm)].map(
    ([, name = '', value = '']) => [name.toLowerCase(), value.trim()] as const,
  );
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
