import { hash } from 'node:crypto';
import { parseForWriting } from '../../contract/json-text.ts';

/**
 * A JSON object as multipart/form-data (RFC 7578), one part for each property. Texts are sent as
 * they are; anything else is JSON text.
 *
 * The boundary follows from the content, so that a stored request is the same bytes each time that
 * it is made. A hash of the whole content is in none of its parts.
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

/** As the HTML standard has it for form submissions. */
function escapedName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
