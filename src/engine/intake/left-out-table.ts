/** The rows of a batch that are left out, with their reasons, as a table. */
import type { Language } from '../../contract/in-language.ts';
import { messageIn } from '../../contract/message-in.ts';
import { csvLine, separatorLike } from '../csv-line.ts';
import type { BatchReading } from './read-batch.ts';

type LeftOutRows = Pick<BatchReading, 'leftOut' | 'fileColumns' | 'files'>;

export function leftOutHeader(
  { fileColumns }: Pick<LeftOutRows, 'fileColumns'>,
  language: Language,
): string[] {
  return [...fileColumns, language === 'de' ? 'Grund' : 'Reason'];
}

export function leftOutCsv(reading: LeftOutRows, language: Language): string {
  const separator = separatorLike(reading.files[0]?.reading?.separator);
  const rows = reading.leftOut.map(({ cells, issues }) => [
    ...cells,
    issues.map((issue) => messageIn(language, issue)).join(' '),
  ]);
  const lines = [leftOutHeader(reading, language), ...rows].map((row) => csvLine(row, separator));
  return `\ufeff${lines.join('')}`;
}
