import { describe, expect, it } from 'vitest';
import {
  guardRequest,
  sessionCookieName,
  type GuardedRequest,
} from '../../../src/host/request-guard.ts';

const session = 'a'.repeat(64);
const ticket = 'b'.repeat(64);
const challenge = 'c'.repeat(32);
const settings = {
  name: 'now.localhost',
  port: 24_680,
  session,
  tickets: [],
  isOurs: (name: string) => ['now.localhost', 'earlier.localhost'].includes(name),
};
const cookie = `${sessionCookieName(settings.port)}=${session}`;

function request(changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: 'GET',
    target: '/',
    host: 'now.localhost:24680',
    origin: undefined,
    cookie,
    serviceWorker: undefined,
    upgrade: false,
    ...changes,
  };
}

const upgrade = { upgrade: true, target: '/rpc', origin: 'http://now.localhost:24680' };
const challenged = { ...upgrade, cookie: undefined, target: `/rpc?challenge=${challenge}` };
const earlier = { host: 'earlier.localhost:24680', origin: 'http://earlier.localhost:24680' };

// abuse.md 23, 24
describe('a request to the web host', () => {
  it.each([
    ['a page or a file, with the cookie', {}],
    ['a request for headers only', { method: 'HEAD' }],
    ['in capital letters', { host: 'NOW.localhost:24680' }],
    ['a fetch by the app’s page', { origin: 'http://now.localhost:24680' }],
    ['a WebSocket of the app’s page', upgrade],
    ['among other cookies', { cookie: `a=b; ${cookie}; c=d` }],
    ['after another cookie of its name', { cookie: `spool-24680=x; spool-24680=; ${cookie}` }],
  ])('is allowed: %s', (_, changes) => {
    expect(guardRequest(request(changes), settings)).toEqual({ kind: 'allowed' });
  });

  it.each([
    ['a foreign host, whose name was rebound to this computer', { host: 'evil.example:24680' }],
    ['a host that only begins like ours', { host: 'now.localhost:24680.evil.example' }],
    ['another port', { host: 'now.localhost:80' }],
    ['a name below ours', { host: 'evil.now.localhost:24680' }],
    ['another name below localhost', { host: 'evil.localhost:24680' }],
    ['the script of a service worker', { serviceWorker: 'script' }],
    ['no host', { host: undefined }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another port of this computer', { origin: 'http://127.0.0.1:3000' }],
    ['the name of an earlier run as origin', { origin: earlier.origin }],
    ['a WebSocket from elsewhere', { ...upgrade, origin: 'https://evil.example' }],
    ['a method that changes things', { method: 'POST' }],
    ['a method that asks what is allowed', { method: 'OPTIONS' }],
  ])('is forbidden: %s', (_, changes) => {
    expect(guardRequest(request(changes), settings)).toMatchObject({
      kind: 'refused',
      status: 403,
    });
  });

  it.each([
    ['no cookie', { cookie: undefined }],
    ['another cookie', { cookie: `${sessionCookieName(settings.port)}=${'b'.repeat(64)}` }],
    ['the cookie of another port', { cookie: `${sessionCookieName(1)}=${session}` }],
    ['a cookie of another length', { cookie: `${sessionCookieName(settings.port)}=a` }],
    ['a WebSocket without an origin', { ...upgrade, origin: undefined }],
    ['the cookie under the address of this computer', { host: '127.0.0.1:24680' }],
    ['the cookie under the name of an earlier run', { host: earlier.host }],
    ['a challenge without an upgrade', { cookie: undefined, target: challenged.target }],
    ['a malformed challenge', { ...challenged, target: '/rpc?challenge=c' }],
  ])('is not authenticated: %s', (_, changes) => {
    expect(guardRequest(request(changes), settings)).toMatchObject({
      kind: 'refused',
      status: 401,
    });
  });

  it('gets the cookie for a ticket as long as there is one, under the name of this run', () => {
    const first = request({ cookie: undefined, target: `/?view=saved&ticket=${ticket}` });
    const refused = { kind: 'refused', status: 401 };
    const open = { ...settings, tickets: ['d'.repeat(64), ticket] };
    expect(guardRequest(first, open)).toEqual({ kind: 'admitted', ticket });
    expect(guardRequest(first, settings)).toMatchObject(refused);
    const empty = request({ cookie: undefined, target: '/?ticket=' });
    expect(guardRequest(empty, open)).toMatchObject(refused);
    const elsewhere = request({ cookie: undefined, target: `/rpc?ticket=${ticket}` });
    expect(guardRequest(elsewhere, open)).toMatchObject(refused);
    for (const host of [earlier.host, '127.0.0.1:24680', 'localhost:24680'])
      expect(guardRequest({ ...first, host }, open)).toMatchObject(refused);
  });

  it('of a page of this or an earlier run, by WebSocket, gets the proof of the host only', () => {
    const here = request(challenged);
    const name = 'now.localhost';
    expect(guardRequest(here, settings)).toEqual({ kind: 'challenged', name, challenge });
    const moved = request({ ...challenged, ...earlier, cookie });
    expect(guardRequest(moved, settings)).toMatchObject({ name: 'earlier.localhost' });
    const foreign = request({ ...challenged, origin: 'http://evil.localhost:24680' });
    expect(guardRequest(foreign, settings)).toMatchObject({ status: 403 });
    const loopback = { host: '127.0.0.1:24680', origin: 'http://127.0.0.1:24680' };
    expect(guardRequest(request({ ...challenged, ...loopback }), settings)).toMatchObject({
      status: 401,
    });
  });

  it('has its host checked before its ticket', () => {
    const rebound = request({ host: 'evil.example', target: `/?ticket=${ticket}` });
    expect(guardRequest(rebound, { ...settings, tickets: [ticket] })).toMatchObject({
      status: 403,
    });
  });
});
