/** The system's name for what went wrong, such as `ENOSPC` or `ECONNRESET`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}
