/** A file of the user's own cannot be shown or heard. A retry would fail too. */
export class MediaUnreadableError extends Error {
  override readonly name = 'MediaUnreadableError';
  /** The end of a sentence that begins with what the file is for. */
  readonly reason: string;

  constructor(reason: string, cause?: unknown) {
    super(`The file ${reason}.`, { cause });
    this.reason = reason;
  }
}
