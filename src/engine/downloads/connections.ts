import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as systemConnectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { codeOf } from '../error-codes.ts';
import { hostOf, noProxy, type FindProxy } from '../proxy.ts';
import { openTunnel } from '../tunnel.ts';
import {
  AddressBlockedError,
  checkAddresses,
  exceptionFor,
  type AddressPolicy,
} from './address-policy.ts';

/** Resolves a name to all its addresses; the system's resolver unless a test replaces it. */
export type ResolveAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Opens a socket; the system's function unless a test replaces it. */
export type ConnectTls = (to: ConnectionOptions) => TLSSocket;

/** Replacements for the system's functions; nothing uses a proxy when `findProxy` is left out. */
export interface ConnectionMeans {
  readonly findProxy?: FindProxy | undefined;
  readonly resolveAll?: ResolveAll;
  readonly connectTls?: ConnectTls;
}

/** The most that is read from the socket at once. */
const READ_BYTES = 256 * 1024;
/** Milliseconds to a proxy, and again to its answer. */
const PROXY_TIMEOUT_MS = 30_000;

/**
 * The sockets that downloads use. Every name is checked when its socket is opened, on the very
 * addresses that the socket will use, so that a name cannot resolve to a public address for the
 * check and to a private one for the connection (DNS rebinding). A proxy resolves names itself, so
 * through a proxy only the link is checked, not the address that its name has.
 */
export class Connections {
  /** Origins that send the whole file although nothing changed; they get no If-Range any more. */
  readonly ignoringIfRange = new Set<string>();
  readonly #resolveAll: ResolveAll;
  readonly #connectTls: ConnectTls;
  readonly #findProxy: FindProxy;
  #policy: AddressPolicy;

  constructor(
    policy: AddressPolicy,
    {
      findProxy = noProxy,
      resolveAll = systemLookup,
      connectTls = systemConnectTls,
    }: ConnectionMeans = {},
  ) {
    this.#policy = policy;
    this.#findProxy = findProxy;
    this.#resolveAll = resolveAll;
    this.#connectTls = connectTls;
  }

  get policy(): AddressPolicy {
    return this.#policy;
  }

  /** Applies to sockets that are opened from now on; open ones stay open. */
  set allowVpnAddresses(allowVpnAddresses: boolean) {
    this.#policy = { ...this.#policy, allowVpnAddresses };
  }

  /**
   * Whether a download from this name would be blocked at the moment ({@link AddressBlockedError}).
   * Also true while DNS does not answer, so that no link is requested for nothing.
   */
  async isBlocked(hostname: string): Promise<boolean> {
    if ((await this.#findProxy(`https://${hostname}`)) !== null) return false;
    return new Promise((resolve) => {
      this.#lookup(hostname, { all: true }, (error) => {
        if (error === null) resolve(false);
        else resolve(error instanceof AddressBlockedError || NO_ANSWER.has(codeOf(error) ?? ''));
      });
    });
  }

  /** The system's lookup, with the policy of this moment applied to its answer. */
  readonly #lookup: LookupFunction = (hostname, options, callback) => {
    this.#resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, []);
        return;
      }
      try {
        const all = addresses.map(({ address }) => address);
        checkAddresses(hostname, all, this.#policy);
      } catch (refusal) {
        callback(refusal as Error, []);
        return;
      }
      const [first] = addresses;
      if (options.all || !first) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

  /**
   * Connects to a URL's host through its proxy; `null` if it has none. Plain HTTP, which only an
   * exception may use, goes through no proxy.
   * @throws {ProxyError}
   */
  async openTunnel(url: URL, signal: AbortSignal): Promise<Socket | null> {
    if (url.protocol !== 'https:') return null;
    return openTunnel(url, this.#findProxy, { timeoutMs: PROXY_TIMEOUT_MS, signal });
  }

  /**
   * Opens a socket to a URL that `checkLink` has accepted.
   *
   * @param read is called with received bytes, which are valid only during the call. `false` pauses
   *   the socket.
   * @param tunnel the connection through the proxy, if there is one
   */
  connect(url: URL, read: (bytes: Buffer) => boolean, tunnel: Socket | null): Socket {
    const exception = exceptionFor(url, this.policy);
    const host = hostOf(url);
    // One buffer for each read, as streams have it, costs four times the CPU and 100 MiB of garbage.
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const to = {
      host,
      port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
      onread: { buffer, callback: (bytes: number) => read(buffer.subarray(0, bytes)) },
      ...(exception ? {} : { lookup: this.#lookup }),
    };
    if (url.protocol !== 'https:') return connectTcp(to);
    const socket = this.#connectTls({
      ...(tunnel === null ? to : { socket: tunnel }),
      ALPNProtocols: ['http/1.1'],
      // Explicit although it is the default: `NODE_TLS_REJECT_UNAUTHORIZED` in the environment
      // would override the default.
      rejectUnauthorized: true,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(exception?.ca === undefined ? {} : { ca: exception.ca }),
    });
    // Node has no `onread` for TLS over another socket.
    if (tunnel !== null) {
      socket.on('data', (bytes: Buffer) => {
        if (!read(bytes)) socket.pause();
      });
    }
    return socket;
  }
}

/** The part of the connections that the engine uses while downloads run. */
export type DownloadConnections = Pick<Connections, 'allowVpnAddresses' | 'isBlocked'>;

/** Codes of `getaddrinfo` for a resolver that did not answer. A name that it denies is `ENOTFOUND`. */
const NO_ANSWER = new Set(['EAI_AGAIN', 'EAI_FAIL', 'EAI_SYSTEM', 'ETIMEDOUT', 'ETIMEOUT']);
