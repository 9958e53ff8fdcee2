import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  DOCUMENTED_API,
  serviceApiSchema,
  type ServiceApi,
} from '../../../../src/contract/service-profile.ts';
import { Endpoints } from '../../../../src/engine/service/endpoints.ts';
import { toMultipart } from '../../../../src/engine/service/multipart.ts';
import { anyText } from '../../../rigs/any-text.ts';

const ORIGIN = 'https://api.example.com';
const HOSTILE_IDS = [
  '../x',
  'a/b',
  '?',
  '%2f',
  '%2e%2e',
  '\r\nx: y',
  '#',
  '\\',
  '@evil.example',
  '..\\',
  'é',
  'a?b=c&d',
  '{id}',
  '$&',
  "$'",
  'half \ud83d',
  '/../..',
  '//evil.example',
  'https://evil.example',
];

function endpointsOf(api: unknown, base = ORIGIN): Endpoints {
  return new Endpoints(base, serviceApiSchema.parse(api));
}

test('the documented API has its documented paths', () => {
  const endpoints = new Endpoints(`${ORIGIN}/nested/`, DOCUMENTED_API);

  expect(endpoints.generate('{}')).toBe('/nested/api/v1/video/generate');
  expect(endpoints.keyCheck).toBe('/nested/api/v1/video/status/key-check');
  expect(endpoints.status('v 1')).toBe('/nested/api/v1/video/status/v%201');
  expect(endpoints.file('v/1')).toBe('/nested/api/v1/video/download/v%2F1');
  expect(endpoints.requestHeaders('KEY')).toEqual({ 'x-api-key': 'KEY' });
  expect(endpoints.statusAddressIn({ id: '/elsewhere' })).toBeUndefined();
});

test('the key is checked where the profile says, or with a video that does not exist', () => {
  const keyCheck = { path: '/v1/models?limit=1' };

  expect(endpointsOf({ keyCheck }, `${ORIGIN}/base`).keyCheck).toBe('/base/v1/models?limit=1');
  expect(endpointsOf({ status: { path: '/v1/tasks?id={id}' } }).keyCheck).toBe(
    '/v1/tasks?id=key-check',
  );
});

test('headers: the fixed ones, then the key with its scheme', () => {
  const endpoints = endpointsOf({
    auth: { header: 'Authorization', scheme: 'Key' },
    headers: { 'X-Example-Version': '2026-11-20' },
  });

  expect(Object.entries(endpoints.requestHeaders('k'))).toEqual([
    ['x-example-version', '2026-11-20'],
    ['authorization', 'Key k'],
  ]);
});

test.each([
  ['https://other.example.com', 'The profile is for https://api.example.com.'],
  ['https://api.example.com.evil.example', 'The profile is for https://api.example.com.'],
  ['http://api.example.com', 'must begin with https'],
  ['https://user@api.example.com', 'nothing else'],
])('%s is refused by a profile for another origin', (base, message) => {
  expect(() => endpointsOf({ origin: ORIGIN }, base)).toThrow(message);
});

// abuse.md 54
describe('identifiers', () => {
  const paths = ['/v1/videos/{id}', '/v2/movies?project={id}&x=1', '/v1/{id}/content'];
  it.each(paths.flatMap((path) => HOSTILE_IDS.map((id) => [path, id] as const)))(
    'in %s cannot lead elsewhere: %j',
    (path, id) => {
      const filled = endpointsOf({ status: { path } }).status(id) ?? '';
      const url = new URL(ORIGIN + filled);

      expect(filled).toMatch(/^[\x21-\x7e]+$/);
      // URL parsers encode an apostrophe in a query.
      expect(url.href.replaceAll('%27', "'")).toBe(ORIGIN + filled);
      expect(url.hash).toBe('');
      expect(url.pathname.split('/')).toHaveLength((path.split('?')[0] ?? '').split('/').length);
      expect([...url.searchParams.keys()]).toEqual([...new URL(ORIGIN + path).searchParams.keys()]);
    },
  );

  it.each(['', '.', '..'])('%j is refused', (id) => {
    const endpoints = endpointsOf({ file: { kind: 'content', path: '/v1/{id}/content' } });
    expect(endpoints.status(id)).toBeNull();
    expect(endpoints.file(id)).toBeNull();
  });
});

