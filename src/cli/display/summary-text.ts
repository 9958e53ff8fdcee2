import type { BatchPlan } from '../../contract/batch.ts';
import type { Job } from '../../contract/job.ts';
import { exceedsBalance } from '../../contract/exceeds-balance.ts';
import type { Balance, CostEstimate } from '../../contract/service-cost.ts';
import type { Summary } from '../../contract/summary.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { RowAccount } from '../left-out-rows.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { formatAgo, formatEnd, formatCount, formatDuration, formatWhen } from './numbers.ts';
import { readingText } from '../reading-options.ts';
import { relativePath } from './report.ts';
import { stateLabel } from './state-labels.ts';
import { amountWords } from './service-words.ts';
import { plainText } from './safe-text.ts';
import { waitText } from './wait-text.ts';

/** What a batch will cost and when it will be saved, in one or two lines. */
export function planText(plan: BatchPlan, now: number): string {
  const { name, rows, savedBy, savedBetween, notThisCycle } = plan;
  const count = (outcome: BatchPlan['rows'][number]['outcome']): number =>
    rows.filter((row) => row.outcome === outcome).length;
  const parts: string[] = [];
  if (count('saved') > 0) parts.push(`${count('saved')} already saved`);
  if (count('already-queued') > 0) parts.push(`${count('already-queued')} already queued`);
  if (count('downloaded-again') > 0) parts.push(`${count('downloaded-again')} to download again`);
  if (count('in-other-batch') > 0)
    parts.push(`${count('in-other-batch')} already in other batches`);
  if (count('failed-before') > 0) parts.push(`${count('failed-before')} failed before`);
  if (count('skipped') > 0) parts.push(`${count('skipped')} skipped`);
  if (count('new') > 0) parts.push(`${count('new')} to render`);
  const far = rows.find(({ wait }) => wait?.reason === 'years-away')?.wait;
  const end = far
    ? waitText(far, now)
    : savedBy === null || savedBy <= now
      ? null
      : formatEnd(savedBy, savedBetween, now);
  const when = end === null ? '' : `, all saved ${end}`;
  const isDaily = rows.some(({ wait }) => wait?.reason === 'daily-quota');
  const overQuota =
    notThisCycle === 0
      ? ''
      : `\n${formatCount(notThisCycle, 'video')} will not fit in ${isDaily ? 'today’s' : 'this month’s'} quota.`;
  const tableRows = new Set(rows.map(({ row }) => row)).size;
  const from = tableRows === rows.length ? '' : `${formatCount(tableRows, 'row')}, `;
  const read = plan.files.flatMap((file) => readingText(file) ?? []).map((line) => `${line}\n`);
  return `${read.join('')}${plainText(name)}: ${from}${formatCount(rows.length, 'video')}, ${parts.join(', ')}${when}.${costText(plan, now)}${overQuota}${sentAsNumbersText(plan)}`;
}

/** Which columns are numbers in requests, where their values decide it; empty for none. */
function sentAsNumbersText({ sentAsNumbers }: BatchPlan): string {
  return sentAsNumbers.length === 0
    ? ''
    : `\nSent as numbers: ${sentAsNumbers.map(plainText).join(', ')}.`;
}

/** What the new videos cost, as an estimate; empty if the quota counts videos. */
function costText({ cost, balance, tellsBalance }: BatchPlan, now: number): string {
  if (cost === null) return '';
  const { unit, currency, amount, unknown } = cost;
  const unread = tellsBalance
    ? ' Your balance is not known: the service has not reported it yet.'
    : '';
  const left = balance === null ? unread : ` ${balanceText(cost, balance, now)}`;
  if (amount === null) return `\nThe service profile does not say what they cost.${left}`;
  const more = unknown === 0 ? '' : `, and ${formatCount(unknown, 'video')} of unknown cost`;
  return `\nEstimated cost: ${amountWords(amount, unit, currency)}${more}.${left}`;
}

function balanceText(cost: CostEstimate, balance: Balance, now: number): string {
  const { amount, unit, currency, readAt } = balance;
  const was = `was ${amountWords(amount, unit, currency)} (${formatAgo(readAt, now)})`;
  return exceedsBalance(cost, balance)
    ? `More than your balance, which ${was}.`
    : `Your balance ${was}.`;
}

