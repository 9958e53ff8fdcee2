/**
 * The shared database cannot be reached, or cannot serve for now. Nothing fails for it: requests are
 * answered with 503, and workers wait.
 */
export class DatabaseUnavailableError extends Error {
  constructor(cause: unknown) {
    super('The database of the service cannot be reached.', { cause });
    this.name = 'DatabaseUnavailableError';
  }
}

/** The connection was lost during a commit, so that it is unknown whether anything was stored. */
export class CommitUncertainError extends DatabaseUnavailableError {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'CommitUncertainError';
  }
}