// abuse.md 55
describe('the status at an address in the answer', () => {
  const endpoints = endpointsOf(
    { status: { addressAt: 'urls.get', under: '/v1/predictions/' }, file: { kind: 'in-status' } },
    `${ORIGIN}/base`,
  );
  const read = (get: unknown): string | null | undefined =>
    endpoints.statusAddressIn({ urls: { get } });

  it.each([
    [`${ORIGIN}/base/v1/predictions/abc`, '/base/v1/predictions/abc'],
    ['https://api.example.com:443/base/v1/predictions/abc?v=2', '/base/v1/predictions/abc?v=2'],
    ['HTTPS://API.example.com/base/v1/predictions/a', '/base/v1/predictions/a'],
    ['/base/v1/predictions/abc', '/base/v1/predictions/abc'],
    ['models/veo/operations/x1', '/base/v1/predictions/models/veo/operations/x1'],
  ])('%s resolves to %s', (address, path) => {
    expect(read(address)).toBe(path);
    expect(endpoints.status(path)).toBe(path);
  });

  it.each([
    undefined,
    null,
    5,
    {},
    ['/base/v1/predictions/a'],
    '',
    ' ',
    'https://evil.example/base/v1/predictions/a',
    '//evil.example/base/v1/predictions/a',
    'http://api.example.com/base/v1/predictions/a',
    `${ORIGIN}:8443/base/v1/predictions/a`,
    'https://u:p@api.example.com/base/v1/predictions/a',
    'ftp://api.example.com/base/v1/predictions/a',
    `${ORIGIN}.evil.example/base/v1/predictions/a`,
    `${ORIGIN}@evil.example/base/v1/predictions/a`,
    '/v1/predictions/a',
    '/base/v1/predictions',
    '/base/v1/predictions/',
    '/base/v1/account',
    '/base/v1/predictions/../account',
    '../account',
    '..',
    '/base/v1/predictions/%2e%2e/account',
    '/base/v1/predictions/a%2Fb',
    '/base/v1/predictions/a\\..\\..\\b',
    'a#b',
    'a#',
    '/base/v1/predictions/a b',
    '/base/v1/predictions/a\r\nx: y',
    '/base/v1/predictions/é',
    '/base/v1/predictions//evil.example',
    'a'.repeat(300),
    'javascript:alert(1)//x',
    // Some servers drop what follows a semicolon before they resolve dots, or decode twice.
    '/base/v1/predictions/..;/account',
    '..;x=1/account',
    '.;/a',
    'a/;/b',
    ';',
    'a/..;',
    'a%00',
    'a%0d%0ax:y',
    'a%7f',
    'a%252e%252e',
    'a/%2e%2E;/b',
    '..%3b/account',
    'a%3fb',
    'a%23',
  ])('%j is refused', (address) => {
    expect(read(address)).toBeNull();
  });

  it('a relative address stays below the prefix, whatever it looks like', () => {
    expect(read('javascript:alert(1)')).toBe('/base/v1/predictions/javascript:alert(1)');
  });

  it.each([
    '/admin',
    '/base/v1/predictions/../x',
    '//evil.example/x',
    '/base/v1/predictions/%2e',
    '/base/v1/predictions/..;/x',
  ])('a stored path outside the prefix is not requested: %s', (stored) => {
    expect(endpoints.status(stored)).toBeNull();
  });

  it('an identifier that the user enters is appended', () => {
    expect(endpoints.status('a/b')).toBe('/base/v1/predictions/a%2Fb');
  });

  it('checks the key with an identifier that no video has', () => {
    expect(endpoints.keyCheck).toBe('/base/v1/predictions/key-check');
  });
});

describe('the key in requests for files', () => {
  const content = endpointsOf({ file: { kind: 'content', path: '/v1/videos/{id}/content?f=mp4' } });
  const inStatus = endpointsOf({
    file: { kind: 'content-in-status', addressAt: 'uri', under: '/v1beta/files/' },
  });
  const isSentTo = (endpoints: Endpoints, url: string): boolean =>
    endpoints.isContent(new URL(url));

  it('is sent to the path of a file at the origin, and nowhere else', () => {
    expect(isSentTo(content, `${ORIGIN}/v1/videos/a%2Fb/content?f=mp4`)).toBe(true);
    for (const url of [
      'https://cdn.example.com/v1/videos/a/content?f=mp4',
      `${ORIGIN}:8443/v1/videos/a/content?f=mp4`,
      `${ORIGIN}/v1/videos/a/content`,
      `${ORIGIN}/v1/videos/a/b/content?f=mp4`,
      `${ORIGIN}/v1/videos//content?f=mp4`,
      `${ORIGIN}/v1/videos/a/content?f=mp4&x`,
      `${ORIGIN}/v1/videos/content?f=mp4`,
      `${ORIGIN}/`,
    ]) {
      expect(isSentTo(content, url), url).toBe(false);
    }
  });

  it('is sent to an address in the status below its prefix', () => {
    const url = inStatus.fileAddressIn({ uri: `${ORIGIN}/v1beta/files/x:download?alt=media` });
    expect(url).toBe(`${ORIGIN}/v1beta/files/x:download?alt=media`);
    expect(isSentTo(inStatus, url ?? '')).toBe(true);
    expect(isSentTo(inStatus, `${ORIGIN}/v1beta/models/x`)).toBe(false);
    expect(inStatus.fileAddressIn({ uri: 'https://evil.example/v1beta/files/x' })).toBeNull();
    expect(inStatus.fileAddressIn({ uri: `${ORIGIN}/v1beta/keys` })).toBeNull();
  });

  it('is sent nowhere if links come from an endpoint or the status', () => {
    const linked = endpointsOf({ file: { kind: 'in-status' } });
    expect(isSentTo(linked, `${ORIGIN}/api/v1/video/download/a`)).toBe(false);
    expect(isSentTo(endpointsOf({}), `${ORIGIN}/api/v1/video/download/a`)).toBe(false);
  });
});

