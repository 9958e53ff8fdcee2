/** Bodies in multipart/form-data (RFC 7578). */
import { hash } from 'node:crypto';
import { parseForWriting } from '../../contract/json-text.ts';
import type { FilePart } from './upload.ts';

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

/**
 * A form (RFC 7578) of texts and files. The boundary is a hash of the content, so that the same
 * content gives the same bytes each time.
 * @param texts bytes of the parts that are texts, each with its headers and the line break after it
 */
export function formOf(
  texts: (boundary: string) => string,
  files: readonly FilePart[],
  seed: string,
): { readonly contentType: string; readonly body: Buffer } {
  const sums = files.map(({ bytes }) => hash('sha256', bytes));
  const content = [seed, ...sums].join(' ').trimEnd();
  const boundary = `spool-${hash('sha256', content).slice(0, 40)}`;
  const parts = files.flatMap(({ property, fileName, mediaType, bytes }) => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(property)}"; ` +
        `filename="${escaped(fileName)}"\r\nContent-Type: ${mediaType}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ]);
  const end = Buffer.from(`--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts(boundary)), ...parts, end]),
  };
}

/** As the HTML standard defines it for form submissions. */
function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
