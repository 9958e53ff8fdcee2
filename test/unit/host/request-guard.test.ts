import { describe, expect, it } from 'vitest';
import {
  guardRequest,
  sessionCookieName,
  type GuardedRequest,
} from '../../../src/host/request-guard.ts';

const token = 'a'.repeat(64);
const ticket = 'b'.repeat(64);
const settings = { port: 24_680, token, ticket: null };
const cookie = `${sessionCookieName(settings.port)}=${token}`;

function request(changes: Partial<GuardedRequest> = {}): GuardedRequest {
  return {
    method: 'GET',
    target: '/',
    host: '127.0.0.1:24680',
    origin: undefined,
    cookie,
    upgrade: false,
    ...changes,
  };
}

const upgrade = { upgrade: true, target: '/rpc', origin: 'http://127.0.0.1:24680' };

// abuse.md 23, 24
describe('a request to the web host', () => {
  it.each([
    ['a page or a file, with the cookie', {}],
    ['a request for headers only', { method: 'HEAD' }],
    ['by the other name of this computer', { host: 'localhost:24680' }],
    ['a fetch by the app’s page', { origin: 'http://127.0.0.1:24680' }],
    ['a WebSocket of the app’s page', upgrade],
    ['among other cookies', { cookie: `a=b; ${cookie}; c=d` }],
    ['after another cookie of its name', { cookie: `spool-24680=x; spool-24680=; ${cookie}` }],
  ])('is allowed: %s', (_, changes) => {
    expect(guardRequest(request(changes), settings)).toEqual({ kind: 'allowed' });
  });

  it.each([
    ['a foreign host, whose name was rebound to this computer', { host: 'evil.example:24680' }],
    ['a host that only begins like ours', { host: '127.0.0.1:24680.evil.example' }],
    ['another port', { host: '127.0.0.1:80' }],
    ['no host', { host: undefined }],
    ['another origin', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another port of this computer', { origin: 'http://127.0.0.1:3000' }],
    ['the other name of this computer as origin', { origin: 'http://localhost:24680' }],
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
    ['the cookie of another port', { cookie: `${sessionCookieName(1)}=${token}` }],
    ['a token of another length', { cookie: `${sessionCookieName(settings.port)}=a` }],
    ['a WebSocket without an origin', { ...upgrade, origin: undefined }],
    [
      'a WebSocket with the token in its link',
      { ...upgrade, cookie: '', target: `/?token=${token}` },
    ],
    ['the token on another path', { cookie: undefined, target: `/rpc?token=${token}` }],
  ])('is not authenticated: %s', (_, changes) => {
    expect(guardRequest(request(changes), settings)).toMatchObject({
      kind: 'refused',
      status: 401,
    });
  });

  it('gets the cookie for the token in the first link', () => {
    const first = request({ cookie: undefined, target: `/?token=${token}` });
    expect(guardRequest(first, settings)).toEqual({ kind: 'admitted', by: 'token' });
  });

  it('gets the cookie for a ticket as long as there is one', () => {
    const first = request({ cookie: undefined, target: `/?ticket=${ticket}` });
    const refused = { kind: 'refused', status: 401 };
    const admitted = { kind: 'admitted', by: 'ticket' };
    expect(guardRequest(first, { ...settings, ticket })).toEqual(admitted);
    expect(guardRequest(first, settings)).toMatchObject(refused);
    const guess = request({ cookie: undefined, target: '/?ticket=' });
    expect(guardRequest(guess, { ...settings, ticket })).toMatchObject(refused);
    const asToken = request({ cookie: undefined, target: `/?token=${ticket}` });
    expect(guardRequest(asToken, { ...settings, ticket })).toMatchObject(refused);
  });

  it('has its host checked before its token', () => {
    const rebound = request({ host: 'evil.example', target: `/?token=${token}` });
    expect(guardRequest(rebound, settings)).toMatchObject({ status: 403 });
  });
});
