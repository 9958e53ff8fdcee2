import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DOCUMENTED_API, serviceApiSchema } from '../../../src/contract/service-profile.ts';
import { MESSAGES } from '../../../src/contract/messages.ts';
import { issueMessage } from '../../../src/host/settings/issue-message.ts';
import { anyText } from '../../rigs/any-text.ts';

describe('omitted fields', () => {
  it('are those of the documented API', () => {
    expect(DOCUMENTED_API).toEqual({
      about: { documentation: null, readOn: null, tried: 'never' },
      origin: null,
      linkOrigins: null,
      auth: { header: 'x-api-key', scheme: '' },
      headers: {},
      generate: { method: 'POST', path: '/api/v1/video/generate', pathBy: [], body: 'json' },
      upload: null,
      status: { path: '/api/v1/video/status/{id}', everyMs: null },
      file: { kind: 'link-endpoint', path: '/api/v1/video/download/{id}' },
      limits: {
        windows: [
          { endpoint: 'generate', count: 10, perMs: 3_600_000, known: 'documented' },
          { endpoint: 'status', count: 60, perMs: 60_000, known: 'documented' },
          { endpoint: 'download', count: 30, perMs: 3_600_000, known: 'documented' },
        ],
        concurrent: null,
        cap: null,
        headers: [
          { name: 'x-ratelimit-remaining', means: 'remaining', endpoint: null },
          { name: 'x-ratelimit-reset', means: 'reset', endpoint: null },
          { name: 'retry-after', means: 'retry-after', endpoint: null },
        ],
      },
      cost: {
        unit: 'video',
        currency: null,
        rule: { fixed: 1, perColumn: null },
        balance: null,
        actual: null,
      },
      once: { idempotencyHeader: null, keyLifeMs: null, idField: null, list: null },
      cancel: null,
      keyCheck: null,
    });
  });

  it('are filled in at every depth, and a complete profile stays unchanged', () => {
    const api = serviceApiSchema.parse({ auth: { header: 'Authorization', scheme: 'Bearer' } });

    expect(api).toEqual({ ...DOCUMENTED_API, auth: { header: 'authorization', scheme: 'Bearer' } });
    expect(serviceApiSchema.parse(api)).toEqual(api);
  });
});

/** A profile of another service, with everything that one can have. */
const EVERYTHING = {
  about: {
    documentation: 'https://docs.example.com/api#videos',
    readOn: '2026-11-20',
    tried: 'by-examples',
  },
  origin: 'https://api.example.com',
  linkOrigins: ['https://cdn.example.com', 'https://files.example.com:8443'],
  auth: { header: 'Authorization', scheme: 'Key' },
  headers: { 'X-Example-Version': '2026-11-20 beta' },
  generate: {
    method: 'POST',
    path: '/v1/models/fast:predict',
    pathBy: [{ property: 'image', path: '/v1/models/fast:animate' }],
    body: 'multipart',
  },
  status: { path: '/v2/movies?project={id}&full=yes' },
  file: { kind: 'content', path: '/v1/videos/{id}/content' },
  limits: {
    windows: [{ endpoint: 'all', count: 100, perMs: 60_000, known: 'assumed' }],
    concurrent: { count: 2 },
    cap: { count: 50, per: 'day' },
    headers: [{ name: 'x-ratelimit-remaining-requests', means: 'remaining', endpoint: 'all' }],
  },
  cost: {
    unit: 'money',
    currency: 'USD',
    rule: {
      fixed: 0.5,
      perColumn: {
        column: 'seconds',
        each: 0.1,
        cases: [
          {
            when: [
              { column: 'model', is: ['pro'] },
              { column: 'size', is: ['1792x1024'] },
            ],
            each: 0.5,
          },
          { when: [{ column: 'image', isEmpty: true }], each: null },
        ],
      },
    },
    balance: {
      path: '/v1/account?part=wallet',
      at: 'wallet.cents',
      factor: 0.01,
      unit: 'money',
      currency: 'USD',
      where: { at: 'wallet.currency', is: 'usd' },
    },
  },
  once: {
    idempotencyHeader: 'Idempotency-Key',
    idField: 'metadata.spool',
    list: {
      path: '/v1/videos',
      items: 'data',
      id: 'id',
      ours: 'metadata.spool',
      nextPage: { at: 'last_id', parameter: 'after' },
    },
  },
  cancel: { method: 'DELETE', path: '/v1/videos/{id}' },
  keyCheck: { path: '/v1/models' },
};