describe('any profile that is accepted', () => {
  const KEY = 'KEY-0123456789';
  const bits = fc.constantFrom(
    '/',
    '..',
    '%2f',
    '?',
    '#',
    '@',
    ':',
    '{id}',
    '\r\n',
    'v1',
    'a',
    '=',
    '&',
    '//',
    '\\',
    'https://evil.example',
    '-',
    'x',
    'host',
    'cookie',
    'authorization',
    KEY,
  );
  const words = fc.array(bits, { maxLength: 6 }).map((parts) => parts.join(''));
  const paths = fc.oneof(
    words.map((word) => `/${word}`),
    words,
  );
  const profiles = fc.record(
    {
      auth: fc.record({ header: words, scheme: words }, { requiredKeys: [] }),
      headers: fc.dictionary(words, words, { maxKeys: 2 }),
      generate: fc.record(
        { path: paths, pathBy: fc.array(fc.record({ property: fc.constant('a'), path: paths })) },
        { requiredKeys: [] },
      ),
      status: fc.oneof(
        fc.record({ path: paths }),
        fc.record({ addressAt: fc.constant('at'), under: paths }),
      ),
      file: fc.oneof(
        fc.record({ kind: fc.constantFrom('link-endpoint', 'content'), path: paths }),
        fc.constant({ kind: 'in-status' }),
        fc.record({
          kind: fc.constant('content-in-status'),
          addressAt: fc.constant('at'),
          under: paths,
        }),
      ),
      keyCheck: fc.record({ path: paths }),
    },
    { requiredKeys: [] },
  );
  // Each part that is refused alone is left out, or hardly any profile would be accepted.
  const isAccepted = (api: unknown): boolean => serviceApiSchema.safeParse(api).success;
  const accepted = profiles
    .map((api) =>
      Object.fromEntries(
        Object.entries(api).filter((part) => isAccepted(Object.fromEntries([part]))),
      ),
    )
    .filter(isAccepted);

  it('sends requests to its origin only, and the key in its header only', () => {
    fc.assert(
      fc.property(accepted, fc.oneof(words, fc.constantFrom(...HOSTILE_IDS)), (input, id) => {
        const api: ServiceApi = serviceApiSchema.parse(input);
        const endpoints = new Endpoints(`${ORIGIN}/base`, api);
        const address = endpoints.statusAddressIn({ at: id });
        const all = [
          endpoints.generate('{}'),
          endpoints.generate('{"a":1}'),
          endpoints.keyCheck,
          endpoints.status(id),
          endpoints.file(id),
          ...(typeof address === 'string' ? [endpoints.status(address)] : []),
        ];
        for (const path of all) {
          if (path === null) continue;
          expect(path.startsWith('/base/')).toBe(true);
          const url = new URL(ORIGIN + path);
          expect([url.origin, url.hash]).toEqual([ORIGIN, '']);
          expect(path).toMatch(/^[\x21-\x7e]+$/);
        }
        const file = endpoints.fileAddressIn({ at: id });
        if (file !== null) expect(new URL(file).origin).toBe(ORIGIN);
        const headers = Object.entries(endpoints.requestHeaders('$'));
        expect(headers.filter(([, value]) => value.includes('$'))).toEqual([
          [api.auth.header, `${api.auth.scheme}${api.auth.scheme && ' '}$`],
        ]);
        for (const [name, value] of headers) {
          expect(name).toMatch(/^[a-z0-9!#$%&'*+.^_`|~-]+$/);
          expect(value).toMatch(/^[\x20-\x7e]+$/);
          expect(['host', 'cookie', 'content-length', 'transfer-encoding']).not.toContain(name);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('multipart', () => {
  it('has a part for each property, and is the same for the same request', () => {
    const json = '{"a":"x\\r\\ny","n":2.5,"list":["p"],"big":12345678901234567890,"q\\"\\n":"ü"}';
    const { contentType, body } = toMultipart(json);
    const boundary = contentType.split('boundary=')[1] ?? '';

    expect(body.split(`--${boundary}`)).toEqual([
      '',
      '\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\ny\r\n',
      '\r\nContent-Disposition: form-data; name="n"\r\n\r\n2.5\r\n',
      '\r\nContent-Disposition: form-data; name="list"\r\n\r\n["p"]\r\n',
      '\r\nContent-Disposition: form-data; name="big"\r\n\r\n12345678901234567890\r\n',
      '\r\nContent-Disposition: form-data; name="q%22%0A"\r\n\r\nü\r\n',
      '--\r\n',
    ]);
    expect(toMultipart(json)).toEqual({ contentType, body });
  });

  it('cannot be terminated by the values of a row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), anyText()), async (row) => {
        const { contentType, body } = toMultipart(JSON.stringify(row));
        const form = await new Response(Buffer.from(body), {
          headers: { 'content-type': contentType },
        }).formData();
        expect([...form.keys()]).toHaveLength(Object.keys(row).length);
      }),
    );
  });
});
