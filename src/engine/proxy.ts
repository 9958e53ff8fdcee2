/**
 * Which proxy connections to other computers use. `HTTPS_PROXY` and `NO_PROXY` are read as undici
 * and curl read them; Electron's main process asks the system instead where they are not set.
 */
import { BlockList, isIP } from 'node:net';

/** An HTTP proxy, reached by HTTP or HTTPS, that connects to other computers by CONNECT. */
export interface Proxy {
  /**
   * What users see: its scheme, host and port, such as `http://proxy.example:3128`; for a value that
   * is no address the name of its variable. Never the login.
   */
  readonly name: string;
  /** Scheme, host and port; `null` for one that Spool cannot use, such as a SOCKS proxy. */
  readonly origin: string | null;
  readonly login: ProxyLogin | null;
}

export interface ProxyLogin {
  readonly user: string;
  readonly password: string;
}

/** The proxy for an https origin; `null`: connect directly. */
export type FindProxy = (origin: string) => Promise<Proxy | null>;

/** Connects directly to everything. */
export const noProxy: FindProxy = () => Promise.resolve(null);

/** The proxy that environment variables name. */
export interface ProxySettings {
  readonly proxy: Proxy;
  /** The variable that names it. */
  readonly variable: string;
  /** Hosts that are connected to directly. */
  readonly exceptions: readonly ProxyException[];
}

/** One entry of `NO_PROXY`. */
export interface ProxyException {
  /** As the user wrote it. */
  readonly text: string;
  /** Without leading dots and stars; `*` for every host; `ADDRESS/BITS` for a network. */
  readonly host: string;
  /** `null`: every port. */
  readonly port: number | null;
  /** `*.example.com`: the host itself is no exception. */
  readonly onlyBelow: boolean;
}

/** In order of precedence. Everything Spool connects to is https, so `HTTP_PROXY` comes last. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** What the environment says about proxies; `null` where it names none. */
export function proxySettings(env: NodeJS.ProcessEnv): ProxySettings | null {
  const variable = VARIABLES.find((name) => (env[name] ?? '').trim() !== '');
  if (variable === undefined) return null;
  const exceptions = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[,\s]+/).flatMap(exceptionIn);
  return { variable, exceptions, proxy: proxyAt((env[variable] ?? '').trim(), variable) };
}

/** Uses the environment's proxy, with its exceptions. */
export function environmentProxy(settings: ProxySettings | null): FindProxy {
  return (origin) => {
    const url = new URL(origin);
    const isDirect = settings === null || settings.exceptions.some((each) => excepts(each, url));
    return Promise.resolve(isDirect ? null : settings.proxy);
  };
}

/**
 * @param address with or without a scheme, which is then `http`
 * @param source names an address that cannot be read: it may contain a password
 */
export function proxyAt(address: string, source: string): Proxy {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url === null || url.hostname === '') return { name: source, origin: null, login: null };
  const name = `${url.protocol}//${url.host}`;
  const isUsable = url.protocol === 'http:' || url.protocol === 'https:';
  const login =
    url.username === '' ? null : { user: decoded(url.username), password: decoded(url.password) };
  return { name, origin: isUsable ? name : null, login };
}

/** A per cent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function exceptionIn(text: string): ProxyException[] {
  const [, bracketed, host = bracketed, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(
    text,
  ) ?? [null, text];
  const name = (host ?? '').toLowerCase();
  const bare = withoutDot(name === '*' ? name : name.replace(/^\*?\./, ''));
  if (bare === '') return [];
  const onlyBelow = name.startsWith('*.');
  return [{ text, host: bare, port: port === undefined ? null : Number(port), onlyBelow }];
}

function excepts({ host, port, onlyBelow }: ProxyException, url: URL): boolean {
  if (port !== null && port !== Number(url.port || 443)) return false;
  const name = withoutDot(hostOf(url));
  if (host === '*' || name.endsWith(`.${host}`)) return true;
  return host.includes('/') ? isInNetwork(name, host) : !onlyBelow && name === host;
}

/** Without the dot at the end of a complete domain name. */
function withoutDot(name: string): string {
  return name.replace(/\.$/, '');
}

function isInNetwork(address: string, network: string): boolean {
  const [base = '', bits = ''] = network.split('/');
  const family = isIP(address);
  if (family === 0 || isIP(base) !== family || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(base, Number(bits), type);
  return list.check(address, type);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a URL leads to this computer, which no proxy is asked for. */
export function isLoopback(url: URL): boolean {
  const host = hostOf(url);
  const family = isIP(host);
  return family === 0
    ? /(^|\.)localhost\.?$/.test(host)
    : loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
