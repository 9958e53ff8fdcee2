import { hash } from 'node:crypto';
import { parseForWriting } from '../../contract/json-text.ts';

/**
 * Converts a JSON object to multipart/form-data (RFC 7578), one part for each property. Strings are
 * sent unchanged; other values as JSON.
 *
 * The boundary is a hash of the content, so that a stored request gives the same bytes each time.
 * No part contains a hash of the whole content.
 *
 * @throws {SyntaxError} when `json` is not JSON
 */
export function toMultipart(json: string): { readonly contentType: string; readonly body: string } {
  const boundary = `spool-${hash('sha256', json).slice(0, 40)}`;
  const parts = Object.entries(parseForWriting(json) as Record<string, unknown>).map(
    ([name, value]) =>
      `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${escapedName(name)}"\r\n\r\n` +
      `${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${parts.join('')}--${boundary}--\r\n`,
  };
}

/** As the HTML standard defines it for form submissions. */
function escapedName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
