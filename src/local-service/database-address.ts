import { Option } from 'commander';
import { DomainError } from './domain-error.ts';

/** The environment variable with the database's address, which may contain a password. */
const VARIABLE = 'SPOOL_SERVICE_DATABASE';

/** `--database [address]`. Pass its value to {@link databaseAddress}. */
export function databaseOption(): Option {
  return new Option(
    '--database [address]',
    `a PostgreSQL database that several computers share, such as postgres://user@host/name; from ${VARIABLE} when omitted`,
  );
}

/**
 * The database's address, from the option's value or the environment. It is not checked while
 * options are parsed, because commander quotes a value that it refuses, and addresses may contain
 * passwords.
 *
 * @throws {DomainError} `DATABASE_UNREACHABLE` when the address is missing or not accepted
 */
export function databaseAddress(
  option: string | true,
  environment: Readonly<NodeJS.ProcessEnv> = process.env,
): string {
  const address = option === true ? (environment[VARIABLE] ?? '') : option;
  if (address === '') {
    throw unreachable(`Put the address of the database into the environment variable ${VARIABLE}.`);
  }
  if (option !== true) requireArgument(address);
  if (!isParsable(address)) {
    throw unreachable('That is not the address of a PostgreSQL database.');
  }
  return address;
}

function requireArgument(address: string): void {
  if (!/^postgres(?:ql)?:\/\//.test(address)) {
    throw unreachable('The address of a database begins with postgres://.');
  }
  // Any user of the computer can read a process's arguments. A password may contain characters that
  // end the authority of a URL, so the whole address is searched.
  if (/:\/\/.*:.*@/s.test(address) || /[?&]password=/i.test(address)) {
    throw unreachable(`A password belongs into ${VARIABLE}, not into an argument.`);
  }
}

/** Parses like `pg`, which allows a missing host. */
function isParsable(address: string): boolean {
  return (
    URL.canParse(address, 'postgres://host') ||
    URL.canParse(address.replace('@/', '@host/'), 'postgres://host')
  );
}

function unreachable(message: string): DomainError {
  return new DomainError('DATABASE_UNREACHABLE', message);
}
