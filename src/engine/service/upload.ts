/** Pictures that are sent to a service: as parts of a request, or before it. */
import { hash } from 'node:crypto';
import type { Failure } from '../../contract/failure.ts';

/** A file as it is sent. Its name says nothing of this computer. */
export interface FilePart {
  /** The name of its form field. */
  readonly property: string;
  readonly fileName: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export type UploadOutcome =
  /** `value` stands in the request: an identifier or an address. */
  | { readonly kind: 'uploaded'; readonly value: string; readonly lifeMs: number }
  /** The service does not take this file. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** It may take it later. */
  | { readonly kind: 'unavailable'; readonly failure: Failure };

/** Sends a file that a request is going to name. It may be repeated: it makes no video. */
export type Upload = (file: FilePart, signal?: AbortSignal) => Promise<UploadOutcome>;

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
export function escaped(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
