import { obstacleOf } from '../../contract/flow.ts';
import type { Job } from '../../contract/job.ts';
import type { JobState } from '../../contract/job-states.ts';
import { limitAt } from '../../contract/limit-at.ts';
import type { Balance } from '../../contract/service-cost.ts';
import type { Limit, Quota, Summary } from '../../contract/summary.ts';
import { isUnlimited, practicePlan } from '../../contract/this-computer.ts';
import { isForecast } from '../../contract/wait.ts';
import type { BatchProgress } from '../batch-progress.ts';
import { paint, type Canvas } from './canvas.ts';
import { bar, jobLine } from './job-line.ts';
import {
  formatAgo,
  formatEnd,
  formatCount,
  formatDate,
  formatDuration,
  formatWhen,
} from './numbers.ts';
import { amountWords } from './service-words.ts';
import { plainText } from './safe-text.ts';
import { cells, cutTo } from './text-cells.ts';

/** Lines that are not job rows: a blank, the batch, its flow, the limits, quota and balance. */
const LINES_BESIDE_ROWS = 6;

/**
 * The whole live display: one line per video, one for the batch, the limits and the quota. Never
 * more than `height` lines, and never a line longer than the canvas is wide.
 */
export function progressView(
  progress: BatchProgress,
  now: number,
  canvas: Canvas & { readonly height: number },
): string {
  const maxRows = Math.max(1, canvas.height - LINES_BESIDE_ROWS);
  const shown = rowsToShow(progress.jobs, maxRows);
  const digits = String(progress.jobs.length).length;
  const lines = shown.map(({ job, number }) =>
    jobLine(job, String(number).padStart(digits), now, canvas),
  );
  const hidden = progress.jobs.length - shown.length;
  if (hidden > 0) lines.push(paint(canvas, 'dim', `  … and ${formatCount(hidden, 'more video')}`));
  lines.push('', batchLine(progress, now, canvas));
  const blockedReason = blockedText(progress.summary, now);
  if (blockedReason !== null)
    lines.push(paint(canvas, 'yellow', cutTo(blockedReason, canvas.width)));
  lines.push(...limitLines(progress.summary, now, canvas));
  return lines.join('\n');
}

/** Which rows to show if not all fit: moving jobs first, then failed ones, then the next ones. */
const PRECEDENCE: readonly (readonly JobState[])[] = [
  ['downloading', 'verifying', 'sending', 'reserved', 'rendering', 'submitted', 'ready'],
  ['uncertain', 'failed', 'rejected', 'missing'],
  ['queued', 'held'],
];

function rowsToShow(jobs: readonly Job[], maxRows: number): { job: Job; number: number }[] {
  const numbered = jobs.map((job, index) => ({ job, number: index + 1 }));
  if (numbered.length <= maxRows) return numbered;
  const rank = ({ job }: { job: Job }): number => {
    const found = PRECEDENCE.findIndex((states) => states.includes(job.state));
    return found === -1 ? PRECEDENCE.length : found;
  };
  return numbered
    .toSorted((a, b) => rank(a) - rank(b) || a.number - b.number)
    .slice(0, maxRows - 1)
    .toSorted((a, b) => a.number - b.number);
}

function batchLine({ name, jobs, summary }: BatchProgress, now: number, canvas: Canvas): string {
  const saved = jobs.filter((job) => job.state === 'done').length;
  const failed = jobs.filter((job) => job.state === 'failed' || job.state === 'rejected').length;
  const words = [`${saved} of ${jobs.length} saved`];
  if (failed > 0) words.push(`${failed} failed`);
  const last = lastToSave(jobs.filter((job) => job.state !== 'done'));
  if (last !== null && saved + failed < jobs.length) {
    const batch = summary.batches.find(({ id }) => id === last.batchId);
    words.push(`all saved ${formatEnd(last.savedAt, batch?.savedBetween ?? null, now)}`);
  }
  const { bytesPerSecond } = summary.transfers;
  if (bytesPerSecond !== null && bytesPerSecond > 0) {
    words.push(`${(bytesPerSecond / 1e6).toFixed(1)} MB/s`);
  }
  const text = words.join(' · ');
  const title = plainText(name);
  const barWidth = Math.min(24, canvas.width - cells(title) - cells(text) - 4);
  if (barWidth < 8) return cutTo(text, canvas.width);
  const share = jobs.length === 0 ? 0 : saved / jobs.length;
  return `${paint(canvas, 'bold', title)}  ${bar(share, barWidth, canvas, 'yellow')}  ${text}`;
}

