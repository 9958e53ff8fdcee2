import type { BatchPlan } from '../../contract/batch.ts';
import { obstacleOf } from '../../contract/flow.ts';
import type { Job } from '../../contract/job.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { RowAccount } from '../left-out-rows.ts';
import type { ExitCode } from '../exit-codes.ts';
import { blockedText } from './progress-view.ts';
import type { Display } from './display.ts';
import { forecastTable } from './forecast.ts';
import { NON_TERMINAL } from './canvas.ts';
import { nextStepText } from './job-line.ts';
import type { HumanOutput } from './human-output.ts';
import { report } from './report.ts';
import { failureText } from './failure-text.ts';
import { accountText, endingText, planText } from './summary-text.ts';
import { jobLabel } from './state-labels.ts';
import { plainText } from './text-cells.ts';
import { jobWaitReason } from './wait-text.ts';

/** One line per change of a video's state: for pipes, logs and cron jobs. */
export class PlainDisplay implements Display {
  readonly #to: HumanOutput;
  readonly #startedAt: number;
  readonly #written = new Map<string, string>();
  /** Each reason is written once: repeated retries would fill a log. */
  readonly #writtenReasons = new Set<string>();

  constructor(to: HumanOutput) {
    this.#to = to;
    this.#startedAt = to.now();
  }

  note(sentence: string): void {
    this.#to.stream.write(`${sentence}\n`);
  }

  failed(failure: Parameters<Display['failed']>[0]): void {
    this.#to.errors.write(`${failureText(failure)}\n`);
  }

  accounted(account: RowAccount): void {
    this.note(accountText(account, this.#to.cwd));
  }

  planned(plan: BatchPlan, now: number): void {
    this.note(planText(plan, now));
  }

  forecast(plan: BatchPlan, now: number): void {
    this.note(`${forecastTable(plan, now, NON_TERMINAL)}\n`);
    this.planned(plan, now);
  }

  progressed({ jobs, summary }: BatchProgress): void {
    const now = this.#to.now();
    jobs.forEach((job, index) => {
      // Brief states on the way to "accepted", or back to "waiting" while the service is
      // unreachable.
      if (job.state === 'reserved' || job.state === 'sending') return;
      const current = [jobLabel(job).word, jobWaitReason(job)].join();
      if (this.#written.get(job.id) === current) return;
      this.#written.set(job.id, current);
      this.note(`${index + 1}/${jobs.length} ${plainText(job.title)}: ${messageOf(job, now)}`);
    });
    const { flow } = summary;
    const cause = [flow.state, obstacleOf(flow)?.message].join();
    if (flow.state === 'running' || this.#writtenReasons.has(cause)) return;
    this.#writtenReasons.add(cause);
    this.note(blockedText(summary, now) ?? cause);
  }

  ended(exitCode: ExitCode, progress?: BatchProgress): void {
    if (!progress) return;
    const { cwd, now } = this.#to;
    const words = endingText(exitCode, progress, now() - this.#startedAt, this.#to);
    this.note(`\n${report(progress, cwd, now(), NON_TERMINAL)}\n\n${words}`);
  }
}

function messageOf(job: Job, now: number): string {
  const { word } = jobLabel(job);
  // The bytes of a running transfer would be outdated as soon as they are written.
  const hasBytes = job.transfer !== null && job.wait === null;
  const more = hasBytes ? '' : nextStepText(job, now);
  return more === '' ? word : `${word}, ${more}`;
}
