import type { BatchPlan } from '../../contract/batch.ts';
import type { Failure } from '../../contract/failure.ts';
import { obstacleOf } from '../../contract/flow.ts';
import type { Job } from '../../contract/job.ts';
import type { BatchProgress } from '../batch-progress.ts';
import type { ExitCode } from '../exit-codes.ts';
import { hindranceWords } from './progress-view.ts';
import type { Display } from './display.ts';
import { forecastTable } from './forecast.ts';
import { PAPER } from './canvas.ts';
import { tellMore } from './job-line.ts';
import type { HumanOutput } from './human-output.ts';
import { report } from './report.ts';
import { endingWords, failureWords, planWords } from './sentences.ts';
import { jobWords } from './state-words.ts';
import { plainText } from './text-cells.ts';
import { ownReason } from './wait-words.ts';

/** A line for each change of a video's state: for pipes, logs and schedules. */
export class PlainDisplay implements Display {
  readonly #to: HumanOutput;
  readonly #startedAt: number;
  readonly #told = new Map<string, string>();
  /** Each is told once: what keeps trying again would fill a log. */
  readonly #hindrances = new Set<string>();

  constructor(to: HumanOutput) {
    this.#to = to;
    this.#startedAt = to.now();
  }

  say(sentence: string): void {
    this.#to.stream.write(`${sentence}\n`);
  }

  failed(failure: Failure): void {
    this.#to.errors.write(`${failureWords(failure)}\n`);
  }

  planned(plan: BatchPlan, now: number): void {
    this.say(planWords(plan, now));
  }

  forecast(plan: BatchPlan, now: number): void {
    this.say(`${forecastTable(plan, now, PAPER)}\n`);
    this.planned(plan, now);
  }

  progressed({ jobs, summary }: BatchProgress): void {
    const now = this.#to.now();
    jobs.forEach((job, index) => {
      // A moment on the way to "accepted", or back to "waiting" while the service is away.
      if (job.state === 'reserved' || job.state === 'sending') return;
      const story = [jobWords(job).word, ownReason(job)].join();
      if (this.#told.get(job.id) === story) return;
      this.#told.set(job.id, story);
      this.say(`${index + 1}/${jobs.length} ${plainText(job.title)}: ${wordsOf(job, now)}`);
    });
    const { flow } = summary;
    const cause = [flow.state, obstacleOf(flow)?.message].join();
    if (flow.state === 'running' || this.#hindrances.has(cause)) return;
    this.#hindrances.add(cause);
    this.say(hindranceWords(summary, now) ?? cause);
  }

  ended(exitCode: ExitCode, progress?: BatchProgress): void {
    if (!progress) return;
    const { cwd, now } = this.#to;
    const words = endingWords(exitCode, progress, now() - this.#startedAt, this.#to);
    this.say(`\n${report(progress, cwd, now(), PAPER)}\n\n${words}`);
  }
}

function wordsOf(job: Job, now: number): string {
  const { word } = jobWords(job);
  // A transfer's bytes would be out of date as soon as they are on paper.
  const hasBytes = job.transfer !== null && job.wait === null;
  const more = hasBytes ? '' : tellMore(job, now);
  return more === '' ? word : `${word}, ${more}`;
}
