import type { BatchPlan, PlannedRow } from '../../contract/batch.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import type { Canvas } from './canvas.ts';
import { aboutWords, whenWords } from './numbers.ts';
import { table } from './table.ts';
import { plainText } from './text-cells.ts';
import { waitWords } from './wait-words.ts';

/** A line a video: its row in the file, what would happen with it, when it would be sent, and when saved. */
export function forecastTable({ files, rows }: BatchPlan, now: number, canvas: Canvas): string {
  const cells = rows.map((row) => [
    plainText(row.title),
    rowWords(row, files),
    outcomeWords(row),
    sentWords(row, now),
    row.forecast.savedAt === null ? '–' : aboutWords(row.forecast.savedAt, now),
  ]);
  return table(['video', 'row', 'what', 'sent', 'saved'], cells, canvas).join('\n');
}

function rowWords({ row }: PlannedRow, files: BatchPlan['files']): string {
  const { file, rowInFile } = placeOfRow(files, row);
  return files.length > 1 && file ? `${plainText(file.name)} ${rowInFile}` : String(rowInFile);
}

function sentWords({ forecast, wait }: PlannedRow, now: number): string {
  if (forecast.sendAt !== null) return whenWords(forecast.sendAt, now);
  return wait === null ? '–' : waitWords(wait, now);
}

function outcomeWords({ outcome }: PlannedRow): string {
  switch (outcome) {
    case 'new':
      return 'render';
    case 'saved':
      return 'already saved';
    case 'under-way':
      return 'already queued';
    case 'fetched-again':
      return 'download again';
    case 'skipped':
      return 'skip, file already exists';
    case 'failed-before':
      return 'failed before';
    case 'left-out':
      return 'skip, duplicate';
  }
}
