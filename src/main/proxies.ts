/**
 * Proxies of the desktop app: those of the environment, and otherwise the system's, which Chromium
 * reads, proxy scripts included.
 */
import type { AuthInfo, Session } from 'electron';
import type { AppUpdater } from 'electron-updater';
import {
  environmentProxy,
  proxyAt,
  type FindProxy,
  type Proxy,
  type ProxyException,
  type ProxySettings,
} from '../engine/proxy.ts';

/** How services and files are reached. */
export function appProxy(
  settings: ProxySettings | null,
  session: Pick<Session, 'resolveProxy'>,
): FindProxy {
  return settings === null
    ? async (origin) => proxyInPac(await session.resolveProxy(`${origin}/`))
    : environmentProxy(settings);
}

/** The schemes of proxies by the words of proxy scripts, as Chromium writes them. */
const SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
  QUIC: 'quic',
};

/**
 * The first entry of a list such as `PROXY a.example:8080; DIRECT` that Spool can use; if there is
 * none, the first, so that a failure can name it. `null`: direct.
 */
function proxyInPac(list: string): Proxy | null {
  const proxies = list.split(';').flatMap((entry) => {
    const [word = '', address = ''] = entry.trim().split(/\s+/);
    if (word.toUpperCase() === 'DIRECT') return [null];
    const scheme = SCHEMES[word.toUpperCase()];
    return scheme === undefined ? [] : [proxyAt(`${scheme}://${address}`, 'of the system')];
  });
  const [first = null] = [...proxies.filter((proxy) => proxy?.origin !== null), ...proxies];
  return first;
}

/**
 * Makes the updater use the environment's proxy. Without one it uses the system's anyway: it
 * connects by Electron's `net`.
 */
export async function useProxyForUpdates(
  updater: Pick<AppUpdater, 'netSession' | 'signals'>,
  settings: ProxySettings | null,
): Promise<void> {
  const proxy = settings?.proxy;
  let isLoginGiven = false;
  updater.signals.login((asking: AuthInfo, answer) => {
    const isOurs = asking.isProxy && proxy !== undefined && isAt(proxy, asking);
    // Once only: a wrong login repeated could lock the user's account. Without one, the request
    // fails.
    const login = isOurs && !isLoginGiven ? proxy.login : null;
    isLoginGiven ||= login !== null;
    answer(login?.user ?? '', login?.password ?? '');
  });
  if (typeof proxy?.origin !== 'string') return;
  await updater.netSession.setProxy({
    mode: 'fixed_servers',
    proxyRules: proxy.origin,
    proxyBypassRules: (settings?.exceptions ?? []).flatMap(bypassRules).join(';'),
  });
}

function isAt({ origin }: Proxy, { host, port }: Pick<AuthInfo, 'host' | 'port'>): boolean {
  const url = URL.parse(origin ?? '');
  const standard = url?.protocol === 'https:' ? 443 : 80;
  return url?.hostname === host && Number(url.port || standard) === port;
}

/** In Chromium's syntax, where a name does not include the names below it. */
function bypassRules({ host, port, onlyBelow }: ProxyException): string[] {
  const at = port === null ? '' : `:${port}`;
  if (host === '*' || host.includes('/')) return [`${host}${at}`];
  if (host.includes(':')) return [`[${host}]${at}`];
  return [...(onlyBelow ? [] : [`${host}${at}`]), `.${host}${at}`];
}
