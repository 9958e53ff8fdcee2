/** Pictures that are sent to a service: as parts of a request, or before it. */
import type { Failure } from '../../contract/failure.ts';
import type { FileOnDisk } from '../file-on-disk.ts';

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

/** Sends a file of a row to the service on this computer, of any column and size. It may be repeated. */
export type StoreFile = (
  content: Buffer | FileOnDisk,
  signal?: AbortSignal,
) => Promise<UploadOutcome>;

/** Sends a file that a request is going to name. It may be repeated: it makes no video. */
export type Upload = (file: FilePart, signal?: AbortSignal) => Promise<UploadOutcome>;
