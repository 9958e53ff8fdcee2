import type { PlannedRename, Rename, Renamed, RenamePlan } from '../../contract/files.ts';
import { userMessage } from '../../contract/user-message.ts';
import { hasInvisible } from '../../contract/visible-text.ts';
import type { Clock } from '../clock.ts';
import { JobUnknownError, NameTemplateUnfitError } from '../engine-error.ts';
import { checkFilesOf } from '../flow/file-check.ts';
import type { Renamer } from '../flow/renamer.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Store } from '../jobs/store.ts';
import { jobIdOf } from './job-id.ts';
import { planRenames, type FilePlan } from './rename-plan.ts';
import { Serial } from './serial.ts';

export interface RenameCommandParts {
  readonly store: Store;
  readonly renamer: Renamer;
  readonly clock: Clock;
  /** Aborted when the engine closes. */
  readonly stop: AbortSignal;
}

/** Says what saved files would be called, and renames them: one command after the other. */
export class RenameCommands {
  readonly #parts: RenameCommandParts;
  readonly #serial = new Serial();

  constructor(parts: RenameCommandParts) {
    this.#parts = parts;
  }

  /** Resolves once no file is on its way, unless another command comes meanwhile. Never rejects. */
  over(): Promise<void> {
    return this.#serial.idle();
  }

  /** Goes on with what a stopped engine left. */
  finish(): Promise<void> {
    return this.#serial.run(() => this.#parts.renamer.finish(this.#parts.stop));
  }

  /**
   * @param limit files that are told of one by one
   * @throws {JobUnknownError}
   */
  async plan({ ids, nameTemplate }: Rename, limit: number): Promise<RenamePlan> {
    if (hasInvisible(nameTemplate)) throw new NameTemplateUnfitError();
    await this.over();
    const { files, placeholders, unknown } = await planRenames(
      this.#jobs(ids),
      nameTemplate,
      this.#parts.store,
    );
    const of = Map.groupBy(files, ({ outcome }) => outcome);
    const count = (outcome: PlannedRename['outcome']): number => of.get(outcome)?.length ?? 0;
    const shown = [
      ...(of.get('kept') ?? []),
      ...files.filter(({ outcome }) => outcome !== 'kept'),
    ].slice(0, limit);
    return {
      files: shown.map(({ job, ...plan }) => ({ id: String(job.id), title: job.title, ...plan })),
      counts: {
        renamed: count('renamed'),
        numbered: count('numbered'),
        unchanged: count('unchanged'),
        kept: count('kept'),
      },
      placeholders: [...placeholders],
      unknown: [...unknown],
    };
  }

  /** @throws {JobUnknownError} */
  rename(wanted: Rename): Promise<Renamed> {
    return this.#serial.run(() => this.#rename(wanted));
  }

  async #rename({ ids, nameTemplate }: Rename): Promise<Renamed> {
    if (hasInvisible(nameTemplate)) throw new NameTemplateUnfitError();
    const { store, renamer, clock, stop } = this.#parts;
    // A disk that was full may have kept an earlier one from its end.
    await renamer.finish(stop);
    const { files } = await planRenames(this.#jobs(ids), nameTemplate, store);
    const gone = files.filter(({ job, outcome }) => outcome === 'kept' && job.state === 'done');
    await checkFilesOf(
      gone.map(({ job }) => job),
      store,
      clock,
      () => stop.aborted,
    );
    const going = files.flatMap(({ job, to, outcome }) => {
      const isGoing = outcome === 'renamed' || outcome === 'numbered';
      if (!isGoing || job.filePath === null || to === null) return [];
      return [{ id: job.id, filePath: job.filePath, renameTo: to }];
    });
    const intended = store.files.planRenames(going);
    const { renamed, refused } = await renamer.run(stop);
    const isGoing = new Set(going.map(({ id }) => id));
    const failureOf = ({ job, why }: FilePlan): Renamed['refused'][number]['failure'] | null => {
      const failure = refused.get(job.id);
      if (failure) return failure;
      if (why) return { code: 'not-possible-now', ...why };
      if (!isGoing.has(job.id)) return null;
      if (!intended.has(job.id))
        return { code: 'not-possible-now', ...userMessage('rename-changed') };
      return stop.aborted && store.jobs.get(job.id).renameTo !== null
        ? { code: 'not-possible-now', ...userMessage('rename-later') }
        : null;
    };
    return {
      renamed,
      refused: files.flatMap((file) => {
        const failure = failureOf(file);
        return failure ? [{ id: String(file.job.id), title: file.job.title, failure }] : [];
      }),
    };
  }

  /** In queue order. */
  #jobs(ids: readonly string[]): readonly JobRow[] {
    const asked = new Set(ids.map(jobIdOf));
    const jobs = this.#parts.store.jobs.pick([...asked]);
    if (jobs.length < asked.size) throw new JobUnknownError();
    return jobs;
  }
}
