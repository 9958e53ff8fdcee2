import { MAX_BATCH_CELLS, MAX_BATCH_COLUMNS, MAX_BATCH_ROWS } from '../../contract/batch-limits.ts';
import { userMessage, type UserMessage } from '../../contract/user-message.ts';

/** Which limit of a batch a table exceeds. */
export type Excess = 'rows' | 'columns' | 'cells';

const SENTENCES = {
  rows: 'file-too-many-rows',
  columns: 'file-too-many-columns',
  cells: 'file-too-many-cells',
} as const;

const LIMITS = { rows: MAX_BATCH_ROWS, columns: MAX_BATCH_COLUMNS, cells: MAX_BATCH_CELLS };

/** The message about the limit that a table exceeds. */
export function excessMessage(name: string, excess: Excess): UserMessage {
  return userMessage(SENTENCES[excess], { name, max: LIMITS[excess] });
}

const SENTENCES_OF_FILES = {
  rows: 'files-too-many-rows',
  columns: 'files-too-many-columns',
  cells: 'files-too-many-cells',
} as const;

/** The message about the limit that several files exceed together. */
export function excessMessageOfFiles(excess: Excess): UserMessage {
  return userMessage(SENTENCES_OF_FILES[excess], { max: LIMITS[excess] });
}
