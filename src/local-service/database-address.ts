import { Option } from 'commander';
import { DomainError } from './domain-error.ts';

/** Where the address of the database is, with its password. */
const VARIABLE = 'SPOOL_SERVICE_DATABASE';

/** `--database [address]`; `databaseAddress` reads its value. */
export function databaseOption(): Option {
  return new Option(
    '--database [address]',
    `a PostgreSQL database that several computers share, such as postgres://user@host/name; from ${VARIABLE} when omitted`,
  );
}

/**
 * The address that a database option stands for. Checked here and not while options are parsed:
 * commander quotes a value that it refuses, and addresses may contain passwords.
 *
 * @throws {DomainError} `DATABASE_UNREACHABLE` when there is none
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
  // Any user of the computer can read the arguments of a process. Passwords may contain what would
  // end the authority of a URL, so all of the address is searched.
  if (/:\/\/.*:.*@/s.test(address) || /[?&]password=/i.test(address)) {
    throw unreachable(`A password belongs into ${VARIABLE}, not into an argument.`);
  }
}

/** As `pg` reads it, which allows a missing host. */
function isParsable(address: string): boolean {
  return (
    URL.canParse(address, 'postgres://host') ||
    URL.canParse(address.replace('@/', '@host/'), 'postgres://host')
  );
}

function unreachable(message: string): DomainError {
  return new DomainError('DATABASE_UNREACHABLE', message);
}
