import type { PlannedRename, Renamed } from '../../contract/files.ts';
import { userMessage } from '../../contract/user-message.ts';
import { finishRenames, renameFiles } from '../flow/renamer.ts';
import { checkFiles, checkFilesOf } from '../flow/saved-files.ts';
import { verifyFiles } from '../flow/file-verification.ts';
import type { JobRow } from '../jobs/job-row.ts';
import type { Needs } from './command-context.ts';
import type { Commands } from './handlers.ts';
import { jobIdOf } from './by-id.ts';
import { assertVisible } from './names-in-folder.ts';
import { planRenames, type FilePlan, type RenamePlanning } from './rename-plan.ts';

/** Checks and renames saved files, and shows posters of them. */
export function fileCommands(
  context: Needs<
    'store' | 'clock' | 'posters' | 'naming' | 'renaming' | 'runtime' | 'stop' | 'flow'
  >,
): Commands['files'] {
  const { store, clock, posters, naming, renaming, runtime, stop } = context;

  /** In queue order. @throws {JobUnknownError} */
  const jobsOf = (ids: readonly string[]): readonly JobRow[] => {
    const asked = new Set(ids.map(jobIdOf));
    const jobs = store.jobs.pick([...asked]);
    const found = new Set(jobs.map(({ id }) => id));
    const missing = [...asked].find((id) => !found.has(id));
    if (missing !== undefined) throw store.jobs.unknown(missing);
    return jobs;
  };

  const planOf = (ids: readonly string[], nameTemplate: string): Promise<RenamePlanning> =>
    planRenames(jobsOf(ids), nameTemplate, store);

  /** Stores the new names before another command chooses one. */
  const intend = (ids: readonly string[], nameTemplate: string) =>
    naming.run(async () => {
      const { files } = await planOf(ids, nameTemplate);
      const going = files.flatMap(({ job, to, outcome }) => {
        const isGoing = outcome === 'renamed' || outcome === 'numbered';
        if (!isGoing || job.filePath === null || to === null) return [];
        return [{ id: job.id, filePath: job.filePath, renameTo: to }];
      });
      const undo = store.undo.begin('rename', clock.now());
      const nameOf = new Map(files.map(({ job, from }) => [job.id, from]));
      const intended = store.files.planRenames(going, ({ id, renameTo }) =>
        undo.add(id, { file_name: nameOf.get(id) ?? null }, { file_name: renameTo }),
      );
      return { files, going, intended, step: undo.id };
    });

  const rename = async (ids: readonly string[], nameTemplate: string): Promise<Renamed> => {
    // A full disk may have prevented an earlier renaming from being finished.
    await finishRenames(store, clock, stop);
    const { files, going, intended, step } = await intend(ids, nameTemplate);
    const gone = files.filter(({ job, outcome }) => outcome === 'kept' && job.state === 'done');
    await checkFilesOf(
      gone.map(({ job }) => job),
      store,
      clock,
      stop,
    );
    const { renamed, refused } = await renameFiles(store, clock, stop);
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
      step,
      refused: files.flatMap((file) => {
        const failure = failureOf(file);
        return failure ? [{ id: String(file.job.id), title: file.job.title, failure }] : [];
      }),
    };
  };

  return {
    check: async () => ({ missing: await checkFiles(store, clock, stop) }),

    verify: ({ ids }, signal) =>
      verifyFiles(ids?.map(jobIdOf), context, AbortSignal.any([signal, stop])),

    async planRename({ ids, nameTemplate, limit }) {
      assertVisible(nameTemplate);
      await renaming.idle();
      const { files, placeholders, unknown } = await planOf(ids, nameTemplate);
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
    },

    async rename({ ids, nameTemplate }) {
      assertVisible(nameTemplate);
      const renamed = await renaming.run(() => rename(ids, nameTemplate));
      // A backup with the old names would report every file as missing.
      runtime.backUp();
      return renamed;
    },

    async poster({ id }) {
      const { filePath, fileSha256 } = store.jobs.get(jobIdOf(id));
      if (filePath === null || fileSha256 === null) return { path: null };
      return { path: await posters.of({ path: filePath, sha256: fileSha256 }) };
    },
  };
}
