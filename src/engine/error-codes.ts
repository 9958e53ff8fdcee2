/** The system's name for what went wrong, such as `ENOSPC` or `ECONNRESET`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** The innermost error code: several failed addresses make one AggregateError. */
export function innermostCode(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) {
    return innermostCode(error.errors[0]);
  }
  return codeOf(error) ?? (error instanceof Error ? error.name : 'UNKNOWN');
}

/** Whether a file does not exist: its name or a folder on its path is missing. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Whether a virus scanner or an indexer may hold a file, which then cannot be renamed for a while. */
export function isHeldFile(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EPERM' || code === 'EBUSY' || code === 'EACCES';
}

/**
 * Whether a connection failed because the peer's certificate cannot be trusted, by Node's name for the
 * failure: OpenSSL's verification results and Node's own check of the name. A broken TLS record
 * (`ERR_SSL_…_BAD_RECORD_MAC`) is a broken connection and says nothing about the certificate.
 */
export function isCertificateCode(code: string): boolean {
  return (
    code.startsWith('CERT_') ||
    code.startsWith('ERR_TLS_CERT') ||
    code.includes('SELF_SIGNED_CERT') ||
    code.startsWith('UNABLE_TO_') ||
    OTHERS.has(code)
  );
}

const OTHERS: ReadonlySet<string> = new Set([
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
]);
