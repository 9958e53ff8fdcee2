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
