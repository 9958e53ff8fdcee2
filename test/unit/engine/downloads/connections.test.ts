import type { LookupFunction } from 'node:net';
import { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { AddressBlockedError } from '../../../../src/engine/downloads/address-policy.ts';
import {
  Connections,
  type ConnectTls,
  type ResolveAll,
} from '../../../../src/engine/downloads/connections.ts';
import { proxyAt } from '../../../../src/engine/proxy.ts';

/** DNS whose only answer is `address`, or the error `code` where that is not null. */
class Dns {
  address = '198.18.0.7';
  code: string | null = null;

  readonly resolveAll: ResolveAll = (_name, _options, callback) => {
    if (this.code !== null) {
      callback(Object.assign(new Error(this.code), { code: this.code }), []);
    } else callback(null, [{ address: this.address, family: this.address.includes(':') ? 6 : 4 }]);
  };
}

/** Opens no socket: where these addresses lead depends on the network that a test runs in. */
class Sockets {
  lookup: LookupFunction | undefined;

  readonly connect: ConnectTls = ({ lookup }) => {
    this.lookup = lookup;
    return new TLSSocket(new Duplex());
  };
}

/** The answer of the lookup that a download's socket uses. */
function lookedUp(connections: Connections, sockets: Sockets): Promise<unknown> {
  connections.connect(new URL('https://files.example/'), () => true, null);
  return new Promise((resolve) => {
    sockets.lookup?.('files.example', { all: true }, (error, answer) => resolve(error ?? answer));
  });
}

// abuse.md 46
test('connects to a VPN’s address only while that is allowed', async () => {
  const dns = new Dns();
  const sockets = new Sockets();
  const connections = new Connections(
    { exceptions: [] },
    { resolveAll: dns.resolveAll, connectTls: sockets.connect },
  );
  expect(await lookedUp(connections, sockets)).toBeInstanceOf(AddressBlockedError);

  connections.allowVpnAddresses = true;
  expect(await lookedUp(connections, sockets)).toEqual([{ address: '198.18.0.7', family: 4 }]);
  expect(await connections.isBlocked('files.example')).toBe(false);
  dns.address = '64:ff9b::808:808';
  expect(await lookedUp(connections, sockets)).toEqual([
    { address: '64:ff9b::808:808', family: 6 },
  ]);

  connections.allowVpnAddresses = false;
  expect(await lookedUp(connections, sockets)).toBeInstanceOf(AddressBlockedError);
  expect(await connections.isBlocked('files.example')).toBe(true);
});

test('a name is no longer blocked once DNS has a public address, or reports none', async () => {
  const dns = new Dns();
  const connections = new Connections({ exceptions: [] }, { resolveAll: dns.resolveAll });
  expect(await connections.isBlocked('files.example')).toBe(true);
  dns.address = '203.0.114.1';
  expect(await connections.isBlocked('files.example')).toBe(false);
  // Without an answer it stays blocked: a link would be wasted.
  dns.code = 'EAI_AGAIN';
  expect(await connections.isBlocked('files.example')).toBe(true);
  dns.code = 'ENOTFOUND';
  expect(await connections.isBlocked('files.example')).toBe(false);
});

test('a name that a proxy resolves is not looked up here', async () => {
  const dns = new Dns();
  const proxy = proxyAt('proxy.example:3128', 'HTTPS_PROXY');
  const means = { resolveAll: dns.resolveAll, findProxy: () => Promise.resolve(proxy) };
  expect(await new Connections({ exceptions: [] }, means).isBlocked('files.example')).toBe(false);
});