/** What became of every row: “50 rows: 47 added, 3 left out (saved in videos.left-out.csv).” */
export function accountText(
  { rows, videos, added, there, inOtherBatches, leftOut, file }: RowAccount,
  cwd: string,
): string {
  const saved = file === null ? '' : ` (saved in ${relativePath(file, cwd)})`;
  const counts: readonly (readonly [number, string])[] = [
    [added, 'added'],
    [there, 'already there or skipped'],
    [inOtherBatches, 'in other batches'],
    [leftOut.length, `left out${saved}`],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const made = videos === rows - leftOut.length ? '' : `, ${formatCount(videos, 'video')}`;
  return `${formatCount(rows, 'row')}${made}: ${parts.join(', ')}.`;
}

/** The outcome, and what the user can do next. */
export function endingText(
  exitCode: ExitCode,
  { jobs, awaited, folder, summary, spent = null }: BatchProgress,
  tookMs: number,
  to: { readonly cwd: string; readonly now: () => number },
): string {
  const saved = jobs.filter((job) => job.state === 'done').length;
  const where = relativePath(folder, to.cwd);
  const took = formatDuration(tookMs);
  const counts = reasonsText(jobs);
  const result = `${saved} of ${formatCount(jobs.length + awaited.length, 'video')} saved in ${where} in ${took}${spent === null ? '' : `, ${spent}`}.${counts}`;
  const advice = adviceText(exitCode, awaited, summary.quota, to.now());
  return advice === null ? result : `${result}\n${advice}`;
}

/** How many videos are not saved, by reason; empty if none ended without a file. */
function reasonsText(jobs: readonly Job[]): string {
  const held = jobs.find(({ failure }) => failure?.code === 'batch-held')?.failure;
  const counts = new Map<string, number>();
  for (const job of jobs) {
    const reason = reasonOf(job);
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`);
  const list = parts.length === 0 ? '' : ` Not saved: ${parts.join(', ')}.`;
  return held ? `${list}\n${plainText(held.message)} Resume it with spool jobs release.` : list;
}

function reasonOf({ state, failure }: Job): string | null {
  switch (state) {
    case 'rejected':
      return failure?.code === 'content-refused' ? 'refused because of the content' : 'refused';
    case 'failed':
      return failure?.code === 'render-failed' ? 'failed to render' : 'failed';
    case 'uncertain':
    case 'held':
    case 'missing':
    case 'cancelled':
    case 'abandoned':
      return stateLabel(state).word;
    default:
      return null;
  }
}

function adviceText(
  exitCode: ExitCode,
  awaited: BatchProgress['awaited'],
  quota: Summary['quota'],
  now: number,
): string | null {
  switch (exitCode) {
    case EXIT.allSaved:
    case EXIT.usage:
    case EXIT.folderLost:
    case EXIT.outputFailed:
      return null;
    case EXIT.someFailed:
      return 'The lines above show what happened to the others.';
    case EXIT.keyRefused:
      return 'Nothing more is sent until there is a working key: spool key set.';
    case EXIT.quotaUsedUp:
      return quotaAdvice(quota, now);
    case EXIT.needsDecision:
      if (awaited.length > 0) return inOtherBatchesAdvice(awaited.length);
      return 'A video may have been accepted. Decide with spool jobs resolve; Spool won’t resend it until then.';
    case EXIT.hungUp:
    case EXIT.interrupted:
    case EXIT.terminated:
      return 'Interrupted. Everything is kept; run the same command to continue.';
  }
}

function inOtherBatchesAdvice(count: number): string {
  return count === 1
    ? '1 video was not added, because another batch has the same one and it is not finished. Run the same command again once it is saved. To render it a second time, add --duplicates render.'
    : `${count} videos were not added, because other batches have the same ones and they are not finished. Run the same command again once they are saved. To render them a second time, add --duplicates render.`;
}

function quotaAdvice(quota: Summary['quota'], now: number): string {
  if (quota === null)
    return 'The service says that nothing is left. Run the same command again when there is.';
  const { plan, per, resetAt, refused } = quota;
  const ofPlan = plan === null ? '' : ` of the ${plan} plan`;
  const isTriedDaily = refused && per === 'month';
  return `The rest waits for the quota${ofPlan} to reset ${formatWhen(resetAt, now)}. Run the same command again then.${isTriedDaily ? ' A Spool that keeps running, such as spool web, tries again every day.' : ''}`;
}

/** About names in braces in a file name template that do not exist; `null` if all of them do. */
export function emptyPlaceholdersText(unknown: readonly string[]): string | null {
  if (unknown.length === 0) return null;
  const names = unknown.map((name) => `{${plainText(name)}}`).join(', ');
  return `There is no column called ${names}. It is left empty.`;
}
