import { valueAt } from './response-reader.ts';

/** Where an address from a response may lead: to this origin, to paths with this prefix. */
export interface Place {
  readonly origin: string;
  /** From the root; ends with a slash. */
  readonly prefix: string;
}

/** Of a path that identifies a video; as long as an identifier (service-api.md §2.2). */
const MAX_ADDRESS = 200;

/**
 * The path, with its query, of an address in a response; `null` if there is none, or it leads
 * elsewhere. A relative address is appended to the prefix.
 */
export function addressIn(
  json: unknown,
  at: string,
  place: Place,
  maxLength = MAX_ADDRESS,
): string | null {
  const text = valueAt(json, at);
  // Parsers drop tabs and line ends, and treat a backslash as a slash.
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
 * Encoded characters that servers decode differently and that may end a path or change where it
 * leads: control characters, `#`, `%`, `.`, `/`, `;`, `?`, `\\`.
 */
const UNSAFE_ESCAPE = /%(?:[01][\da-f]|7f|2[35ef]|3[bf]|5c)/i;

/** A segment that is empty, `.` or `..` for servers that drop what follows a semicolon (Tomcat). */
const DOTS_WITH_PARAMETERS = /\/\.{0,2};/;

/** Whether a path, with its query, is one that `addressIn` returns. */
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
    !UNSAFE_ESCAPE.test(pathname) &&
    !DOTS_WITH_PARAMETERS.test(pathname) &&
    !pathname.includes('//') &&
    URL.parse(origin + path)?.href === origin + path
  );
}
