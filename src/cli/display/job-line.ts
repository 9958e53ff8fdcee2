import type { Job } from '../../contract/job.ts';
import { videoTitle } from '../../contract/video-title.ts';
import { isSettlingResult } from '../../contract/settling-results.ts';
import { paint, type Canvas, type Style } from './canvas.ts';
import { formatEstimate, formatLength, formatSize } from './numbers.ts';
import { jobLabel } from './state-labels.ts';
import { reasonText } from './failure-text.ts';
import { plainText } from './safe-text.ts';
import { cutTo, fit } from './text-cells.ts';
import { waitText } from './wait-text.ts';

const WORD_WIDTH = 12;

/**
 * One video on one line: symbol, number, title, state, bar, and the next step or the outcome. On a
 * narrow terminal the bar is omitted first, then the next step.
 */
export function jobLine(job: Job, number: string, now: number, canvas: Canvas): string {
  const { shape, word, colour } = jobLabel(job);
  const free = canvas.width - number.length - WORD_WIDTH - 6;
  const barWidth = free >= 62 ? 20 : free >= 48 ? 12 : 0;
  const showsNextStep = free >= 36;
  const titleWidth = showsNextStep ? Math.min(40, Math.floor((free - barWidth) * 0.5)) : free;
  const parts = [
    paint(canvas, colour, shape),
    paint(canvas, 'dim', number),
    fit(plainText(videoTitle(job)), titleWidth),
    paint(canvas, colour, fit(word, WORD_WIDTH)),
  ];
  if (showsNextStep) {
    const left = free - titleWidth;
    const share = completedShare(job);
    if (barWidth > 0 && share !== null) {
      // If the service reports no progress, it is estimated from earlier videos, and marked with
      // `~`.
      const estimated = job.transfer === null && job.progress?.estimated === true ? '~' : '';
      const percent = `${estimated}${Math.floor(share * 100)} %`.padStart(6);
      parts.push(bar(share, barWidth, canvas, colour) + percent);
      parts.push(paint(canvas, 'dim', cutTo(nextStepText(job, now), left - barWidth - 8)));
    } else {
      parts.push(paint(canvas, 'dim', cutTo(nextStepText(job, now), left - 1)));
    }
  }
  return parts.join(' ').trimEnd();
}

/** A bar of `width` cells that is filled up to `share`, 0 to 1. */
export function bar(share: number, width: number, canvas: Canvas, style: Style): string {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2);
  const filled = '━'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '╸' : '');
  return (
    paint(canvas, style, filled) +
    paint(canvas, 'dim', (canvas.colours ? '━' : '─').repeat(width - filled.length))
  );
}

/** The next step and its time, or the outcome of the video. */
export function nextStepText(job: Job, now: number): string {
  const { savedAt } = job.forecast;
  if (job.wait?.reason === 'status-unknown' && job.serviceWord !== null) {
    return `the service says “${plainText(job.serviceWord)}”, which Spool does not know`;
  }
  if (job.wait !== null) return waitText(job.wait, now);
  switch (job.state) {
    case 'queued':
    case 'reserved':
    case 'sending':
      return '';
    case 'submitted':
    case 'rendering':
      return savedAt === null ? '' : `saved ${formatEstimate(savedAt, now)}`;
    case 'ready':
    case 'downloading':
    case 'verifying':
      return job.state === 'ready' ? 'waits to be downloaded' : transferText(job);
    case 'done':
      return savedText(job);
    case 'missing':
      return job.failure === null
        ? 'it was saved, but its file is no longer there'
        : plainText(job.failure.message);
    case 'uncertain':
      return isSettlingResult(job.failure)
        ? `${plainText(job.failure.message)} Decide with spool jobs resolve.`
        : 'it may have been accepted; decide with spool jobs resolve';
    case 'rejected':
    case 'failed':
      return job.failure === null ? '' : reasonText(job.failure);
    case 'held':
      return job.failure === null ? '' : plainText(job.failure.message);
    case 'cancelled':
    case 'abandoned':
      return '';
  }
}

function transferText({ transfer }: Job): string {
  if (transfer === null) return '';
  const received = formatSize(transfer.receivedBytes);
  return transfer.totalBytes === null
    ? received
    : `${received} of ${formatSize(transfer.totalBytes)}`;
}

function savedText({ file, notice }: Job): string {
  if (notice !== null) return plainText(notice.message);
  if (file === null) return '';
  const length = file.durationSeconds === null ? [] : [formatLength(file.durationSeconds)];
  return [...length, formatSize(file.bytes)].join(' · ');
}

/** The completed share of the job's current work, 0 to 1; `null` when it has none. */
function completedShare({ state, progress, transfer }: Job): number | null {
  if (state === 'submitted' || state === 'rendering') return progress?.fraction ?? null;
  if (state === 'downloading' || state === 'verifying') {
    if (!transfer?.totalBytes) return 0;
    return Math.min(1, transfer.receivedBytes / transfer.totalBytes);
  }
  return null;
}
