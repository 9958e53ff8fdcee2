import { z } from 'zod';
import { issueOf, userMessage } from './user-message.ts';

/** A token of RFC 9110 §5.6.2, in lower case. */
const TOKEN = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Headers about the destination, length or type of a request or its sender, and those that Spool
 * sets itself. A profile can set none of them.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'age',
  'alt-used',
  'connection',
  'cookie',
  'cookie2',
  'date',
  'dnt',
  'early-data',
  'expect',
  'forwarded',
  'from',
  'host',
  'http2-settings',
  'keep-alive',
  'max-forwards',
  'origin',
  'pragma',
  'priority',
  'range',
  'referer',
  'set-cookie',
  'set-cookie2',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
]);

const RESERVED_PREFIXES = /^(?:content-|if-|proxy-|sec-|x-forwarded-|x-original-|x-rewrite-)/;

function isReserved(name: string): boolean {
  return RESERVED.has(name) || RESERVED_PREFIXES.test(name);
}

/** Headers that carry credentials; `x-api-key` is the documented one (service-api.md §5). */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key']);

const tokenSchema = z
  .string()
  .min(1)
  .max(100)
  .transform((name) => name.toLowerCase())
  .refine((name) => TOKEN.test(name), issueOf(userMessage('value-not-header')));

/** Name of a header of a response, in lower case. */
export const answerHeaderSchema = tokenSchema;

const requestHeaderSchema = tokenSchema.refine(
  (name) => !isReserved(name),
  issueOf(userMessage('header-reserved')),
);

/** Name of the header that carries the key, in lower case. */
export const authHeaderSchema = requestHeaderSchema;

/** Name of another header of a request, in lower case. */
export const extraHeaderSchema = requestHeaderSchema.refine(
  (name) => !CREDENTIALS.has(name),
  issueOf(userMessage('header-reserved')),
);

/** Visible ASCII with spaces between: such a value can neither end a header nor begin another. */
export const headerValueSchema = z
  .string()
  .min(1)
  .max(500)
  .refine(
    (value) => /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/.test(value),
    issueOf(userMessage('value-not-header-value')),
  );

/** The word before the key and a space; the key alone when empty. */
export const authSchemeSchema = z
  .string()
  .max(50)
  .refine(
    (scheme) => scheme === '' || TOKEN.test(scheme.toLowerCase()),
    issueOf(userMessage('value-not-auth-scheme')),
  );
