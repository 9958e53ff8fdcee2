/**
 * The shared database cannot be reached, or cannot serve for now. No video fails because of it:
 * requests get a 503 response, and workers wait.
 */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The database of the service cannot be reached.', { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/** The connection was lost during a commit: it is unknown whether the transaction was committed. */
export class CommitUncertainError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'CommitUncertainError';
  }
}
