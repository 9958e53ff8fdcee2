/** A row as the database of an embedded service has it. */
export type StoredRow = Readonly<Record<string, unknown>>;

export type ExportedTable =
  | 'account'
  | 'api_key'
  | 'password'
  | 'web_session'
  | 'known_browser'
  | 'image'
  | 'secret'
  | 'video'
  | 'rate_window';

/** What an embedded service stores besides files, in the columns of the current version. */
export interface ExportedData {
  /** All rows of a table; accounts, keys and videos in the order in which they were made. */
  rows(table: ExportedTable): Iterable<StoredRow>;
}
