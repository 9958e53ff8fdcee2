/** Extensions of files whose tables are read; the content alone decides how. */
export const TABLE_EXTENSIONS = [
  'csv',
  'tsv',
  'tab',
  'txt',
  'xlsx',
  'xlsm',
  'ods',
  'json',
  'jsonl',
  'ndjson',
  'html',
  'htm',
] as const;
