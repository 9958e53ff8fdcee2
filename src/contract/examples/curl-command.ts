/** Reads what a curl command requests. */
import { readJsonBody, type ExampleBody, type ExampleRequest } from './example-body.ts';
import type { ShellCommand } from './shell-words.ts';

/** curl's short options with a value (`curl --help all`, 8.x). */
const SHORT_WITH_VALUE = /(?<!^)[AbcCdDeEFhHKmoPQrtTuUwxXyYz]/;

/** curl's long options with a value that do not affect the request. */
const LONG_WITH_VALUE: ReadonlySet<string> = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout
  connect-to continue-at cookie-jar create-file-mode crlfile curves delegation dns-interface
  dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header egd-file engine etag-compare etag-save
  expect100-timeout form-escape ftp-account ftp-port happy-eyeballs-timeout-ms haproxy-clientip hsts
  interface ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type krb libcurl limit-rate
  local-port login-options max-filesize max-redirs max-time netrc-file noproxy output output-dir
  parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert
  proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key
  proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers
  proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range
  rate referer request-target resolve retry retry-delay retry-max-time service-name socks4 socks4a
  socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr time-cond tls-max
  tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file
  user-agent variable vlan-priority write-out`.split(/\s+/),
);

/** Options whose value, or its part after the first `:`, is secret but not part of the request. */
const SECRET_OPTIONS: Readonly<Record<string, 'value' | 'after-colon'>> = {
  'proxy-user': 'after-colon',
  U: 'after-colon',
  cert: 'after-colon',
  E: 'after-colon',
  'proxy-cert': 'after-colon',
  pass: 'value',
  'proxy-pass': 'value',
  tlspassword: 'value',
  'proxy-tlspassword': 'value',
};

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
  'data-urlencode': 'data-urlencode',
  'url-query': 'query',
  G: 'get',
  get: 'get',
  'proxy-header': 'proxy-header',
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
  | 'data-urlencode'
  | 'query'
  | 'get'
  | 'proxy-header'
  | 'json'
  | 'form'
  | 'form-string'
  | 'user'
  | 'cookie'
  | 'bearer'
  | 'url';

/** Options without a value. */
const FLAGS: ReadonlySet<Meaning> = new Set(['get']);

/**
 * The request that a curl command would make; the first one, where `--next` separates several.
 * Unknown options are ignored: the address is the first word that looks like one.
 */
export function readCurl(command: ShellCommand): ExampleRequest | null {
  const given = optionsOf(command.words.slice(1));
  const all = (meaning: Meaning): string[] =>
    given.filter((option) => option.meaning === meaning).map(({ value }) => value);
  const urls = all('url');
  const url = urls.find((word) => /^https?:\/\//i.test(word)) ?? urls.find(isAddress) ?? urls[0];
  if (url === undefined) return null;
  const isGet = all('get').length > 0;
  const body = isGet ? NO_BODY : bodyOf(given, command.input);
  const query = [
    ...all('query').map(encodedPair),
    ...(isGet ? given.flatMap(({ meaning, value }) => queryOf(meaning, value)) : []),
  ];
  return {
    method: (all('method').at(-1) ?? (body.kind === 'none' ? 'GET' : 'POST')).toUpperCase(),
    url: query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`,
    headers: [
      ...all('header').flatMap((line) => headerIn(line)),
      ...all('user').map((value) => ['authorization', `Basic ${value}`] as const),
      ...all('bearer').map((value) => ['authorization', `Bearer ${value}`] as const),
      ...all('cookie').map((value) => ['cookie', value] as const),
    ],
    body,
  };
}

