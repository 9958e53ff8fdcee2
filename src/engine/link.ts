/**
 * An address that a file can be downloaded from for a while (service-api.md §2.3). Its query is a
 * secret: it never reaches a log.
 */
export interface Link {
  readonly url: string;
  /** By the service's clock, in milliseconds since the epoch; `null` when unknown. */
  readonly expiresAt: number | null;
  /** It leads to the service itself, which gives the file to a request with the key only. */
  readonly needsKey?: true;
}

/** What a request for a file of the service itself is authorised with. */
export interface KeyForFile {
  /** All headers that the service wants, one of which has the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Removes the key from a text of the service. */
  readonly removeFrom: (text: string) => string;
}
