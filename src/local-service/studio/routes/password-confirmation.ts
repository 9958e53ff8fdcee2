import type { FastifyRequest } from 'fastify';
import type { Account } from '../../accounts/account.ts';
import type { Clock } from '../../clock.ts';
import { type Attempts, tooManyAttempts } from '../identity/attempts.ts';
import type { PasswordService } from '../identity/password-service.ts';

export interface ConfirmationParts {
  readonly clock: Clock;
  readonly passwords: PasswordService;
  readonly attempts: Attempts;
}

/** The name of the form field for the current password. */
export const CURRENT_PASSWORD = 'current';

/** Why a form is not accepted, with the status of the response. */
export interface Refusal {
  readonly issue: string;
  readonly statusCode: number;
}

/**
 * Checks that a form was sent by someone who knows the account's password. Browsers send a session's
 * cookie to every port of its host, so the cookie alone must not change keys (`abuse.md` 67). Guesses
 * in a session that was left open are slowed down too.
 *
 * @returns `null` when the password is right
 */
export async function refusalOfPassword(
  request: FastifyRequest,
  { clock, passwords, attempts }: ConfirmationParts,
  account: Account,
  fields: ReadonlyMap<string, string>,
): Promise<Refusal | null> {
  const attempt = attempts.confirm(account.email);
  if (attempt.kind === 'refused') {
    request.rateLimitStatus = { remaining: 0, resetAt: attempt.until };
    return { issue: tooManyAttempts(attempt.until, clock.now()), statusCode: 429 };
  }
  if (!(await passwords.check(account.email, fields.get(CURRENT_PASSWORD) ?? ''))) {
    return { issue: 'This is not your current password.', statusCode: 422 };
  }
  attempt.succeeded();
  return null;
}
