import path from 'node:path';
import type { Job, WaitReason } from '../../contract/job.ts';
import { isIn } from '../../contract/job-states.ts';
import type { BatchProgress } from '../batch-progress.ts';
import { paint, type Canvas } from './canvas.ts';
import { nextStepText } from './job-line.ts';
import { formatDuration, formatLength, formatSize } from './numbers.ts';
import { jobLabel } from './state-labels.ts';
import { table } from './table.ts';
import { plainText } from './safe-text.ts';

/** The table at the end: the saved videos, then a line for each of the others. */
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

/** The service's time, from acceptance to the finished video: the download may come much later. */
function savedCells({ file, submittedAt, readyAt }: Job, from: string): string[] {
  if (file === null) return [];
  return [
    relativePath(file.path, from),
    file.durationSeconds === null ? '–' : formatLength(file.durationSeconds),
    formatSize(file.bytes),
    submittedAt === null || readyAt === null ? '–' : formatDuration(readyAt - submittedAt),
  ];
}

/** A path relative to a folder; absolute when it is outside of it. */
export function relativePath(file: string, from: string): string {
  const near = path.relative(from, file);
  return plainText(near === '' || near.startsWith('..') || path.isAbsolute(near) ? file : near);
}

/** Whether only time lies between a video and its file: it no longer passes once Spool has ended. */
function isInProgress({ state, wait }: Job): boolean {
  return isIn('active', state) && (wait === null || PASSING.includes(wait.reason));
}

const PASSING: readonly WaitReason[] = ['turn', 'render-slot'];

function otherLine(job: Job, now: number, canvas: Canvas): string {
  const { shape, word, colour } = jobLabel(job);
  const more = isInProgress(job) ? '' : nextStepText(job, now);
  const row = job.row === null ? '' : ` (row ${job.row})`;
  const text = `${plainText(job.title)}${row}: ${word}${more === '' ? '' : `, ${more}`}`;
  return `${paint(canvas, colour, shape)} ${text}`;
}
