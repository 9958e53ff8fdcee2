/** The rows of a batch that are left out, with their reasons, as a table. */
import type { Language } from '../../contract/in-language.ts';
import { messageIn } from '../../contract/message-in.ts';
import { csvLine } from '../csv-line.ts';
import type { BatchReading } from './read-batch.ts';

type LeftOutRows = Pick<BatchReading, 'leftOut' | 'fileColumns'>;

export function leftOutHeader({ fileColumns }: LeftOutRows, language: Language): string[] {
  return [...fileColumns, language === 'de' ? 'Grund' : 'Reason'];
}

export function leftOutCsv(reading: LeftOutRows, language: Language): string {
  const lines = reading.leftOut.map(({ cells, issues }) =>
    csvLine([...cells, issues.map((issue) => messageIn(language, issue)).join(' ')]),
  );
  return `\ufeff${csvLine(leftOutHeader(reading, language))}${lines.join('')}`;
}
