import type { Writable } from 'node:stream';
import type { Job } from '../../contract/job.ts';
import type { Display } from './display.ts';
import { writeEvent } from '../write-event.ts';
import { jobWaitReason } from './wait-text.ts';

/** One JSON object a line, for programs. */
export class JsonDisplay implements Display {
  readonly #out: Writable;
  readonly #written = new Map<string, string>();

  constructor(out: Writable) {
    this.#out = out;
  }

  note: Display['note'] = () => undefined;

  failed: Display['failed'] = (failures) => {
    for (const failure of failures) this.#write({ event: 'failed', failure });
  };

  planned: Display['planned'] = (plan) => this.#write({ event: 'planned', ...plan });

  forecast: Display['forecast'] = (plan, now) => this.planned(plan, now);

  accounted: Display['accounted'] = (account) => this.#write({ event: 'accounted', ...account });

  /** Writes each job whose state or own wait reason changed. */
  progressed: Display['progressed'] = ({ jobs }) => {
    for (const job of jobs) {
      const current = stateAndReason(job);
      if (this.#written.get(job.id) === current) continue;
      this.#written.set(job.id, current);
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

  #write(event: Parameters<typeof writeEvent>[1]): void {
    writeEvent({ stdout: this.#out }, event);
  }
}

function stateAndReason(job: Job): string {
  return [job.state, jobWaitReason(job)].join();
}
