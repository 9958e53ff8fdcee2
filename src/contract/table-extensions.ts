/** Extensions of files whose tables are read; the content alone decides how. */
export const TABLE_EXTENSIONS = [
  'csv',
  'tsv',
  'tab',
  'txt',
  'xlsx',
  'xlsm',
  'xls',
  'ods',
  'fods',
  'json',
  'jsonl',
  'ndjson',
  'html',
  'htm',
] as const;

/** The end of the name of a table that Spool writes: what became of a batch, beside its source. */
export const RESULTS_ENDING = '.results.csv';
