import type { BatchPlan, PlannedRow } from '../../contract/batch.ts';
import { videoTitle } from '../../contract/video-title.ts';
import { placeOfRow } from '../../contract/row-place.ts';
import type { Canvas } from './canvas.ts';
import { formatEstimate, formatWhenShort } from './numbers.ts';
import { table } from './table.ts';
import { plainText } from './safe-text.ts';
import { waitText } from './wait-text.ts';

/**
 * One line per video: its row in the file, what would happen, when it would be sent, and when
 * saved.
 */
export function forecastTable({ files, rows }: BatchPlan, now: number, canvas: Canvas): string {
  const cells = rows.map((row) => [
    plainText(videoTitle(row)),
    rowText(row, files),
    outcomeText(row),
    sentText(row, now),
    row.forecast.savedAt === null ? '–' : formatEstimate(row.forecast.savedAt, now),
  ]);
  return table(['video', 'row', 'what', 'sent', 'saved'], cells, canvas).join('\n');
}

function rowText({ row }: PlannedRow, files: BatchPlan['files']): string {
  const { file, rowInFile } = placeOfRow(files, row);
  return files.length > 1 && file ? `${plainText(file.name)} ${rowInFile}` : String(rowInFile);
}

function sentText({ forecast, wait }: PlannedRow, now: number): string {
  if (forecast.sendAt !== null) return formatWhenShort(forecast.sendAt, now);
  return wait === null ? '–' : waitText(wait, now);
}

function outcomeText({ outcome, like }: PlannedRow): string {
  switch (outcome) {
    case 'new':
      return 'render';
    case 'saved':
      return 'already saved';
    case 'already-queued':
      return 'already queued';
    case 'downloaded-again':
      return 'download again';
    case 'in-other-batch':
      return like?.of === 'job' ? `already in ${plainText(like.batch)}` : 'in another batch';
    case 'skipped':
      return 'skip, file already exists';
    case 'failed-before':
      return 'failed before';
    case 'duplicate-skipped':
      return 'skip, duplicate';
  }
}
