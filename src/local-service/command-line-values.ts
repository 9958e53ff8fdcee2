import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import {
  emailSchema,
  planSchema,
  rateLimitSchema,
  billingDateSchema,
  type Plan,
  type RateLimit,
} from './accounts/account.ts';
import { defaultLimits } from './accounts/rate-limits.ts';
import type { LimitName } from './accounts/request-counters.ts';
import { issueOfPassword } from './studio/identity/passwords.ts';
import { retentionOf } from './videos/retention-time.ts';

/** Parsers of option values; each throws commander's own usage error. */

export function parsePort(text: string): number {
  return parse(z.coerce.number().int().min(0).max(65535), text, 'A port is a number up to 65535.');
}

/** A hundred years: every expiry is still a valid date. */
const MAX_RETENTION_DAYS = 36_500;

/** @returns milliseconds, from a number of days */
export function parseRetention(text: string): number {
  const days = z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_RETENTION_DAYS));
  const message = `A retention time is a whole number of days, from 1 to ${MAX_RETENTION_DAYS}.`;
  return retentionOf(parse(days, text, message));
}

/** More processes would need more memory than a computer has. */
const MAX_CONCURRENCY = 256;

export function parseConcurrency(text: string): number {
  const schema = z.coerce.number().int().min(1).max(MAX_CONCURRENCY);
  return parse(schema, text, `Videos side by side are a number from 1 to ${MAX_CONCURRENCY}.`);
}

export function parseVideos(text: string): number {
  const schema = z
    .string()
    .regex(/^\d{1,7}$/)
    .transform(Number);
  return parse(schema, text, 'A quota is a whole number of videos.');
}

export function parsePlan(text: string): Plan {
  return parse(
    planSchema,
    text.toLowerCase(),
    `A plan is one of ${planSchema.options.join(', ')}.`,
  );
}

export function parseBillingDate(text: string): string {
  return parse(billingDateSchema, text, 'A billing date looks like 2026-03-17.');
}

export function parseEmail(text: string): string {
  return parse(emailSchema, text, 'That is not an e-mail address.');
}

/** Accepts a password from a pipe, without the line break that `echo` adds. */
export function parsePassword(text: string): string {
  const password = text.replace(/\r?\n$/, '');
  const issue = issueOfPassword(password);
  if (issue !== undefined) throw new InvalidArgumentError(issue);
  return password;
}

export interface NamedLimit {
  readonly name: LimitName;
  readonly limit: RateLimit;
}

/** `generate=10/3600s`: a limit's name, requests, and the window in seconds. */
export function parseLimit(text: string): NamedLimit {
  const [, name, requests, seconds] = /^(\w+)=(\d+)\/(\d+)s$/.exec(text) ?? [];
  const limit = rateLimitSchema.safeParse({
    requests: Number(requests),
    windowSeconds: Number(seconds),
  });
  if (!isLimitName(name) || !limit.success) {
    const names = Object.keys(defaultLimits).join(', ');
    throw new InvalidArgumentError(
      `A limit looks like generate=10/3600s; it may be set for ${names}.`,
    );
  }
  return { name, limit: limit.data };
}

/** Collects the values of a repeatable option. */
export function collectLimits(text: string, previous: readonly NamedLimit[]): NamedLimit[] {
  return [...previous, parseLimit(text)];
}

function isLimitName(name: string | undefined): name is LimitName {
  return name !== undefined && Object.hasOwn(defaultLimits, name);
}

function parse<T>(schema: z.ZodType<T>, text: string, message: string): T {
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(message);
  return parsed.data;
}
