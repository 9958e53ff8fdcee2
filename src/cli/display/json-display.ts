import type { Writable } from 'node:stream';
import type { Job } from '../../contract/job.ts';
import { escapedJson } from '../../engine/escaped-json.ts';
import type { Display } from './display.ts';
import { ownReason } from './wait-words.ts';

/** One JSON object a line, for programs. */
export class JsonDisplay implements Display {
  readonly #out: Writable;
  readonly #told = new Map<string, string>();

  constructor(out: Writable) {
    this.#out = out;
  }

  say: Display['say'] = () => undefined;

  failed: Display['failed'] = (failure) => this.#write({ event: 'failed', failure });

  planned: Display['planned'] = (plan) => this.#write({ event: 'planned', ...plan });

  forecast: Display['forecast'] = (plan, now) => this.planned(plan, now);

  /** Writes each job whose state or own reason to wait changed. */
  progressed: Display['progressed'] = ({ jobs }) => {
    for (const job of jobs) {
      const story = storyOf(job);
      if (this.#told.get(job.id) === story) continue;
      this.#told.set(job.id, story);
      this.#write({ event: 'job', job });
    }
  };

  ended: Display['ended'] = (exitCode, progress) => {
    const states = progress?.jobs.map((job) => job.state) ?? [];
    this.#write({
      event: 'ended',
      exitCode,
      videos: states.length,
      saved: states.filter((state) => state === 'done').length,
    });
  };

  #write(object: Readonly<Record<string, unknown>>): void {
    this.#out.write(`${escapedJson(object)}\n`);
  }
}

function storyOf(job: Job): string {
  return [job.state, ownReason(job)].join();
}
