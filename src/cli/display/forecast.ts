import type { BatchPlan, PlannedRow } from '../../contract/batch.ts';
import type { Canvas } from './canvas.ts';
import { aboutWords, whenWords } from './numbers.ts';
import { table } from './table.ts';
import { plainText } from './text-cells.ts';

/** A line a video: its row in the file, what would happen with it, when it would be sent, and when saved. */
export function forecastTable({ rows }: BatchPlan, now: number, canvas: Canvas): string {
  const cells = rows.map((row) => [
    plainText(row.title),
    String(row.row),
    outcomeWords(row),
    row.forecast.sendAt === null ? '–' : whenWords(row.forecast.sendAt, now),
    row.forecast.savedAt === null ? '–' : aboutWords(row.forecast.savedAt, now),
  ]);
  return table(['video', 'row', 'what', 'sent', 'saved'], cells, canvas).join('\n');
}

function outcomeWords({ outcome, forecast }: PlannedRow): string {
  switch (outcome) {
    case 'new':
      return forecast.sendAt === null ? 'no room this month' : 'render';
    case 'saved':
      return 'already there';
    case 'under-way':
      return 'under way';
    case 'fetched-again':
      return 'fetch again';
    case 'skipped':
      return 'skip, its name is taken';
    case 'failed-before':
      return 'failed before';
    case 'left-out':
      return 'leave out, made before';
  }
}
