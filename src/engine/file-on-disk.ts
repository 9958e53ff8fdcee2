/** A file of the user that is too large for memory, and is read while it is sent. */
export interface FileOnDisk {
  /** Absolute, without links. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
}
