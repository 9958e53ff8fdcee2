import type { PlannedRename, Rename, RenamePlan } from '../../src/contract/files.ts';
import type { Job } from '../../src/contract/job.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { userMessage } from '../../src/contract/user-message.ts';

export interface FakeRenameParts {
  readonly jobs: () => readonly Job[];
  readonly batchName: (batchId: string) => string;
  /** Renames a file and notifies watchers. */
  readonly rename: (job: Job, path: string) => void;
}

/** The folder of all files of the fake's batches. */
const FOLDER = '/home/ana/Videos/';

/** Names files as the engine does, as far as a page can tell; no file exists on a disk. */
export function fakeRenames({
  jobs,
  batchName,
  rename,
}: FakeRenameParts): Pick<Commands['files'], 'planRename' | 'rename'> {
  const plan = ({ ids, nameTemplate }: Rename): RenamePlan => {
    const taken = new Set<string>();
    const files = jobs()
      .filter(({ id }) => ids.includes(id))
      .map((job): PlannedRename => {
        const from = job.file?.path.slice(FOLDER.length) ?? null;
        const named = { id: job.id, title: job.title, from };
        if (job.state !== 'done') {
          const why = userMessage(job.state === 'missing' ? 'rename-gone' : 'not-saved-yet');
          return { ...named, to: null, outcome: 'kept', why };
        }
        const row = job.row ?? 1;
        const values: Record<string, string> = {
          batch: batchName(job.batchId),
          title: job.title,
          row: String(row),
          index: String(row - 1).padStart(2, '0'),
          aspect: '16:9',
        };
        const stem = nameTemplate.replace(/\{(.*?)\}/g, (_, name: string) => values[name] ?? '');
        const wantedName = stem.replace(/\.mp4$/, '');
        let to = `${wantedName}.mp4`;
        for (let number = 2; taken.has(to); number += 1) to = `${wantedName} (${number}).mp4`;
        taken.add(to);
        const outcome =
          to === from ? 'unchanged' : to === `${wantedName}.mp4` ? 'renamed' : 'numbered';
        return { ...named, to, outcome, why: null };
      });
    const count = (outcome: PlannedRename['outcome']): number =>
      files.filter((file) => file.outcome === outcome).length;
    const placeholders = ['title', 'aspect', 'row', 'batch', 'index'];
    const used = [...nameTemplate.matchAll(/\{(.*?)\}/g)].map(([, name = '']) => name);
    return {
      files: files.toSorted(
        (one, other) => Number(other.outcome === 'kept') - Number(one.outcome === 'kept'),
      ),
      counts: {
        renamed: count('renamed'),
        numbered: count('numbered'),
        unchanged: count('unchanged'),
        kept: count('kept'),
      },
      placeholders,
      unknown: used.filter((name) => !placeholders.includes(name)),
    };
  };
  return {
    planRename({ limit, ...wanted }) {
      const planned = plan(wanted);
      return { ...planned, files: planned.files.slice(0, limit) };
    },
    async rename(wanted) {
      const { files, counts } = plan(wanted);
      await new Promise((resolve) => setTimeout(resolve, 30));
      for (const { id, to } of files) {
        const job = jobs().find((one) => one.id === id);
        if (job?.file && to !== null) rename(job, FOLDER + to);
      }
      return {
        renamed: counts.renamed + counts.numbered,
        step: null,
        refused: files.flatMap(({ id, title, why }) =>
          why === null
            ? []
            : [{ id, title, failure: { code: 'not-possible-now' as const, ...why } }],
        ),
      };
    },
  };
}
