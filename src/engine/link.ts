/**
 * An address from which a file can be downloaded for a limited time (service-api.md §2.3). Its
 * query is a secret: it never reaches a log.
 */
export interface Link {
  readonly url: string;
  /** By the service's clock, in milliseconds since the epoch; `null` when unknown. */
  readonly expiresAt: number | null;
  /** It leads to the service itself, which delivers the file only with the key. */
  readonly needsKey?: true;
}

/** Authorises a request for a file of the service itself. */
export interface KeyForFile {
  /** All headers that the service requires, one of which has the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Removes the key from a text of the service. */
  readonly removeFrom: (text: string) => string;
}