/** When the last of these jobs will be saved; `null` if that is unknown for any of them. */
function lastToSave(jobs: readonly Job[]): { batchId: string; savedAt: number } | null {
  let last: { batchId: string; savedAt: number } | null = null;
  for (const { batchId, forecast, wait } of jobs) {
    const { savedAt } = forecast;
    if (savedAt === null || !isForecast(wait)) return null;
    if (last === null || savedAt > last.savedAt) last = { batchId, savedAt };
  }
  return last;
}

/** Why nothing is being sent; `null` when the queue is sending. */
export function blockedText({ flow }: Summary, now: number): string | null {
  const sentences = flow.state === 'paused' ? ['Paused. Resume it with spool queue resume.'] : [];
  const obstacle = obstacleOf(flow);
  if (obstacle !== null) {
    const { message, retryAt } = obstacle;
    sentences.push(plainText(message));
    if (retryAt !== undefined) sentences.push(`Trying again ${formatWhen(retryAt, now)}.`);
  }
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** What is true of rendering on this computer, which has no limits. */
function hereText({ renderMs }: Summary): string {
  const aVideo = renderMs === null ? '' : ` · about ${formatDuration(renderMs)} a video`;
  return `This computer${aVideo} · no limit`;
}

function limitLines(summary: Summary, now: number, canvas: Canvas): string[] {
  if (isUnlimited(summary)) return [paint(canvas, 'dim', cutTo(hereText(summary), canvas.width))];
  const { limits, balance } = summary;
  const limitsText = [
    limitText('sent', limits.generate, now),
    limitText('status', limits.status, now),
    limitText('downloads', limits.download, now),
    ...(limits.renders === null
      ? []
      : [`rendering ${limits.renders.underWay} of ${limits.renders.limit} at a time`]),
  ].join(' · ');
  const ofQuota =
    summary.quota === null ? [] : [quotaText(summary.quota, practicePlan(summary), now)];
  const ofBalance = balance === null ? [] : [balanceText(balance, now)];
  const account = [...ofQuota, ...ofBalance].join(' · ');
  const parts = account === '' ? [limitsText] : [limitsText, account];
  const singleLine = parts.join(' · ');
  const lines = cells(singleLine) <= canvas.width ? [singleLine] : parts;
  return lines.map((line) => paint(canvas, 'dim', cutTo(line, canvas.width)));
}

function quotaText(
  { plan, per, limit, used, held, resetAt }: Quota,
  practice: string | null,
  now: number,
): string {
  const of =
    practice !== null
      ? `(practice account, ${practice})`
      : plan === null
        ? `a ${per}`
        : `(${plan})`;
  return `quota ${used + held} of ${limit} ${of}, resets ${formatDate(resetAt, now)}`;
}

function balanceText({ amount, unit, currency, readAt }: Balance, now: number): string {
  return `balance ${amountWords(amount, unit, currency)}, read ${formatAgo(readAt, now)}`;
}

function limitText(name: string, stored: Limit, now: number): string {
  const { limit, remaining, resetAt } = limitAt(stored, now);
  const used = `${name} ${limit - remaining}/${limit}`;
  return remaining === 0 && resetAt !== null
    ? `${used} (more in ${formatDuration(resetAt - now)})`
    : used;
}
