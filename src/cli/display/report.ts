import path from 'node:path';
import type { Job } from '../../contract/job.ts';
import type { BatchProgress } from '../batch-progress.ts';
import { paint, type Canvas } from './canvas.ts';
import { tellMore } from './job-line.ts';
import { durationWords, lengthWords, sizeWords } from './numbers.ts';
import { jobWords } from './state-words.ts';
import { table } from './table.ts';
import { plainText } from './text-cells.ts';

/** The table at the end: what was saved, then a line for each video that was not. */
export function report(progress: BatchProgress, from: string, now: number, canvas: Canvas): string {
  const saved = progress.jobs.filter((job) => job.state === 'done' && job.file !== null);
  const rows = saved.map((job) => savedCells(job, from));
  const lines: string[] = [];
  if (rows.length > 0) lines.push(...table(['file', 'length', 'size', 'time'], rows, canvas));
  const others = progress.jobs.filter((job) => job.state !== 'done');
  if (rows.length > 0 && others.length > 0) lines.push('');
  for (const job of others) lines.push(otherLine(job, now, canvas));
  return lines.join('\n');
}

/** The time is the service's, from its acceptance to the finished video: a copy may come later. */
function savedCells({ file, submittedAt, readyAt }: Job, from: string): string[] {
  if (file === null) return [];
  return [
    nearPath(file.path, from),
    file.durationSeconds === null ? '–' : lengthWords(file.durationSeconds),
    sizeWords(file.bytes),
    submittedAt === null || readyAt === null ? '–' : durationWords(readyAt - submittedAt),
  ];
}

/** A path as one would type it from a folder; absolute when it lies outside of it. */
export function nearPath(file: string, from: string): string {
  const near = path.relative(from, file);
  return plainText(near === '' || near.startsWith('..') || path.isAbsolute(near) ? file : near);
}

function otherLine(job: Job, now: number, canvas: Canvas): string {
  const { shape, word, colour } = jobWords(job);
  const more = tellMore(job, now);
  const row = job.row === null ? '' : ` (row ${job.row})`;
  const text = `${plainText(job.title)}${row}: ${word}${more === '' ? '' : `, ${more}`}`;
  return `${paint(canvas, colour, shape)} ${text}`;
}
