import { obstacleOf } from '../../contract/flow.ts';
import type { Job } from '../../contract/job.ts';
import type { BatchProgress } from '../batch-progress.ts';
import { blockedText } from './progress-view.ts';
import { NON_TERMINAL } from './canvas.ts';
import { nextStepText } from './job-line.ts';
import { jobLabel } from './state-labels.ts';
import { plainText } from './safe-text.ts';
import { TextDisplay } from './text-display.ts';
import { jobWaitReason } from './wait-text.ts';

/** One line per change of a video's state: for pipes, logs and cron jobs. */
export class PlainDisplay extends TextDisplay {
  readonly #written = new Map<string, string>();
  /** Each reason is written once: repeated retries would fill a log. */
  readonly #writtenReasons = new Set<string>();

  protected override readonly canvas = NON_TERMINAL;

  note(sentence: string): void {
    this.to.stream.write(`${sentence}\n`);
  }

  progressed({ jobs, summary }: BatchProgress): void {
    const now = this.to.now();
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
}

function messageOf(job: Job, now: number): string {
  const { word } = jobLabel(job);
  // The bytes of a running transfer would be outdated as soon as they are written.
  const hasBytes = job.transfer !== null && job.wait === null;
  const more = hasBytes ? '' : nextStepText(job, now);
  return more === '' ? word : `${word}, ${more}`;
}
