import { InvalidArgumentError, Option } from 'commander';
import { DomainError } from './domain-error.ts';

/** Where the address of the database is, with its password. */
const VARIABLE = 'SPOOL_SERVICE_DATABASE';

/** `--database [address]`; `databaseAddress` reads its value. */
export function databaseOption(): Option {
  return new Option(
    '--database [address]',
    `a PostgreSQL database that several computers share, such as postgres://user@host/name; from ${VARIABLE} when omitted`,
  ).argParser(parseAddress);
}

/**
 * The address that a database option stands for.
 *
 * @throws {DomainError} `DATABASE_UNREACHABLE` when there is none
 */
export function databaseAddress(
  option: string | true,
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  if (option !== true) return option;
  const address = environment[VARIABLE];
  if (address !== undefined && address !== '') return address;
  throw new DomainError(
    'DATABASE_UNREACHABLE',
    `Put the address of the database into the environment variable ${VARIABLE}.`,
  );
}

function parseAddress(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text)) {
    throw new InvalidArgumentError('The address of a database begins with postgres://.');
  }
  // Any user of the computer can read the arguments of a process.
  if (/^[^/]+:\/\/[^/@]*:[^/@]*@/.test(text) || /[?&]password=/i.test(text)) {
    throw new InvalidArgumentError(`A password belongs into ${VARIABLE}, not into an argument.`);
  }
  return text;
}