test('every part can be set', () => {
  const api = serviceApiSchema.parse(EVERYTHING);

  expect(api.headers).toEqual({ 'x-example-version': '2026-11-20 beta' });
  expect(api.once.idempotencyHeader).toBe('idempotency-key');
  expect(serviceApiSchema.parse(JSON.parse(JSON.stringify(api)))).toEqual(api);
});

test.each([
  { kind: 'in-status', lifeMs: 86_400_000 },
  { kind: 'content-in-status', addressAt: 'video.uri', under: '/v1beta/files/' },
])('the file of a video whose status is at an address: $kind', (file) => {
  const status = { addressAt: 'urls.get', under: '/v1/predictions/' };

  expect(serviceApiSchema.parse({ status, file })).toMatchObject({ status, file });
});

/** Messages of all errors, by field. */
function errors(api: unknown): Record<string, string> {
  const { error } = serviceApiSchema.safeParse(api, { reportInput: true });
  const messages = (error?.issues ?? []).map((issue) => {
    const message = issueMessage(issue);
    for (const { sentence } of message.says) expect(MESSAGES).toHaveProperty([sentence]);
    return [issue.path.join('.'), message.message];
  });
  return Object.fromEntries(messages) as Record<string, string>;
}

const PATH =
  'Enter a path such as “/v1/videos”: letters, digits and simple punctuation, without “..”, “//” or “%”.';
const ORIGIN =
  'Enter an https address without a path, in lower case, such as “https://api.example.com”.';
const NEEDS_ID =
  'This path must contain {id} exactly once: as a whole part between slashes, or as a whole value of its query.';

// abuse.md 54
describe('paths', () => {
  it.each([
    '',
    'v1/videos',
    'https://evil.example/v1',
    '//evil.example/v1',
    '/\\evil.example/v1',
    '/v1//videos',
    '/v1/../admin',
    '/..',
    '/v1/./videos',
    '/v1/%2e%2e/x',
    '/v1%2fvideos',
    '/v1/videos#x',
    '/v1/videos?a=b#c',
    '/v1?a=b?c',
    '/v1/vi deos',
    '/v1/videos\r\nx: y',
    '/v1/{{prompt}}',
    '/v1/{model}',
    '/v1/vidéos',
    '/v1?a',
    '/v1?=b',
    '/v1?a=b=c',
    '/v1?a&b',
    '/v1/\u0000',
    '/v1/\t',
    '/v1?a=%0d',
    "/v1?a='",
    '/v1?',
    '/v1/a|b',
    '/v1/`',
    `/${'a'.repeat(500)}`,
  ])('%j is refused', (path) => {
    const { 'generate.path': error } = errors({ generate: { path } });
    expect(error).toBe(path.length > 500 ? 'This must have at most 500 characters.' : PATH);
  });

  // abuse.md 71
  it.each(['https://files.example/v1', '//files.example/v1', '/\\files.example', '/v1/../../x'])(
    'pictures are not uploaded to %j',
    (path) => {
      expect(errors({ upload: { path, at: 'id' } })).toEqual({ 'upload.path': PATH });
    },
  );

  // abuse.md 71
  it.each([
    'http://upload.example',
    'https://user@upload.example',
    'https://user:word@upload.example',
    'https://upload.example@other.example',
    'https://upload.example/',
    'https://upload.example/v1',
    'https://upload.example?x',
    'https://upload.example#x',
    'https://UPLOAD.example',
    'https://uplоad.example',
    'https://upload.example:443',
    'https:upload.example',
    'https://upload.example\\@other.example',
    'https://other.example\n.upload.example',
    'https://0x7f.1',
    '//upload.example',
    '',
  ])('pictures and the key do not go to %j', (origin) => {
    const { 'upload.origin': error } = errors({
      origin: 'https://api.example',
      upload: { origin, path: '/v1/files', at: 'id' },
    });
    expect(error).toBe(ORIGIN);
  });

  // abuse.md 71
  it('a profile for any service has no address of uploads elsewhere, where each key would go', () => {
    const upload = { origin: 'https://upload.example', path: '/v1/files', at: 'id' };
    expect(errors({ upload })).toEqual({
      'upload.origin':
        'Enter the service’s own address (“api.origin”) as well: its key is sent to this one.',
    });
    expect(errors({ origin: 'https://api.example', upload })).toEqual({});
  });

  it.each(['/v1/videos', '/v1/videos/{id}/content/{id}', '/v1?a={id}&b={id}'])(
    'a status path needs exactly one {id}, unlike %s',
    (path) => {
      expect(errors({ status: { path } })).toEqual({ 'status.path': NEEDS_ID });
    },
  );

  it.each(['/v1/video-{id}', '/v1/{id}.json', '/v1?a=x{id}', '/v1?{id}=x'])(
    '{id} must be a whole part, unlike in %s',
    (path) => {
      expect(errors({ file: { kind: 'content', path } })['file.path']).toBe(PATH);
    },
  );

  it('cannot have {id} before a video exists', () => {
    expect(errors({ generate: { path: '/v1/{id}' }, keyCheck: { path: '/v1/{id}' } })).toEqual({
      'generate.path': 'This path must not contain {id}.',
      'keyCheck.path': 'This path must not contain {id}.',
    });
  });

  it('a status is at a path or at an address, not both', () => {
    const both = { path: '/v1/{id}', addressAt: 'urls.get' };
    expect(errors({ status: both })).toEqual({ status: 'This type is not known.' });
    expect(errors({ status: {} })).toEqual({ status: 'This type is not known.' });
    expect(errors({ status: { path: 5 } })).toEqual({ status: 'This must be a text.' });
  });

  it.each(['/v1', '/v1?next=/'])('the prefix of an address ends with a slash: %s', (under) => {
    const status = { addressAt: 'urls.get', under };
    expect(errors({ status, file: { kind: 'in-status' } })).toEqual({
      'status.under':
        'Enter the beginning of a path that ends with a slash, such as “/v1/operations/”.',
    });
  });

  it('cannot have {id} if the status is at an address', () => {
    const sentence =
      '{id} cannot be used here: the address of the status comes from an answer, so there is no identifier.';
    const status = { addressAt: 'urls.get' };
    const cancel = { method: 'POST', path: '/v1/{id}/cancel' };
    expect(errors({ status, cancel })).toEqual({
      'file.path': sentence,
      'cancel.path': sentence,
    });
  });
});

