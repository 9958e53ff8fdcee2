import { z } from 'zod';
import { issueOf, userMessage } from './user-message.ts';

/** Placeholder for a video's identifier in a path; the identifier is always encoded. */
export const ID_PLACEHOLDER = '{id}';

/** Characters. */
const MAX_PATH_LENGTH = 500;

/**
 * One segment of a path. `%` is not allowed, because servers decode it differently: `%2f` and `%2e`
 * could lead elsewhere. `.` and `..` are removed by URL parsers, so they are refused separately.
 */
const SEGMENT = /^(?:[\w.~!$&'()*+,;=:@-]+|\{id\})$/;
const QUERY_VALUE = /^(?:[\w.~!$()*,;:@/-]*|\{id\})$/;
const QUERY_NAME = /^[\w.~-]+$/;

/**
 * Whether a path, with or without a query, can be appended to an origin without leading elsewhere
 * or changing when a URL parser normalises it. `{id}` may be a whole segment or a whole query value.
 */
function isServicePath(path: string): boolean {
  const [pathname = '', query, ...more] = path.split('?');
  if (more.length > 0 || !pathname.startsWith('/')) return false;
  const segments = pathname.slice(1).split('/');
  // Only the last segment may be empty: `/` and `/v1/videos/`.
  const isFine = (segment: string, index: number): boolean =>
    segment === ''
      ? index === segments.length - 1
      : segment !== '.' && segment !== '..' && SEGMENT.test(segment);
  return segments.every(isFine) && (query === undefined || isQuery(query));
}

function isQuery(query: string): boolean {
  return query.split('&').every((pair) => {
    const [name = '', value, ...more] = pair.split('=');
    return (
      more.length === 0 && value !== undefined && QUERY_NAME.test(name) && QUERY_VALUE.test(value)
    );
  });
}

const anyPathSchema = z
  .string()
  .max(MAX_PATH_LENGTH)
  .refine(isServicePath, issueOf(userMessage('value-not-service-path')));

/** A path of a service without `{id}`, relative to the service's base address. */
export const fixedPathSchema = anyPathSchema.refine(
  (path) => !path.includes(ID_PLACEHOLDER),
  issueOf(userMessage('path-with-placeholder', { placeholder: ID_PLACEHOLDER })),
);

/** A path of a service with exactly one `{id}`. */
export const idPathSchema = anyPathSchema.refine(
  (path) => path.split(ID_PLACEHOLDER).length === 2,
  issueOf(userMessage('path-needs-placeholder', { placeholder: ID_PLACEHOLDER })),
);

/** Beginning of a path, such as `/v1/operations/`. It ends with a slash and has no query. */
export const pathPrefixSchema = fixedPathSchema.refine(
  (path) => path.endsWith('/') && !path.includes('?'),
  issueOf(userMessage('value-not-path-prefix')),
);

/** An https address in the normal form of URL parsers. */
const normalised = z.url({ protocol: /^https$/, normalize: true });

/**
 * An https origin in the normal form of URL parsers: lower case, without a path and the default
 * port.
 */
export const httpsOriginSchema = z
  .string()
  .max(300)
  .refine(isHttpsOrigin, issueOf(userMessage('value-not-origin')));

/** The identity of a service (`serviceIdOf`): an https origin, with `#environment` if it has one. */
export const serviceIdSchema = z
  .string()
  .max(300)
  .refine(isServiceId, issueOf(userMessage('value-not-origin')));

function isServiceId(text: string): boolean {
  const [, origin = '', environment] = /^([^#]*)(#.*)?$/.exec(text) ?? [];
  return (
    isHttpsOrigin(origin) && (environment === undefined || /^#[a-z\d-]{1,40}$/.test(environment))
  );
}

function isHttpsOrigin(text: string): boolean {
  return /^https:\/\/[a-z\d.:[\]-]+$/.test(text) && normalised.safeParse(text).data === `${text}/`;
}

/** An https address of a page for people. */
export const httpsPageSchema = z
  .string()
  .max(2000)
  .refine(isHttpsPage, issueOf(userMessage('value-not-https-page')));

function isHttpsPage(text: string): boolean {
  return (
    /^https:\/\/[^/?#@\\]+(?:[/?#][\x21-\x7e]*)?$/.test(text) && normalised.safeParse(text).success
  );
}
