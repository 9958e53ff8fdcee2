/** Why a user's command was refused. The codes are stable: programs may depend on them. */
export type DomainErrorCode =
  | 'ACCOUNT_EXISTS'
  | 'ACCOUNT_UNKNOWN'
  | 'KEY_ACTIVE'
  | 'KEY_MISSING'
  | 'KEY_NAME_INVALID'
  | 'DATA_FOLDER_UNUSABLE'
  | 'SERVICE_RUNNING'
  | 'DATA_TOO_NEW'
  | 'DATA_TOO_OLD'
  | 'DATABASE_FORBIDDEN'
  | 'DATABASE_FOREIGN'
  | 'DATABASE_NOT_EMPTY'
  | 'DATABASE_OUTDATED'
  | 'DATABASE_UNREACHABLE'
  | 'FILES_UNUSABLE';

/** A valid command that the service refuses. The message is one complete sentence. */
export class DomainError extends Error {
  readonly code: DomainErrorCode;

  constructor(code: DomainErrorCode, message: string) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
  }
}