const RESERVED = 'A profile cannot set this header.';

// abuse.md 54
describe('headers', () => {
  it.each([
    'Host',
    'content-length',
    'Content-Type',
    'TRANSFER-ENCODING',
    'connection',
    'Keep-Alive',
    'cookie',
    'Set-Cookie',
    'te',
    'trailer',
    'upgrade',
    'expect',
    'proxy-authorization',
    'proxy-connection',
    'accept-encoding',
    'range',
    'if-none-match',
    'x-forwarded-host',
    'x-http-method-override',
    'sec-fetch-site',
    'user-agent',
    'origin',
    'http2-settings',
  ])('a profile cannot set %s', (name) => {
    expect(errors({ headers: { [name]: 'x' } })).toEqual({ [`headers.${name}`]: RESERVED });
    expect(errors({ auth: { header: name } })).toEqual({ 'auth.header': RESERVED });
    expect(errors({ once: { idempotencyHeader: name } })).toEqual({
      'once.idempotencyHeader': RESERVED,
    });
  });

  it.each(['authorization', 'X-API-Key'])('%s carries keys only', (name) => {
    expect(errors({ headers: { [name]: 'secret' } })).toEqual({ [`headers.${name}`]: RESERVED });
  });

  it.each(['x y', 'x:y', 'x\r\ny', 'é', 'x(y)', ' x', ''])('%j is not a name', (name) => {
    const error = errors({ auth: { header: name } })['auth.header'];
    expect(error).toBe(
      name === '' ? 'This must not be empty.' : 'This is not the name of a header.',
    );
    expect(Object.keys(errors({ headers: { [name]: 'x' } }))).toEqual([`headers.${name}`]);
  });

  it.each(['a\r\nx-evil: 1', 'a\u0000', 'é', ' a', 'a ', '\t'])('%j is not a value', (value) => {
    expect(errors({ headers: { 'x-version': value } })).toEqual({
      'headers.x-version':
        'A header’s value has letters, digits, punctuation and single spaces only.',
    });
  });

  it('the key has a separate header', () => {
    const auth = { header: 'X-Token' };
    expect(errors({ auth, headers: { 'x-token': 'x' } })).toEqual({
      'headers.x-token': 'This header already carries the API key.',
    });
    expect(errors({ auth, once: { idempotencyHeader: 'x-token' } })).toEqual({
      'once.idempotencyHeader': 'This header already carries the API key.',
    });
    expect(errors({ headers: { 'x-a': '1' }, once: { idempotencyHeader: 'X-A' } })).toEqual({
      'once.idempotencyHeader': 'This header already has a fixed value.',
    });
  });

  it.each(['Bearer Token', 'Bearer:', 'a\r\nb', 'é'])('%j is not a scheme', (scheme) => {
    expect(errors({ auth: { scheme } })).toEqual({
      'auth.scheme': 'Enter one word such as “Bearer”, or nothing.',
    });
  });

  it('`__proto__` is dropped, and other names of the prototype are headers', () => {
    const api = serviceApiSchema.safeParse(
      JSON.parse('{"headers":{"__proto__":"x","constructor":"y"}}'),
    );
    expect(Object.entries(api.data?.headers ?? {})).toEqual([['constructor', 'y']]);
  });
});

