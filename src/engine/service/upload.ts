/** Pictures that are sent to a service: as parts of a request, or before it. */
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
  | { readonly kind: 'uploaded'; readonly value: string | number; readonly lifeMs: number }
  /** The service does not take this file. */
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The profile names an address at which the service takes no files. */
  | { readonly kind: 'no-endpoint'; readonly failure: Failure }
  /** It may take it later. */
  | { readonly kind: 'unavailable'; readonly failure: Failure };

/** Sends a file that a request is going to name. It may be repeated: it makes no video. */
export type Upload = (file: FilePart, signal?: AbortSignal) => Promise<UploadOutcome>;