/** Passwords that a command gives to a proxy or for a certificate, of any length. */
export function secretOptionsOf({ words }: ShellCommand): string[] {
  return optionsOf(words.slice(1)).flatMap(({ name, meaning, value }) => {
    if (meaning === 'proxy-header') {
      return headerIn(value).map(([, text]) => text.replace(/^\w+ +/, ''));
    }
    if (/^(?:x|proxy|proxy1\.0|preproxy|socks\w+(?:-hostname)?)$/.test(name)) {
      return [/^(?:\w{1,20}:\/\/)?[^/@:]{0,200}:([^/@]{1,8000})@/.exec(value)?.[1] ?? ''];
    }
    const secret = Object.hasOwn(SECRET_OPTIONS, name) ? SECRET_OPTIONS[name] : undefined;
    if (secret !== 'after-colon') return secret === undefined ? [] : [value];
    // A certificate's path may begin with a drive: `C:\cert.pem:secret`.
    const at = value.indexOf(':', /^[A-Za-z]:[\\/]/.test(value) ? 2 : 0);
    return at === -1 ? [] : [value.slice(at + 1)];
  });
}

const NO_BODY = { kind: 'none' } as const;

interface Option {
  /** Without dashes. */
  readonly name: string;
  readonly meaning: Meaning | null;
  readonly value: string;
}

function optionsOf(words: readonly string[]): Option[] {
  const options: Option[] = [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  while (at < words.length) {
    const word = next();
    // `- H`, as some pages insert a space after a dash.
    const isSplit = word === '-' && /^[A-Za-z]$/.test(words[at] ?? '');
    const whole = isSplit ? `-${next()}` : word;
    if (whole === '--next' || whole === '-:') break;
    if (whole.startsWith('--')) {
      const [name = '', inOne] = whole.slice(2).split(/=(.*)/s);
      const meaning = meaningOf(name);
      if (meaning === null ? !LONG_WITH_VALUE.has(name) : FLAGS.has(meaning)) {
        options.push({ name, meaning, value: '' });
      } else {
        options.push({ name, meaning, value: inOne ?? next() });
      }
    } else if (whole.startsWith('-') && whole.length > 1) {
      // `-sSXPOST`: flags, then an option whose value follows at once or is the next word.
      const index = whole.search(SHORT_WITH_VALUE);
      const flags = index === -1 ? whole : whole.slice(0, index);
      if (flags.includes('G')) options.push({ name: 'G', meaning: 'get', value: '' });
      if (index === -1) continue;
      const name = whole.charAt(index);
      const value = whole.length > index + 1 ? whole.slice(index + 1) : next();
      options.push({ name, meaning: meaningOf(name), value });
    } else {
      options.push({ name: 'url', meaning: 'url', value: whole });
    }
  }
  return options;
}

/** Whether a word can be an address without a scheme: `api.example.com/v1`, `localhost:8080`. */
function isAddress(word: string): boolean {
  return /^(?:[^\s/@]+@)?(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]|$)|^localhost\b/i.test(word);
}

/** The part of the query that an option with a body becomes with `-G`. */
function queryOf(meaning: Meaning | null, value: string): string[] {
  if (meaning === 'data-urlencode') return [encodedPair(value)];
  return meaning === 'data' || meaning === 'data-raw' ? [value] : [];
}

/** `name=value` as `--data-urlencode` and `--url-query` write it into an address. */
function encodedPair(pair: string): string {
  if (pair.startsWith('+')) return pair.slice(1);
  const at = pair.indexOf('=');
  const [name, value] = at === -1 ? ['', pair] : [pair.slice(0, at), pair.slice(at + 1)];
  // A placeholder stays readable: `{id}`, `$ID`, `<id>`.
  const encoded = /^[$<{:]/.test(value) ? value : encodeURIComponent(value);
  return name === '' ? encoded : `${name}=${encoded}`;
}

/** `--expand-header` is `--header` with variables. */
function meaningOf(given: string): Meaning | null {
  const name = given.replace(/^expand-/, '');
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
  const data = given.filter(
    ({ meaning }) =>
      meaning === 'data' ||
      meaning === 'data-raw' ||
      meaning === 'data-urlencode' ||
      meaning === 'json',
  );
  if (data.length === 0) return NO_BODY;
  const texts = data.map(({ meaning, value }) =>
    (meaning === 'data' || meaning === 'json') && value === '@-' ? (input ?? '') : value,
  );
  // A request divided into several options is joined without `&` where that makes it JSON.
  const joined = readJsonBody(texts.join(''));
  if (joined.kind === 'json') return joined;
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
