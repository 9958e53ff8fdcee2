import type { Job } from '../../contract/job.ts';
import { paint, type Canvas, type Style } from './canvas.ts';
import { aboutWords, lengthWords, sizeWords } from './numbers.ts';
import { jobWords } from './state-words.ts';
import { cutTo, fit, plainText } from './text-cells.ts';
import { waitWords } from './wait-words.ts';

const WORD_WIDTH = 12;

/**
 * One video on one line: shape, number, title, word, bar, and what happens next or what came of it.
 * A narrower terminal loses the bar first, then what happens next.
 */
export function jobLine(job: Job, number: string, now: number, canvas: Canvas): string {
  const { shape, word, colour } = jobWords(job);
  const free = canvas.width - number.length - WORD_WIDTH - 6;
  const barWidth = free >= 62 ? 20 : free >= 48 ? 12 : 0;
  const tellsMore = free >= 36;
  const titleWidth = tellsMore ? Math.min(40, Math.floor((free - barWidth) * 0.5)) : free;
  const parts = [
    paint(canvas, colour, shape),
    paint(canvas, 'dim', number),
    fit(plainText(job.title), titleWidth),
    paint(canvas, colour, fit(word, WORD_WIDTH)),
  ];
  if (tellsMore) {
    const left = free - titleWidth;
    const share = shareOf(job);
    if (barWidth > 0 && share !== null) {
      // Where the service gives no progress, it is learned from earlier videos, and says so.
      const estimated = job.transfer === null && job.progress?.estimated === true ? '~' : '';
      const percent = `${estimated}${Math.floor(share * 100)} %`.padStart(6);
      parts.push(bar(share, barWidth, canvas, colour) + percent);
      parts.push(paint(canvas, 'dim', cutTo(tellMore(job, now), left - barWidth - 8)));
    } else {
      parts.push(paint(canvas, 'dim', cutTo(tellMore(job, now), left - 1)));
    }
  }
  return parts.join(' ').trimEnd();
}

/** A bar of `width` cells that is filled as far as `share`, 0 to 1. */
export function bar(share: number, width: number, canvas: Canvas, style: Style): string {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2);
  const filled = '━'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '╸' : '');
  return (
    paint(canvas, style, filled) +
    paint(canvas, 'dim', (canvas.colours ? '━' : '─').repeat(width - filled.length))
  );
}

/** What happens next and when, or what came of the video. */
export function tellMore(job: Job, now: number): string {
  const { savedAt } = job.forecast;
  if (job.wait !== null) return waitWords(job.wait, now);
  switch (job.state) {
    case 'queued':
    case 'reserved':
    case 'sending':
      return '';
    case 'submitted':
    case 'rendering':
      if (job.wordUnknown && job.serviceWord !== null) {
        return `the service says “${plainText(job.serviceWord)}”`;
      }
      return savedAt === null ? '' : `saved ${aboutWords(savedAt, now)}`;
    case 'ready':
    case 'downloading':
    case 'verifying':
      return job.state === 'ready' ? 'waits for a free transfer' : transferWords(job);
    case 'done':
      return savedWords(job);
    case 'missing':
      return job.failure === null
        ? 'it was saved, and is no longer where it was'
        : plainText(job.failure.message);
    case 'uncertain':
      return 'it may have been accepted; say what became of it';
    case 'rejected':
    case 'failed':
      return plainText(job.failure?.message ?? '');
    case 'draft':
    case 'held':
    case 'cancelled':
    case 'abandoned':
      return '';
  }
}

function transferWords({ transfer }: Job): string {
  if (transfer === null) return '';
  const received = sizeWords(transfer.receivedBytes);
  return transfer.totalBytes === null
    ? received
    : `${received} of ${sizeWords(transfer.totalBytes)}`;
}

function savedWords({ file }: Job): string {
  if (file === null) return '';
  const length = file.durationSeconds === null ? [] : [lengthWords(file.durationSeconds)];
  return [...length, sizeWords(file.bytes)].join(' · ');
}

/** How much of the work that a job is at now is done; `null` when it is at none. */
function shareOf({ state, progress, transfer }: Job): number | null {
  if (state === 'submitted' || state === 'rendering') return progress?.fraction ?? null;
  if (state === 'downloading' || state === 'verifying') {
    if (!transfer?.totalBytes) return 0;
    return Math.min(1, transfer.receivedBytes / transfer.totalBytes);
  }
  return null;
}
