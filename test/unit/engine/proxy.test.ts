import { describe, expect, test } from 'vitest';
import { environmentProxy, isLoopback, proxyAt, proxySettings } from '../../../src/engine/proxy.ts';

const PROXY = 'http://proxy.example:3128';

/** The proxy for an origin in an environment: its name, or `null`. */
async function proxyFor(origin: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  return (await environmentProxy(proxySettings(env))(origin))?.name ?? null;
}

describe('the environment', () => {
  test.each<[NodeJS.ProcessEnv, string | null]>([
    [{}, null],
    [{ NO_PROXY: '*' }, null],
    [{ HTTPS_PROXY: '' }, null],
    [{ HTTPS_PROXY: PROXY }, PROXY],
    [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other.example' }, PROXY],
    [{ HTTP_PROXY: PROXY }, PROXY],
    [{ HTTPS_PROXY: PROXY, http_proxy: 'http://other.example' }, PROXY],
    [{ HTTPS_PROXY: 'proxy.example:3128' }, PROXY],
    [{ HTTPS_PROXY: 'https://proxy.example' }, 'https://proxy.example'],
  ])('%o', async (env, name) => {
    expect(await proxyFor('https://api.example.com', env)).toBe(name);
  });

  test.each<[string, string, boolean]>([
    ['*', 'https://api.example.com', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.example.com', true],
    ['example.com', 'https://badexample.com', false],
    ['.example.com', 'https://example.com', true],
    ['*.example.com', 'https://api.example.com', true],
    ['*.example.com', 'https://example.com', false],
    ['EXAMPLE.com', 'https://api.example.com', true],
    ['other.example, example.com', 'https://api.example.com', true],
    ['other.example example.com', 'https://example.com', true],
    ['example.com:443', 'https://example.com', true],
    ['example.com:8443', 'https://example.com', false],
    ['example.com:8443', 'https://example.com:8443', true],
    ['example.com.', 'https://example.com', true],
    ['example.com', 'https://example.com.', true],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://api.example.com', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['[fd12::1]:443', 'https://[fd12::1]', true],
    ['fd12::1', 'https://[fd12::1]:8443', true],
    ['fd12::1', 'https://[fd12::2]', false],
    ['', 'https://api.example.com', false],
    [', . *. :', 'https://api.example.com', false],
  ])('NO_PROXY=%s, %s: direct %s', async (exceptions, origin, isDirect) => {
    const env = { HTTPS_PROXY: PROXY, NO_PROXY: exceptions };
    expect(await proxyFor(origin, env)).toBe(isDirect ? null : PROXY);
  });
});

describe('an address', () => {
  test('its login is decoded, and is not in its name', () => {
    expect(proxyAt('http://ann:p%40ss%@proxy.example:3128', 'HTTPS_PROXY')).toEqual({
      name: PROXY,
      origin: PROXY,
      login: { user: 'ann', password: 'p%40ss%' },
    });
    const { name, login } = proxyAt('ann%20b:s3cret@proxy.example:3128', 'HTTPS_PROXY');
    expect({ name, login }).toEqual({ name: PROXY, login: { user: 'ann b', password: 's3cret' } });
  });

  test.each([
    ['socks5://ann:s3cret@proxy.example:1080', 'socks5://proxy.example:1080'],
    ['file:///etc/passwd', 'HTTPS_PROXY'],
    ['http://ann:s3cret@:3128', 'HTTPS_PROXY'],
    ['http://ann:s3cret@proxy.example:99999', 'HTTPS_PROXY'],
  ])('%s cannot be used, and shows no password', (address, name) => {
    expect(proxyAt(address, 'HTTPS_PROXY')).toMatchObject({ name, origin: null });
  });
});

test.each([
  ['https://127.0.0.1:8443', true],
  ['https://127.8.9.1', true],
  ['https://2130706433', true],
  ['https://[::1]:8443', true],
  ['https://[::ffff:127.0.0.1]', true],
  ['https://localhost', true],
  ['https://spool.localhost', true],
  ['https://localhost.example.com', false],
  ['https://128.0.0.1', false],
  ['https://192.168.0.1', false],
])('%s leads to this computer: %s', (origin, leads) => {
  expect(isLoopback(new URL(origin))).toBe(leads);
});
