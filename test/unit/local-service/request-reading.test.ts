import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loggablePath } from '../../../src/local-service/api/app.ts';
import { networkOf } from '../../../src/local-service/api/guard.ts';
import { depthOf } from '../../../src/local-service/api/json-body.ts';
import { isOwnHost, OriginReader } from '../../../src/local-service/api/origin.ts';

describe('depthOf', () => {
  test.each([
    ['1', 0],
    ['{}', 1],
    ['[[[]]]', 3],
    ['{"a":[{"b":1}],"c":{}}', 3],
    ['"[[[["', 0],
    ['["\\"[[[", []]', 2],
    ['['.repeat(100_000), 100_000],
  ])('of %.20s is %i', (json, depth) => expect(depthOf(json)).toBe(depth));

  test('property: agrees with the parsed value', () => {
    const depth = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? 1 + Math.max(0, ...Object.values(value).map(depth))
        : 0;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => depthOf(JSON.stringify(value)) === depth(value)),
    );
  });
});

// abuse.md 66
test.each([
  ['127.0.0.1', 'loopback'],
  ['127.3.2.1', 'loopback'],
  ['::ffff:127.0.0.7', 'loopback'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['::1', 'loopback'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::9', '2001:db8:1:2::/64'],
  ['2001:0db8::', '2001:db8:0:0::/64'],
  ['10.0.0.7.of-a-proxy', 'unknown'],
  ['127.of-a-proxy', 'unknown'],
  [`a:${'b'.repeat(60_000)}`, 'unknown'],
  ['', 'unknown'],
])('failed authentications from %s count against %s', (ip, network) =>
  expect(networkOf(ip)).toBe(network),
);

test.each([
  ['127.0.0.1:8443', 'https://127.0.0.1:8443'],
  ['LOCALHOST:8443', 'https://localhost:8443'],
  ['[::1]:8443', 'https://[::1]:8443'],
  ['videos.example', 'https://videos.example'],
  ['', undefined],
  ['evil.example/path', undefined],
  ['user@evil.example', undefined],
  ['127.0.0.1:99999', undefined],
  ['a b', undefined],
])('the origin of Host %j is %j', (host, origin) => {
  const origins = new OriginReader();
  origins.originOf('before.example');
  expect(origins.originOf(host)).toBe(origin);
  expect(origins.originOf(host)).toBe(origin);
});

test.each([
  ['localhost', '127.0.0.1', '127.0.0.1', true],
  ['[::1]', '127.0.0.1', '127.0.0.1', true],
  ['videos.lan', 'Videos.lan', '10.0.0.7', true],
  ['10.0.0.7', '0.0.0.0', '10.0.0.7', true],
  ['10.0.0.7', '::', '::ffff:10.0.0.7', true],
  ['[fd00::7]', '::', 'fd00::7', true],
  ['10.0.0.8', '0.0.0.0', '10.0.0.7', false],
  ['evil.example', '0.0.0.0', '10.0.0.7', false],
  ['localhost.evil.example', '127.0.0.1', undefined, false],
])('whether %s is a host of a service on %s, connected by %s: %s', (host, own, local, is) => {
  expect(isOwnHost(host, own, local)).toBe(is);
});

test('a path in the log has neither its query nor a key', () => {
  expect(loggablePath('/files/video/vid_1?expires=1&signature=secret')).toBe('/files/video/vid_1');
  expect(loggablePath('/api/v1/video/status/svc_live_abc-DEF_9/x')).toBe(
    '/api/v1/video/status/svc_live_…/x',
  );
});
