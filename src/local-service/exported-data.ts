/** A row of an embedded service's database. */
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

/** Everything that an embedded service stores besides files, in the current schema. */
export interface ExportedData {
  /** All rows of a table; accounts, keys and videos in the order of their creation. */
  rows(table: ExportedTable): Iterable<StoredRow>;
}