test.each([
  'http://a.example',
  'https://a.example/',
  'https://A.example',
  'https://a.example:443',
  'https://u:p@a.example',
  'https://a.example?x',
  'a.example',
  'https://a.example#',
  '',
  'https://a.example\n',
  'HTTPS://a.example',
  'https://a b',
  'file:///etc',
  'https://é.example',
])('%j is not an origin', (origin) => {
  const sentence =
    'Enter an https address without a path, in lower case, such as “https://api.example.com”.';
  expect(errors({ origin, linkOrigins: [origin] })).toEqual({
    origin: sentence,
    'linkOrigins.0': sentence,
  });
});

test.each<[unknown, Record<string, string>]>([
  [{ apo: 1 }, { '': 'There is no “apo” here.' }],
  [{ auth: null }, { auth: 'This must be an object.' }],
  [{ auth: { key: 'x' } }, { auth: 'There is no “key” here.' }],
  [{ generate: { method: 'GET' } }, { 'generate.method': 'This must be one of: POST.' }],
  [{ generate: { body: 'xml' } }, { 'generate.body': 'This must be one of: json, multipart.' }],
  [{ file: { kind: 'ftp' } }, { 'file.kind': 'This type is not known.' }],
  [{ file: { kind: 'content' } }, { 'file.path': 'This is missing.' }],
  [{ file: { kind: 'in-status', lifeMs: 1 } }, { 'file.lifeMs': 'This must be at least 60000.' }],
  [
    { about: { documentation: 'javascript:alert(1)' } },
    { 'about.documentation': 'Enter the https address of a page.' },
  ],
  [
    { about: { documentation: 'https://u@docs.example/' } },
    { 'about.documentation': 'Enter the https address of a page.' },
  ],
  [{ about: { readOn: '20.11.2026' } }, { 'about.readOn': 'Enter a date such as 2026-03-17.' }],
  [
    { about: { tried: 'yes' } },
    { 'about.tried': 'This must be one of: never, by-examples, by-a-finished-video.' },
  ],
  [{ linkOrigins: [] }, { linkOrigins: 'This must not be empty.' }],
  [
    { limits: { windows: [{ endpoint: 'status', count: 0, perMs: 1 }] } },
    {
      'limits.windows.0.count': 'This must be at least 1.',
      'limits.windows.0.perMs': 'This must be at least 1000.',
    },
  ],
  [
    { limits: { concurrent: { count: 0.5 } } },
    { 'limits.concurrent.count': 'This must be a whole number.' },
  ],
  [
    { limits: { cap: { count: 1, per: 'year' } } },
    { 'limits.cap.per': 'This must be one of: day, month.' },
  ],
  [
    { limits: { headers: [{ name: 'a b', means: 'limit' }] } },
    { 'limits.headers.0.name': 'This is not the name of a header.' },
  ],
  [
    { cost: { unit: 'money' } },
    { 'cost.currency': 'Costs in money need a currency, and others have none.' },
  ],
  [
    { cost: { currency: 'EUR' } },
    { 'cost.currency': 'Costs in money need a currency, and others have none.' },
  ],
  [
    { cost: { unit: 'money', currency: 'euro' } },
    { 'cost.currency': 'Enter a currency’s three letters, such as EUR.' },
  ],
  [
    { cost: { balance: { path: '/v1/{id}', at: 'credits', unit: 'credit' } } },
    { 'cost.balance.path': 'This path must not contain {id}.' },
  ],
  [
    { cost: { balance: { path: 'https://other.example/credits', at: '', unit: 'credit' } } },
    { 'cost.balance.path': PATH, 'cost.balance.at': 'This must not be empty.' },
  ],
  [
    { cost: { balance: { path: '/credits', at: 'cents', unit: 'money' } } },
    { 'cost.balance.currency': 'Costs in money need a currency, and others have none.' },
  ],
  [
    { cost: { balance: { path: '/credits', at: 'left', unit: 'credit', factor: 0 } } },
    { 'cost.balance.factor': 'This must be more than 0.' },
  ],
  [
    { cost: { balance: { path: '/credits', at: 'left', unit: 'euro' } } },
    { 'cost.balance.unit': 'This must be one of: video, second, credit, money.' },
  ],
  [{ cost: { rule: { fixed: -1 } } }, { 'cost.rule.fixed': 'This must be at least 0.' }],
  [
    { once: { idField: 'a b' } },
    { 'once.idField': 'Enter a path such as “movie.status” or “output[0]”.' },
  ],
  [
    {
      once: {
        list: {
          path: '/v1',
          items: '',
          id: 'id',
          ours: 'ours',
          nextPage: { at: 'next', parameter: 'a&b' },
        },
      },
    },
    { 'once.list.nextPage.parameter': 'Enter the name of a query parameter, such as “page”.' },
  ],
  [
    { cancel: { method: 'GET', path: '/v1/{id}' } },
    { 'cancel.method': 'This must be one of: POST, DELETE, PUT, PATCH.' },
  ],
])('the error in %j is reported by its field', (api, expected) => {
  expect(errors(api)).toEqual(expected);
});

