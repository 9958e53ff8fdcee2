import { valueAt } from './json-answer.ts';

/** Where an address from an answer may lead: to this origin, to paths that begin so. */
export interface Place {
  readonly origin: string;
  /** From the root on; ends with a slash. */
  readonly prefix: string;
}

/** Of the path that a video is known by; as long as an identifier (service-api.md §2.2). */
const MAX_ADDRESS = 200;

/**
 * The path, with its query, of an address in an answer; `null` where there is none, or it leads
 * elsewhere. A relative one is appended to the place's prefix.
 */
export function addressIn(
  json: unknown,
  at: string,
  place: Place,
  maxLength = MAX_ADDRESS,
): string | null {
  const text = valueAt(json, at);
  // Parsers drop tabs and line ends, and take a backslash for a slash.
  if (typeof text !== 'string' || !/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return null;
  const isAbsolute = /^(?:[a-z][a-z\d+.-]*:)?\/\//i.test(text);
  const absolute = isAbsolute
    ? text
    : place.origin + (text.startsWith('/') ? text : place.prefix + text);
  const url = URL.parse(absolute, place.origin);
  if (url?.origin !== place.origin || url.username !== '' || url.password !== '') return null;
  if (url.hash !== '' || absolute.endsWith('#')) return null;
  const path = url.pathname + url.search;
  return isAddressBelow(path, place, maxLength) ? path : null;
}

/**
 * Whether a path, with its query, is one that `addressIn` gives. Encoded slashes, backslashes and
 * dots are refused, since servers decode them differently.
 */
export function isAddressBelow(
  path: string,
  { origin, prefix }: Place,
  maxLength = MAX_ADDRESS,
): boolean {
  const [pathname = ''] = path.split('?');
  return (
    path.length <= maxLength &&
    pathname.startsWith(prefix) &&
    pathname.length > prefix.length &&
    /^[\x21-\x22\x24-\x5b\x5d-\x7e]+$/.test(path) &&
    !/%(?:2e|2f|5c)|\/\//i.test(pathname) &&
    URL.parse(origin + path)?.href === origin + path
  );
}
