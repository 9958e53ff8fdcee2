import type { Writable } from 'node:stream';
import type { Job } from '../../contract/job.ts';
import type { Display } from './display.ts';

/** One JSON object a line, for programs. */
export class JsonDisplay implements Display {
  readonly #out: Writable;
  readonly #states = new Map<string, Job['state']>();

  constructor(out: Writable) {
    this.#out = out;
  }

  say: Display['say'] = () => undefined;

  failed: Display['failed'] = (failure) => this.#write({ event: 'failed', failure });

  planned: Display['planned'] = (plan) => this.#write({ event: 'planned', ...plan });

  forecast: Display['forecast'] = (plan, now) => this.planned(plan, now);

  /** Writes the jobs whose state changed, each whole. */
  progressed: Display['progressed'] = ({ jobs }) => {
    for (const job of jobs) {
      if (this.#states.get(job.id) === job.state) continue;
      this.#states.set(job.id, job.state);
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
    this.#out.write(`${JSON.stringify(object)}\n`);
  }
}
