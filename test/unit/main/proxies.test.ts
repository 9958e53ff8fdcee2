import { expect, test } from 'vitest';
import { proxySettings } from '../../../src/engine/proxy.ts';
import { appProxy, useProxyForUpdates } from '../../../src/main/proxies.ts';

/** A system whose proxies, in the format of Electron's `resolveProxy`, are `list`. */
function system(list: string) {
  const asked: string[] = [];
  const resolveProxy = (url: string): Promise<string> => {
    asked.push(url);
    return Promise.resolve(list);
  };
  return { asked, session: { resolveProxy } };
}

test.each<[string, string | null]>([
  ['DIRECT', null],
  ['', null],
  ['PROXY proxy.example:3128', 'http://proxy.example:3128'],
  ['HTTPS proxy.example:443', 'https://proxy.example'],
  ['PROXY a.example:8080; PROXY b.example:8080; DIRECT', 'http://a.example:8080'],
  ['SOCKS5 a.example:1080; PROXY b.example:8080', 'http://b.example:8080'],
  ['SOCKS a.example:1080;DIRECT', null],
  ['PROXY [fd00::1]:8080', 'http://[fd00::1]:8080'],
])('the system’s proxies %s', async (list, name) => {
  const { session, asked } = system(list);
  const proxy = await appProxy(null, session)('https://api.example.com');
  expect(proxy?.name ?? null).toBe(name);
  expect(proxy?.origin ?? null).toBe(name);
  expect(asked).toEqual(['https://api.example.com/']);
});

test('a system with a SOCKS proxy alone: it is named, and cannot be used', async () => {
  const { session } = system('SOCKS5 a.example:1080');
  const proxy = await appProxy(null, session)('https://api.example.com');
  expect(proxy).toMatchObject({ name: 'socks5://a.example:1080', origin: null });
});

test('the environment comes before the system', async () => {
  const { session, asked } = system('PROXY system.example:3128');
  const settings = proxySettings({
    HTTPS_PROXY: 'http://proxy.example:3128',
    NO_PROXY: 'direct.example',
  });
  const find = appProxy(settings, session);
  expect((await find('https://api.example.com'))?.name).toBe('http://proxy.example:3128');
  expect(await find('https://direct.example')).toBeNull();
  expect(asked).toEqual([]);
});

/** The parts of electron-updater that a proxy concerns. */
function updaterRig() {
  const configs: object[] = [];
  let onLogin: (info: object, answer: (user: string, password: string) => void) => void = () =>
    expect.unreachable();
  const updater = {
    netSession: { setProxy: (config: object) => Promise.resolve(void configs.push(config)) },
    signals: { login: (handler: typeof onLogin) => (onLogin = handler) },
  };
  const logIn = (info: object): string[] => {
    const given: string[] = [];
    onLogin(info, (user, password) => given.push(user, password));
    return given;
  };
  return { configs, updater: updater as object as Parameters<typeof useProxyForUpdates>[0], logIn };
}

test('updates use the environment’s proxy, its exceptions and, once, its login', async () => {
  const { configs, updater, logIn } = updaterRig();
  const settings = proxySettings({
    HTTPS_PROXY: 'http://ann:s3cret@proxy.example:3128',
    NO_PROXY: 'a.example, *.b.example:8443, 10.0.0.0/8, fd00::1, *',
  });
  await useProxyForUpdates(updater, settings);
  expect(configs).toEqual([
    {
      mode: 'fixed_servers',
      proxyRules: 'http://proxy.example:3128',
      proxyBypassRules: 'a.example;.a.example;.b.example:8443;10.0.0.0/8;[fd00::1];*',
    },
  ]);
  const proxy = { isProxy: true, host: 'proxy.example', port: 3128 };
  expect(logIn({ ...proxy, host: 'other.example' })).toEqual(['', '']);
  expect(logIn({ ...proxy, isProxy: false })).toEqual(['', '']);
  expect(logIn(proxy)).toEqual(['ann', 's3cret']);
  // Refused: a second time could lock the account.
  expect(logIn(proxy)).toEqual(['', '']);
});

test.each([{}, { HTTPS_PROXY: 'socks5://proxy.example' }])(
  'updates use the system’s proxies with %o, and a login is refused at once',
  async (env) => {
    const { configs, updater, logIn } = updaterRig();
    await useProxyForUpdates(updater, proxySettings(env));
    expect(configs).toEqual([]);
    expect(logIn({ isProxy: true, host: 'proxy.example', port: 3128 })).toEqual(['', '']);
  },
);
