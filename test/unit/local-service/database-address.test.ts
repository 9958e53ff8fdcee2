import { expect, test } from 'vitest';
import { databaseAddress } from '../../../src/local-service/database-address.ts';
import { DomainError } from '../../../src/local-service/domain-error.ts';

function refusalOf(option: string | true, address?: string): DomainError {
  try {
    databaseAddress(option, { SPOOL_SERVICE_DATABASE: address });
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The address was accepted.');
}

test.each([
  'postgres://spool@db.example/spool',
  'postgresql://db.example:5432/spool?application_name=x',
  'postgres://spool@localhost/spool?host=%2Frun%2Fpostgresql',
  'postgres://spool@/spool',
])('%s is an address', (address) => {
  expect(databaseAddress(address, {})).toBe(address);
  expect(databaseAddress(true, { SPOOL_SERVICE_DATABASE: address })).toBe(address);
});

test.each([
  'postgres://u:SECRET@h/x',
  'postgres://u:SECRET/b@h/d',
  'postgres://u:1?SECRET@h/d',
  'postgres://u:1#SECRET@h/d',
  'postgres://u@example.com:SECRET@h/d',
  'postgres://:SECRET@h/d',
  'postgres://u@h/d?password=SECRET',
  'postgres://u:SECRET\n@h/d',
  'mysql://u:SECRET@h/d',
  'postgres:/u:SECRET@h/d',
])('%j is refused as an argument, without being quoted', (address) => {
  expect(refusalOf(address).message).toMatch(/^[A-Z][^\n]*\.$/);
  expect(refusalOf(address).message).not.toContain('SECRET');
});

test.each(['postgres://u:SECRET@[/x', 'postgres://u:SECRET@h:99999999/x'])(
  'the variable %j is refused in a sentence, without being quoted',
  (address) => {
    expect(refusalOf(true, address).code).toBe('DATABASE_UNREACHABLE');
    expect(refusalOf(true, address).message).toMatch(/^[A-Z][^\n]*\.$/);
    expect(refusalOf(true, address).message).not.toContain('SECRET');
  },
);