describe('any text', () => {
  const origin = 'https://api.example.com';

  const bits = fc.constantFrom(
    '/',
    '//',
    '\\',
    '..',
    '.',
    '%2f',
    '%2e',
    '?',
    '#',
    '@',
    ':',
    '{id}',
    '{',
    '}',
    '\r\n',
    'a',
    'v1',
    '&',
    '=',
    'evil.example',
    'https:',
    ' ',
    '\t',
    '\u0000',
    ';',
    'é',
    '%',
    "'",
  );
  const texts = fc.oneof(
    fc.array(bits, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(bits, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
    anyText({ maxLength: 30 }),
  );

  it('accepted as an origin is one to URL parsers', () => {
    const hosts = fc.oneof(texts, fc.domain(), fc.ipV4(), fc.ipV4Extended(), fc.ipV6());
    fc.assert(
      fc.property(hosts, (host) => {
        const api = serviceApiSchema.safeParse({ origin: `https://${host}` });
        if (api.success) expect(new URL(`https://${host}`).origin).toBe(`https://${host}`);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepted as a path stays at its origin as it is written', () => {
    fc.assert(
      fc.property(texts, (path) => {
        const api = serviceApiSchema.safeParse({ generate: { path } });
        if (!api.success) return;
        expect(new URL(origin + path).href).toBe(origin + path);
        expect(new URL(path, origin).origin).toBe(origin);
      }),
      { numRuns: 3000 },
    );
  });

  it('accepted as a path with {id} has the same shape for any identifier', () => {
    const ids = fc.oneof(
      fc.constantFrom('../x', 'a/b', '?', '%2f', '\r\nx: y', '#', '\\', '@evil', '%2e%2e', 'é'),
      anyText({ minLength: 1, maxLength: 50 }),
    );
    fc.assert(
      fc.property(texts, ids, (path, id) => {
        fc.pre(id !== '.' && id !== '..');
        const api = serviceApiSchema.safeParse({ status: { path } });
        if (!api.success) return;
        const filled = path.replace('{id}', () => encodeURIComponent(id.toWellFormed()));
        const url = new URL(origin + filled);
        expect(url.origin).toBe(origin);
        expect(url.hash).toBe('');
        expect(url.pathname.split('/')).toHaveLength(path.split('?')[0]!.split('/').length);
      }),
      { numRuns: 3000 },
    );
  });

  it('accepted as a header and its value is one header of a request', () => {
    fc.assert(
      fc.property(texts, texts, (name, value) => {
        const api = serviceApiSchema.safeParse({ headers: { [name]: value } });
        if (!api.success) return;
        const headers = new Headers(api.data.headers);
        expect([...headers]).toEqual(Object.entries(api.data.headers));
      }),
      { numRuns: 3000 },
    );
  });
});
