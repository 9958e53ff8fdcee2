import { parseForWriting } from '../../contract/json-text.ts';
import { escaped, formOf, type FilePart } from './upload.ts';

/**
 * Converts a JSON object to multipart/form-data (RFC 7578), one part for each property, and one for
 * each file after them. Strings are sent unchanged; other values as JSON.
 *
 * The boundary is a hash of the content, so that a stored request gives the same bytes each time.
 * No part contains a hash of the whole content.
 *
 * @throws {SyntaxError} when `json` is not JSON
 */
export function toMultipart(json: string): { readonly contentType: string; readonly body: string };
export function toMultipart(
  json: string,
  files: readonly FilePart[],
): { readonly contentType: string; readonly body: string | Buffer };
export function toMultipart(
  json: string,
  files: readonly FilePart[] = [],
): { readonly contentType: string; readonly body: string | Buffer } {
  const properties = Object.entries(parseForWriting(json) as Record<string, unknown>);
  const texts = (boundary: string): string =>
    properties
      .map(
        ([name, value]) =>
          `--${boundary}\r\n` +
          `Content-Disposition: form-data; name="${escaped(name)}"\r\n\r\n` +
          `${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
      )
      .join('');
  const form = formOf(texts, files, json);
  return files.length > 0 ? form : { ...form, body: form.body.toString('utf8') };
}
