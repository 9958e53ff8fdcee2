import { readJsonBody, type ExampleBody, type ExampleRequest } from './example-body.ts';
import type { ShellCommand } from './shell-words.ts';

/** curl's short options with a value. */
const SHORT_WITH_VALUE = /(?<!^)[AbcCdDeEFhHKmoPQrtTuUwxXyYz]/;

/** curl's long options with a value that do not affect the request. */
const LONG_WITH_VALUE: ReadonlySet<string> = new Set([
  'cacert',
  'capath',
  'cert',
  'cert-type',
  'ciphers',
  'config',
  'connect-timeout',
  'connect-to',
  'cookie-jar',
  'dump-header',
  'interface',
  'key',
  'key-type',
  'limit-rate',
  'max-redirs',
  'max-time',
  'noproxy',
  'output',
  'output-dir',
  'pass',
  'proxy',
  'proxy-header',
  'proxy-user',
  'referer',
  'resolve',
  'retry',
  'retry-delay',
  'retry-max-time',
  'speed-limit',
  'speed-time',
  'stderr',
  'trace',
  'trace-ascii',
  'unix-socket',
  'upload-file',
  'user-agent',
  'write-out',
  'range',
  'form-string',
]);

/** Options that affect the request, by their short names. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  X: 'method',
  request: 'method',
  H: 'header',
  header: 'header',
  d: 'data',
  data: 'data',
  'data-ascii': 'data',
  'data-binary': 'data',
  'data-raw': 'data-raw',
  'data-urlencode': 'data-raw',
  json: 'json',
  F: 'form',
  form: 'form',
  'form-string': 'form-string',
  u: 'user',
  user: 'user',
  b: 'cookie',
  cookie: 'cookie',
  'oauth2-bearer': 'bearer',
  url: 'url',
};

type Meaning =
  | 'method'
  | 'header'
  | 'data'
  | 'data-raw'
  | 'json'
  | 'form'
  | 'form-string'
  | 'user'
  | 'cookie'
  | 'bearer'
  | 'url';

/** The request that a curl command would make. Unknown options are ignored. */
export function readCurl({ words, input }: ShellCommand): ExampleRequest | null {
  const given = optionsOf(words.slice(1));
  const all = (meaning: Meaning): string[] =>
    given.filter((option) => option.meaning === meaning).map(({ value }) => value);
  const [url] = all('url');
  if (url === undefined) return null;
  const body = bodyOf(given, input);
  return {
    method: (all('method').at(-1) ?? (body.kind === 'none' ? 'GET' : 'POST')).toUpperCase(),
    url,
    headers: [
      ...all('header').flatMap((line) => headerIn(line)),
      ...all('user').map((value) => ['authorization', `Basic ${value}`] as const),
      ...all('bearer').map((value) => ['authorization', `Bearer ${value}`] as const),
      ...all('cookie').map((value) => ['cookie', value] as const),
    ],
    body,
  };
}

interface Option {
  readonly meaning: Meaning;
  readonly value: string;
}

function optionsOf(words: readonly string[]): Option[] {
  const options: Option[] = [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  while (at < words.length) {
    const word = next();
    if (word.startsWith('--')) {
      const name = word.slice(2);
      const meaning = meaningOf(name);
      if (meaning !== null) options.push({ meaning, value: next() });
      else if (LONG_WITH_VALUE.has(name)) next();
    } else if (word.startsWith('-') && word.length > 1) {
      // `-sSXPOST`: flags, then an option whose value follows at once or is the next word.
      const index = word.search(SHORT_WITH_VALUE);
      if (index === -1) continue;
      const value = word.length > index + 1 ? word.slice(index + 1) : next();
      const meaning = meaningOf(word.charAt(index));
      if (meaning !== null) options.push({ meaning, value });
    } else {
      options.push({ meaning: 'url', value: word });
    }
  }
  return options;
}

function meaningOf(name: string): Meaning | null {
  return Object.hasOwn(MEANINGS, name) ? (MEANINGS[name] ?? null) : null;
}

function headerIn(line: string): (readonly [string, string])[] {
  const at = line.indexOf(':');
  if (at < 1) return [];
  return [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]];
}

function bodyOf(given: readonly Option[], input: string | null): ExampleBody {
  const parts = given.filter(({ meaning }) => meaning === 'form' || meaning === 'form-string');
  if (parts.length > 0) return formOf(parts);
  const data = given.filter(({ meaning }) => ['data', 'data-raw', 'json'].includes(meaning));
  if (data.length === 0) return { kind: 'none' };
  const texts = data.map(({ meaning, value }) =>
    meaning !== 'data-raw' && value === '@-' ? (input ?? '') : value,
  );
  return readJsonBody(texts.join(data.some(({ meaning }) => meaning === 'json') ? '' : '&'));
}

function formOf(parts: readonly Option[]): ExampleBody {
  const named = parts.flatMap(({ meaning, value }) => {
    const at = value.indexOf('=');
    if (at < 1) return [];
    return [{ name: value.slice(0, at), value: value.slice(at + 1), isText: meaning !== 'form' }];
  });
  const isFile = (part: (typeof named)[number]): boolean =>
    !part.isText && /^[@<]/.test(part.value);
  return {
    kind: 'form',
    fields: named
      .filter((part) => !isFile(part))
      .map(({ name, value, isText }) => [
        name,
        isText
          ? value
          : value.replace(/;(?:type|filename|headers?)=.*$/s, '').replace(/^"(.*)"$/s, '$1'),
      ]),
    files: named.filter(isFile).map(({ name }) => name),
  };
}
