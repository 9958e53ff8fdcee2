import { expect, test } from 'vitest';
import { originOf, serviceIdOf } from '../../../src/contract/service-id.ts';
import { serviceApiSchema } from '../../../src/contract/service-profile.ts';
import { settingsSchema } from '../../../src/contract/settings.ts';

test('the identity of a service is its origin in the form of URL parsers', () => {
  expect(serviceIdOf('https://API.shotstack.io:443/edit/')).toBe('https://api.shotstack.io');
  expect(serviceIdOf('https://bücher.example:8443')).toBe('https://xn--bcher-kva.example:8443');
  expect(serviceIdOf('https://user:secret@a.example/')).toBe('https://a.example');
  expect(() => serviceIdOf('no address')).toThrow('This is not the address of a service.');
});

test('an environment of an address is part of the identity, and not of its origin', () => {
  const id = serviceIdOf('https://API.shotstack.io/#stage');
  expect(id).toBe('https://api.shotstack.io#stage');
  expect(serviceIdOf(id)).toBe(id);
  expect(originOf(id)).toBe('https://api.shotstack.io');
  expect(originOf('https://api.shotstack.io')).toBe('https://api.shotstack.io');
});

test.each([
  ['https://a.example#stage', true],
  ['https://a.example#test-2', true],
  ['https://a.example#', false],
  ['https://a.example#Stage', false],
  ['https://a.example#a/b', false],
  ['https://a.example#a#b', false],
  [`https://a.example#${'a'.repeat(41)}`, false],
  ['https://a.example/path#stage', false],
])('%s can be the identity in a profile: %s', (origin, isValid) => {
  expect(serviceApiSchema.safeParse({ origin }).success).toBe(isValid);
});

test('the address in the settings may name an environment', () => {
  const isValid = (baseUrl: string): boolean =>
    settingsSchema.shape.service.safeParse({ kind: 'remote', baseUrl }).success;
  expect(isValid('https://a.example#stage')).toBe(true);
  expect(isValid('https://a.example/base#stage')).toBe(true);
  expect(isValid('https://a.example#a b')).toBe(false);
  expect(isValid('https://a.example?a=b#stage')).toBe(false);
});
